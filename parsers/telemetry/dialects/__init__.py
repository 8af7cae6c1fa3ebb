"""One module per shape that a vendor's tool prints its readings in."""
