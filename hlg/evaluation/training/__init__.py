"""Training of what ranks."""
