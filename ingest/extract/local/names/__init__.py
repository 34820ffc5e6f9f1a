"""What a document names, and what points back at it."""
