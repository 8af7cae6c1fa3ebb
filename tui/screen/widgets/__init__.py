"""widgets of the screen and its files."""
