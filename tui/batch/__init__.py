"""Many logs at once: sets, folders, processes, a Dask cluster."""
