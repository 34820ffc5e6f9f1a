"""Question sets made out of a graph: by a language model, or from its facts and paths alone."""
