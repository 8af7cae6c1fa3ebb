"""The JSON of a card and its schema."""
