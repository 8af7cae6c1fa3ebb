"""Which epoch each line belongs to, and how many epochs are planned."""
