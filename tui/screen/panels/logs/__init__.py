"""The panel of the log's own lines."""
