"""Events and readings are folded: runs, epochs, evaluations, facts."""
