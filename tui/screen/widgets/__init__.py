"""Parts that draw the panels: cells, charts, text, colours."""
