"""One module per log format; see `parsers.statements.format` for the face they share."""
