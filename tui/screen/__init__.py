"""The screen of `watch` and `replay`."""
