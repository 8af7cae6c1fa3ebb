"""What the sanity checks of a run need: its clocks, steps and rates, and the problems found."""
