"""One run over time: its settings, the log that is read, its readings and its card."""
