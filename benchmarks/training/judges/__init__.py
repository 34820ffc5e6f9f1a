"""Training of the judges of facts and of names from what people marked."""
