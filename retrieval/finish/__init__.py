"""What follows a search: rerank, diversify, enhance."""
