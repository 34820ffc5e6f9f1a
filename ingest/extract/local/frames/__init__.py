"""Frames: a sentence's predicates, each with its subject and its arguments, by a learned reader."""
