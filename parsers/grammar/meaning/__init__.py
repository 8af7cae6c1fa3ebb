"""Derives the meaning of a line's numbers from the words around them, where no format knows it."""
