"""Reads a log: the formats that exist, detection, lines to events."""
