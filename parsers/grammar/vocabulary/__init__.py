"""The names, units, words and numbers of the field, as logs write them."""
