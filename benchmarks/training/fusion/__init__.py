"""The thesis on learned weights (§4.2): its whole grid of models, and its figures."""
