"""Cards, runs and comparisons as text, files and metrics."""
