"""What the numbers of a line mean by the words around them, where no format says it."""
