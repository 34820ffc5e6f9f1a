"""Answers from evidence: what a question asks for, which span says it, and how it is cited."""
