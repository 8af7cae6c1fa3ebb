"""A run that is watched: the growing log, its GPUs, alerts and hooks."""
