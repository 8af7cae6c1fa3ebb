"""What `import sixdim` offers to Python: cards, runs as columns, watching, comparing."""
