"""Tables and comparisons over the cards of several runs."""
