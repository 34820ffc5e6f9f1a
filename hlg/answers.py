"""What an answer is: sentences, and for each where in which source it stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hlg.models.language.answers import Usage
from hlg.records import Hit, Passage
from hlg.unicode import one_line

EXTRACTION = "extraction"
"""What an answer is by where no language model wrote it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """What a ``[number]`` stands for: a passage of a source, to the character."""

    number: int
    passage: Passage

    def line(self) -> str:
        """Number, title, and the exact span: ``[1] The Petrel · petrel.md:12-80``."""
        source, place = self.passage.source, one_line(self.passage.citation)
        title = one_line(source.title, 60)
        named = f"{title} · {place}" if title and title != source.uri else place
        return f"[{self.number}] {named}"


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence with the numbers of its citations.

    ``problem`` is empty where they bear it out, else says why it is not to be relied on.
    """

    text: str
    citations: tuple[int, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with all that it rests on.

    ``lead`` is the name, date, number, yes or no that answers, where the question asks for
    one, one was found and no language model wrote the answer. ``sentences`` are cited;
    ``citations`` are in the order of their numbers. ``is_answered`` is whether the evidence
    seems to answer the question at all, ``unsaid`` what words of it no evidence has where it seems
    not to; ``confidence`` is how likely what is shown of it answers, from 0 to 1 (an agent's is
    that of its searches). ``by`` is :data:`EXTRACTION` or the language model's name; ``notes`` say
    what went otherwise than asked, such as a model that failed.
    """

    question: str
    lead: str = ""
    lead_over: str = ""
    lead_citations: tuple[int, ...] = ()
    sentences: tuple[AnswerSentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    hits: tuple[Hit, ...] = ()
    confidence: float = 0.0
    is_answered: bool = False
    unsaid: tuple[str, ...] = ()
    by: str = EXTRACTION
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    timings_ms: Mapping[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The answer with its citations in brackets, as it is read."""
        over = f" ({self.lead_over})" if self.lead_over else ""
        parts = [f"{self.lead}{over}{cited(self.lead_citations)}"] if self.lead else []
        parts += [sentence.text + cited(sentence.citations) for sentence in self.sentences]
        return " ".join(parts)


def cited(numbers: Sequence[int]) -> str:
    """``" [1][2]"``; nothing where there are none."""
    return f" {''.join(f'[{number}]' for number in numbers)}" if numbers else ""
