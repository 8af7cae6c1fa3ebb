"""Searches a whole log, in a process beside the screen."""
