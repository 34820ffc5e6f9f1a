"""The path ranker: candidates, their signals, and the trees that weigh them."""
