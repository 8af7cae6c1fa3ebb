"""The user interface: commands, screen, exports and the Python API."""
