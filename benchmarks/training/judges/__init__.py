"""Training of the judge of names from what people marked."""
