"""Judges of answers: what string metrics can't see, a language model is asked."""
