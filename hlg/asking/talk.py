"""What a language model has been told in one conversation: evidence once, and what was said.

A model has no memory: it is shown what was said before with every question. So a statement
that stands there already is not sent once more; its number stays its number.
"""

from collections.abc import Sequence
from dataclasses import replace

from hlg.asking.extraction import told
from hlg.models.language.fence import new_boundary
from hlg.models.language.prompts import Exchange
from hlg.models.tokens import TokenCounter
from hlg.records import Passage
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.statements import in_reading_order
from hlg.retrieval.context.conversation import Conversation
from hlg.retrieval.context.serialization import Triple

LONGEST = 4
"""Where what was said has so many times the tokens of one question, memory begins anew."""


class Talk:
    """A conversation with a language model, of one question or of many.

    :param conversation: knows what was given; one of its own where nobody else has one.
    """

    def __init__(self, conversation: Conversation | None = None) -> None:
        self._conversation = conversation or Conversation()
        self.boundary = new_boundary()
        """One for the whole conversation, so that a provider knows its beginning again."""
        self.history: list[Exchange] = []
        self.statements: dict[int, EvidenceStatement] = {}
        """All that the model was given, by number."""
        self._latest: list[EvidenceStatement] = []
        self._tokens = 0

    def give(self, found: Sequence[EvidenceStatement], tokens: int, counter: TokenCounter) -> str:
        """The statements of a question that are new to the model and fit, in reading order;
        their numbers go on from those that it has.

        :param found: the strongest first.
        """
        if self._tokens > LONGEST * tokens:
            self._begin_anew()
        by_id = {each.passage.id: each for each in found}
        first = len(self.statements) + 1

        def render(passages: Sequence[Passage], triples: Sequence[Triple]) -> str:
            return numbered([replace(by_id[each.id], passage=each) for each in passages], first)

        passages = self._conversation.pack(
            [each.passage for each in found], render, tokens, counter
        )
        fitting = [replace(by_id[each.id], passage=each) for each in passages]
        self._latest = [fitting[place] for place in in_reading_order(range(len(fitting)), fitting)]
        self.statements |= dict(enumerate(self._latest, start=first))
        return numbered(self._latest, first)

    def note(self, material: dict[str, str], answer: str, tokens: int) -> None:
        """Keep what was said: the next question is shown it.

        :param tokens: of both.
        """
        self.history.append((material, answer))
        self._tokens += tokens
        self._latest = []

    def take_back(self) -> None:
        """The latest statements were not read, or what was made of them doesn't hold."""
        for number in range(len(self.statements), len(self.statements) - len(self._latest), -1):
            del self.statements[number]
        self._latest = []
        self._conversation.take_back()

    def _begin_anew(self) -> None:
        self.history.clear()
        self.statements.clear()
        self._tokens = 0
        self._conversation.forget()


def numbered(statements: Sequence[EvidenceStatement], first: int) -> str:
    """A line a statement, as the model reads it: its number, the title of its source, and what it
    says."""
    return "\n".join(
        f"[{number}] {_title(each.passage)}{told(each)}"
        for number, each in enumerate(statements, start=first)
    )


def _title(passage: Passage) -> str:
    title = " ".join(passage.source.title.split())
    return f"{title}: " if title else ""
