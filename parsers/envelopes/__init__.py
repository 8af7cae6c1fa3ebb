"""What launchers, loggers and containers put in front of a line."""
