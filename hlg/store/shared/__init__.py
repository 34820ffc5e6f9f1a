"""What both stores do by the same statements."""
