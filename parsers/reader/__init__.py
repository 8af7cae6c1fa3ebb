"""The reader of a log: which formats there are, detection, lines to events."""
