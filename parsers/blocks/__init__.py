"""Uniform spans of progress lines, read as columns instead of one by one."""
