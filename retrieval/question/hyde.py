"""HyDE: a search for what is like a passage that would answer (Gao et al. 2023).

A question and its answer are worded differently; a passage that a language model makes up is
worded as the answer is, and right or wrong it lies near the true one.
"""

from hlg.errors import ModelError
from hlg.retrieval.base import SearchSession
from hlg.unicode import without_surrogates

PROMPT = "hypothetical-passage"
MAX_CHARACTERS = 10_000
"""A longer question is read this far."""
PATIENCE = 5.0
"""Seconds after which a model that fails is not asked again: somebody waits."""


def hypothetical_passage(session: SearchSession, question: str) -> str:
    """A made-up passage that answers; empty where the model fails, and the trace says so.

    :raises UsageError: there is no language model.
    """
    door = session.require_door("hyde")
    with session.trace.stage("hyde"):
        try:
            material = {"question": without_surrogates(question[:MAX_CHARACTERS])}
            return door.ask(PROMPT, material, patience=PATIENCE).text
        except ModelError as error:
            session.trace.warn(f"searched without a hypothetical passage: {error}")
            return ""
