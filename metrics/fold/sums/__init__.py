"""Numbers in little memory: exact sums, tables of rows, records, curves."""
