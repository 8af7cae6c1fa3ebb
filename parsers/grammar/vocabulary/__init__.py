"""The field's names, units, words and numbers, as logs write them."""
