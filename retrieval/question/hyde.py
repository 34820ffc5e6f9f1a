"""HyDE: a search for what is like a passage that would answer (Gao et al. 2023).

A question and its answer are worded differently; a passage that a language model makes up is
worded as the answer is, and right or wrong it lies near the true one.
"""

from hlg.errors import ModelError
from hlg.retrieval.base import LONGEST_QUESTION, PATIENCE, SearchSession

PROMPT = "hypothetical-passage"


def hypothetical_passage(session: SearchSession, question: str) -> str:
    """A made-up passage that answers; empty where the model fails, and the trace says so.

    :raises UsageError: there is no language model.
    """
    door = session.require_door("hyde")
    with session.trace.stage("hyde"):
        try:
            material = {"question": question[:LONGEST_QUESTION]}
            return door.ask(PROMPT, material, patience=PATIENCE).text
        except ModelError as error:
            session.trace.warn(f"searched without a hypothetical passage: {error}")
            return ""
