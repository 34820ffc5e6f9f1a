"""What hlg tells its caller: progress while it works, and what came of it."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hlg.unicode import one_line

if TYPE_CHECKING:
    from hlg.models.language.answers import Usage
    from hlg.records import Hit

BATCH_OUT = frozenset(("validating", "in_progress", "finalizing", "cancelling"))
"""What a provider calls a batch that is still out."""
DOUBTFUL = 0.2
"""Where the chance that the evidence is there is less, a person is told that nothing seems to
answer."""

SECONDS_OF_PACE = 60.0
STEPS_OF_PACE = 20
"""Steps that tell a pace, at least: where one takes a minute, the last minute tells none."""
SECONDS_BEFORE_A_PACE = 2.0
FURTHEST_AHEAD = 50
"""How many times as far as a stage has come in seconds it is told how far it has to go: the
first files say nothing of ten thousand others."""
SECONDS_BETWEEN_MARKS = 0.5


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long piece of work is; ``total`` is None where nobody can know it yet.

    ``share`` is the part of the work that is done, from 0 to 1, where that is known better
    than by counting: of a build, the part of the bytes.
    """

    stage: str
    done: int
    total: int | None
    message: str = ""
    share: float | None = None

    @property
    def part(self) -> float | None:
        """The part of the work that is done, from 0 to 1, where it can be known."""
        if self.share is not None:
            return self.share
        return self.done / self.total if self.total else None

    def line(self, left: float | None, width: int) -> str:
        """Counts or percent, the time left, and the message.

        :param left: seconds, as :class:`Pace` gives them.
        :param width: characters of the message, at most.
        """
        if self.share is not None:
            parts = [f"{int(100 * self.share)}%"]  # never "100%" before the end
        else:
            parts = [f"{self.done}" + (f" of {self.total}" if self.total else "")]
        if left is not None:
            minutes, seconds = divmod(round(left), 60)
            hours, minutes = divmod(minutes, 60)
            clock = f"{hours}:{minutes:02}" if hours else f"{minutes}"
            parts.append(f"{clock}:{seconds:02} left")
        return ", ".join(parts) + f"  {one_line(self.message, width)}".rstrip()


OnProgress = Callable[[Progress], None]
"""Shows how far it is."""


class Pace:
    """How long the rest of a stage takes, at the pace of the last minute, or of the last steps
    where they took longer. What is done when a stage is first heard of tells no pace: it may be
    of an earlier run.

    :param now: seconds of a clock that never goes back, here and below.
    """

    def __init__(self, now: float) -> None:
        self._stage = ""
        self._began = now
        self._seen: deque[tuple[float, float]] = deque()

    def left(self, progress: Progress, now: float) -> float | None:
        """Seconds until the stage's end; None where that can't be said yet."""
        part = progress.part
        if part is None:
            return None
        if progress.stage != self._stage:
            self._stage, self._began = progress.stage, now
            self._seen = deque([(now, part)])
        last, done = self._seen[-1]
        if part > done and now - last >= SECONDS_BETWEEN_MARKS:
            self._seen.append((now, part))
        while len(self._seen) > STEPS_OF_PACE + 1 and now - self._seen[1][0] > SECONDS_OF_PACE:
            self._seen.popleft()
        since, before = self._seen[0]
        if now - since < SECONDS_BEFORE_A_PACE or part <= before:
            return None
        left = (1 - part) * (now - since) / (part - before)
        return left if left <= FURTHEST_AHEAD * (now - self._began) else None


@dataclass(frozen=True, slots=True)
class Failure:
    """An input that was left out, and why."""

    uri: str
    reason: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of a folder that is of no kind that is read; ``kind`` says which it is of."""

    uri: str
    kind: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something about an input that a person should know, though it was not left out."""

    uri: str
    text: str


