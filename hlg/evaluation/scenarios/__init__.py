"""Nine ways to answer from documents and a graph (scenarios paper), each with its variants."""
