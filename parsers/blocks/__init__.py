"""Uniform stretches of progress lines, read as columns instead of one by one."""
