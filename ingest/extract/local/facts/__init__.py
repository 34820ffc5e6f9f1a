"""Facts from a sentence's grammar: what is claimed, of what, and how."""
