#!/usr/bin/env python
"""Organs and their pipes."""
import os

# How many pipes there are.
PIPES = 40


class Organ:
    """An organ by the sea."""

    def play(self, tide: int) -> str:
        """Play one note.

        Louder at high tide.
        """
        return "C" * tide


@cached
def tune(organ):
    return organ
