"""Shapes of lines: typed holes, key-value pairs, JSON, tables, bars, and inferred templates."""
