"""Bytes become lines: splitting, decoding, sanitising; knows no format."""
