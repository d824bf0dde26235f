"""Documents as vectors across languages, for scikit-learn, which is an extra."""
