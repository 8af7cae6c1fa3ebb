"""Values without state: cards, settings, targets, protocols, exact sums."""
