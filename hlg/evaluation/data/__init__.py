"""Data sets of questions with known evidence."""
