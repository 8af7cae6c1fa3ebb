"""Logs as bytes: files that grow, finished files, streams, folders of ranks."""
