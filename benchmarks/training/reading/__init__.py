"""Training of the network that reads passages for what answers a question."""
