"""A finished log played again."""
