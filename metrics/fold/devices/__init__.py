"""Telemetry of GPUs, device by device."""
