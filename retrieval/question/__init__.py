"""What is made of a question before anything is searched."""
