"""One module per log format; see `parsers.format` for the face they share."""
