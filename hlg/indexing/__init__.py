"""From files to the graph: what the facade's building half does."""
