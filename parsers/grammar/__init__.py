"""The parts of statements (names, units, shapes), and the meaning of lines that no format knows."""
