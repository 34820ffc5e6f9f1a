"""The graph as tools, and the loops in which a language model uses them."""
