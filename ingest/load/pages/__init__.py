"""Pages on which only the places of words are known, a PDF's or a scan's, as text."""
