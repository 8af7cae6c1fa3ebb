"""Settings: the flags of a card, the settings file, and which files are trusted."""
