"""Screens that open over the panels: questions, lists, details."""
