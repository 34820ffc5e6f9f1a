"""French: spaCy's names, and facts of main clauses between names and what is said of them."""

from collections.abc import Iterable, Iterator, Sequence

from hlg.ingest.extract.local.drafts import DraftFact
from hlg.ingest.extract.local.languages.base import Grammar
from hlg.ingest.extract.local.languages.french_clauses import clauses
from hlg.ingest.extract.local.languages.named import NamedReading, NamedSpan
from hlg.ingest.extract.local.names.mentions import known_spans
from hlg.ingest.extract.local.parse import Sentence, parse
from hlg.models.spacy_pipeline import load_french
from hlg.words import words
from hlg.words.lexicon import ORGANIZATION, PERSON, PLACE, THING

LONGEST_VALUE = 120
"""Characters of a value that is kept as one."""
_NO_NAMES = words("foreign", "french no names")
"""What is in no name, though the pipeline takes it for one."""
_EDGES = words("foreign", "french edges")
"""What begins and ends no name."""
_CLASSES = {"PER": PERSON, "ORG": ORGANIZATION, "LOC": PLACE, "MISC": THING}


def _parse(blocks: Iterable[tuple[int, str]]) -> Iterator[list[Sentence]]:
    return parse(blocks, load_french, lambda token: f"{token.pos_}|{token.morph}")


def _is_edge(word: str) -> bool:
    return word in _EDGES or not word[-1].isalnum()


class _FrenchReading(NamedReading):
    def spans_in(self, sentence: Sentence, known: Sequence[tuple[str, ...]]) -> Sequence[NamedSpan]:
        """The names that the pipeline finds, without small words at their edges, and known ones."""
        lowered = [word.lower() for word in sentence.words]
        spans: list[NamedSpan] = []
        for first, end, label in sentence.entities:
            while first < end and _is_edge(lowered[first]):
                first += 1
            while first < end and _is_edge(lowered[end - 1]):
                end -= 1
            words, name = sentence.words[first:end], sentence.text(first, end)
            has_capital = any(word[0].isupper() for word in words)
            if has_capital and _NO_NAMES.isdisjoint(lowered[first:end]):
                # "Misc" is what the pipeline is least sure of: one word alone is doubtful.
                doubtful = label == "MISC" and (end - first < 2 or not words[-1][0].isupper())
                class_ = _CLASSES.get(label, THING)
                spans.append(NamedSpan(first, end, name, class_, doubtful))
        taken = {token for span in spans for token in range(span.first, span.end)}
        for first, end in known_spans(sentence, known):
            if taken.isdisjoint(range(first, end)):
                spans.append(NamedSpan(first, end, sentence.text(first, end), THING))
                taken.update(range(first, end))
        return sorted(spans)

    def has_named_subject(self, first: int, end: int) -> bool:
        """Whether a verb between two tokens has a name as its subject."""
        return any(
            dep.startswith("nsubj") and self.keys[token]
            for token, dep in enumerate(self.sentence.deps[first:end], first)
        )

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """What main clauses say of a name: of another name, or a value."""
        for clause in clauses(self.sentence):
            subject = self.keys[clause.subject]
            if subject is None:
                continue
            key = self.keys[clause.object]
            value = None if key else self.sentence.text(clause.first, clause.end)
            if key != subject and (value is None or len(value) <= LONGEST_VALUE):
                yield clause.object, DraftFact(subject, clause.predicate, key, value)


GRAMMAR = Grammar(_parse, _FrenchReading)
