"""Figures from readings of the devices: power, energy and memory."""
