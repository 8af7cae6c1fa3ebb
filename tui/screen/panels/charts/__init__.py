"""The charts: throughput, accuracy, and any other series."""
