"""The card of a run, its JSON and schema, and the snapshot of a screen."""
