"""Numbers become a screen, a command, a file."""

__version__ = "0.1.0"
