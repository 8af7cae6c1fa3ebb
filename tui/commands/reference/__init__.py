"""Commands that describe sixdim and this machine, and read no run."""
