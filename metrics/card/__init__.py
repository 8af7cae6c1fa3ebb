"""The card of a run, its warnings, and the snapshot of a screen."""
