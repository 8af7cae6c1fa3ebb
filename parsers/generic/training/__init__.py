"""The progress lines, epochs and rates of the training pass."""
