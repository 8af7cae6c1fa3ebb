"""The panels of the screen."""
