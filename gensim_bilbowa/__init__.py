"""BilBOWA."""
