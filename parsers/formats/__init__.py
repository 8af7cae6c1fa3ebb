"""One class per log format, a subclass of `parsers.statements.format.Reader`."""
