"""One run over time: read, watched, replayed, beside its GPU readings."""
