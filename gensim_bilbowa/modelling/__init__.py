"""The rooms of a model: its languages, their vocabularies, and what they start from."""
