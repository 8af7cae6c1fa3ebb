"""Of what the statements of formats consist: shapes of lines, typed holes, units, names."""
