"""Of what the statements of formats consist, and what lines without a format say."""
