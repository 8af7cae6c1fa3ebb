"""Shared by all commands: errors, settings, flags of a card, files, number formatting."""
