"""What the panels are drawn with: cells, charts, text, colours."""
