"""The runs of a log: what each event changes, the facts, the clocks, the state of the checks."""
