"""Numbers become a screen, a command, a file."""
