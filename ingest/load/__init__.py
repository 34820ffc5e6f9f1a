"""From files to documents: what is read, and one reader a kind of file."""
