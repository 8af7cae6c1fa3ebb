"""One module per source of GPU readings."""
