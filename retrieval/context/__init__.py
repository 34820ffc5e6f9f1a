"""What a language model is given to answer a question."""
