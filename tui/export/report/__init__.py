"""The HTML report: page, charts and drawings."""
