"""Replays a finished log."""
