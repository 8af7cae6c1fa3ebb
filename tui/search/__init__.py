"""Looking through a whole log: a process beside the screen reads, counts and finds."""
