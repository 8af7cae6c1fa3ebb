"""The six dimensions, each from what was folded."""
