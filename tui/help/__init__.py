"""The commands and their flags as data, and the parser of each command."""
