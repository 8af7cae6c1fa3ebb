"""Everything that comes in becomes events; loads neither Textual nor Rich."""
