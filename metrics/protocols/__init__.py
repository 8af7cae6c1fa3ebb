"""The named protocols, and the parts they are made of."""
