"""Answers from the cells of tables: looked up, compared, counted and worked out."""
