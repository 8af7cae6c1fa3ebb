"""Reads uniform spans of progress lines as columns instead of one by one."""
