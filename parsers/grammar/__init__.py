"""The language in which lines are stated: shapes, holes, units, names."""
