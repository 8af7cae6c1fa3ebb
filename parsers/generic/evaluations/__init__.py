"""The evaluations, and which of their figures count."""
