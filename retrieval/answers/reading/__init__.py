"""A small network that reads passages for the words which answer a question."""
