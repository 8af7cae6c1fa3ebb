"""export of the screen and its files."""
