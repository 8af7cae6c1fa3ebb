"""Real trainers, trained and read: `make trainers`. No part of `make test`."""
