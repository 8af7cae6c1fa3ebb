"""When a run will meet its target, and when it will be done."""
