"""Score, watch and replay deep-learning training runs in six dimensions."""

__version__ = "0.1.0"