@dataclass(frozen=True, slots=True)
class BatchState:
    """A batch of questions at a language model's provider, and what became of it.

    ``status`` is the provider's word. Of its ``questions``, ``answered`` ones have been taken
    in; ``reasons`` count why others were not answered.
    """

    id: str
    status: str
    questions: int
    answered: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status not in BATCH_OUT

    def summary(self) -> str:
        """What became of it, in a line."""
        if not self.id:
            return f"a batch of {self.questions} questions was never sent"
        name = f"batch {one_line(self.id)}: {one_line(self.status)}"
        if not self.is_over:
            return f"{name}, {self.questions} questions are out"
        return f"{name}, {self.answered} of {self.questions} questions answered"


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What a build did about batches: those that were ``out`` before, as they are now, and
    those that it ``sent``. ``held_back`` questions might have passed the budget; ``unusable``
    ones have an answer that is none, and are asked directly by a build without batches."""

    out: tuple[BatchState, ...] = ()
    sent: tuple[BatchState, ...] = ()
    held_back: int = 0
    unusable: int = 0

    @property
    def is_waiting(self) -> bool:
        """Whether answers are still to come, so that nothing could be built yet."""
        return bool(self.sent or self.held_back) or any(not each.is_over for each in self.out)


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did.

    ``counts`` is what the graph holds afterwards, by label and relationship type;
    ``seconds`` is time by stage (stages overlap, so they add up to more than ``total``);
    ``relations`` what appending relations to the documents of entities did, where it was
    asked for; ``notes`` say what is odd about sources that were taken in. ``read`` counts the
    sources that were read, unchanged ones too, by the format of their files; ``left_out``
    are the files of no format that is read. ``languages`` counts the documents that were read
    as another language than English, by its code, and ``advice`` says what that means.
    ``copies`` files have the text of another, and are a further address of its source.
    Of the ``statements`` that were written, ``unaligned`` ones have a language model's wording, as
    they stand nowhere in their text; ``model`` is what the model was asked, and what that cost;
    ``batch`` what was done about batches of questions. ``stopped`` says why where the build ended
    before its documents did.
    """

    counts: Mapping[str, int]
    added: int
    changed: int
    skipped: int
    deleted: int
    failed: tuple[Failure, ...]
    seconds: Mapping[str, float]
    dry_run: bool = False
    relations: "BuildReport | None" = None
    notes: tuple[Note, ...] = ()
    read: Mapping[str, int] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    languages: Mapping[str, int] = field(default_factory=dict)
    advice: tuple[str, ...] = ()
    statements: int = 0
    unaligned: int = 0
    copies: int = 0
    model: "Usage | None" = None
    batch: BatchReport | None = None
    stopped: str = ""

    def summary(self) -> str:
        """What became of the sources, in a line."""
        would = "would be " if self.dry_run else ""
        return (
            f"{would}{self.added} added, {self.changed} changed, {self.skipped} unchanged, "
            f"{self.deleted} deleted, {len(self.failed)} left out ({self.seconds['total']:.1f} s)"
        )


@dataclass(frozen=True, slots=True)
class StageEstimate:
    """What the calls of one prompt will cost; ``money`` is None where no price is known."""

    calls: int
    tokens_in: int
    tokens_out: int
    money: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a build with a language model will cost.

    Of the ``chunks`` of new and changed ``documents``, ``kept`` ones were asked before and cost
    nothing, ``sampled`` ones have been asked for this estimate and cost ``sample``; the rest
    costs ``money`` (US dollars; None where no price is known) in ``seconds``, by prompt in
    ``stages``.
    """

    documents: int
    chunks: int
    kept: int
    sampled: int
    sample: "Usage"
    stages: Mapping[str, StageEstimate]
    calls: int
    tokens_in: int
    tokens_out: int
    money: float | None
    seconds: float


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import of triples did.

    ``counts`` is what the graph holds afterwards; ``rows`` good rows were read, ``notes``
    say what their columns were taken for. ``triples``, ``documents`` and ``relations`` are
    the builds that it is made of; ``described`` documents describe an entity.
    """

    counts: Mapping[str, int]
    rows: int
    notes: tuple[str, ...]
    triples: BuildReport
    documents: BuildReport | None = None
    described: int = 0
    relations: BuildReport | None = None

    @property
    def failed(self) -> tuple[Failure, ...]:
        """All that was left out, of triples and of documents."""
        return self.triples.failed + (self.documents.failed if self.documents else ())


@dataclass(frozen=True, slots=True)
class CommunityReport:
    """What finding communities did.

    ``levels`` counts them by level; ``entities`` are in one, ``unrelated`` ones relate to
    nothing. ``kept`` did not change, ``new`` were summarised, ``gone`` there were before;
    for ``not_summarized`` of the new ones the language model was asked in vain.
    """

    communities: int
    levels: tuple[int, ...]
    entities: int
    unrelated: int
    kept: int
    new: int
    gone: int
    not_summarized: int
    modularity: float
    seconds: float


@dataclass(frozen=True, slots=True)
class CommunityStatus:
    """The communities that a graph has; ``is_current`` unless it changed since."""

    communities: int
    levels: tuple[int, ...]
    revision: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a search came to its hits, beyond each hit's own signals and path.

    ``dropped`` maps a passage that was left out to the hit that it repeats;
    ``not_walked`` maps an entity that was too common to walk through to its degree.
    """

    keywords: tuple[str, ...] = ()
    dropped: Mapping[str, str] = field(default_factory=dict)
    not_walked: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The evidence for a question, best first, and what finding it cost."""

    query: str
    retriever: str
    hits: "tuple[Hit, ...]"
    store_calls: int
    timings_ms: Mapping[str, float]
    explanation: Explanation | None = None
    answer: str = ""
    """What a language model made of the evidence, where the retriever asks one."""
    confidence: float = 0.0
    """The calibrated chance, from 0 to 1, that one of the first five hits holds evidence."""
    notes: tuple[str, ...] = ()
    """What went otherwise than asked, such as a language model that failed."""


@dataclass(frozen=True, slots=True)
class Status:
    """What a store holds. ``counts`` is by label and relationship type."""

    store: str
    graph: str
    counts: Mapping[str, int]
    revision: str
    embedder: str
    dimensions: int
    schema_version: int
