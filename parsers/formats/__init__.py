"""One module per log format, with a subclass of `parsers.statements.format.Reader`."""
