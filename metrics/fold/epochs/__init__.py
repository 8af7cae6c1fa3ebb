"""Epochs, windows of iterations and evaluations."""
