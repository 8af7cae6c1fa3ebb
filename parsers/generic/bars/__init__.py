"""Progress bars, and what they count."""
