"""The commands and their flags as data: parser, completion, manual."""
