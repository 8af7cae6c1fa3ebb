"""panels of the screen and its files."""
