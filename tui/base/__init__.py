"""What every command uses: errors, settings, flags of a card, files, wording."""
