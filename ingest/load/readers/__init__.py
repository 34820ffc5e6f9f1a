"""One reader a kind of file: its bytes in, documents out."""
