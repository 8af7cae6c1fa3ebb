"""What a format is made of: its statements, and what their fields mean."""
