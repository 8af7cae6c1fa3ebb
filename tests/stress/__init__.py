"""Long runs that attack the whole program; each prints its figures."""
