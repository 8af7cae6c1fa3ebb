"""Tables whose heads name their columns, and headings above lines."""
