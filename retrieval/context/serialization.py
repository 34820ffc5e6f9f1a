"""Evidence as text for a language model, and back: triples, grouped triples, passages, JSON.

Names come from documents and may hold anything. In every form one fact is one line:
characters that end or hide a line are written as escapes, and so is what would look like
a form's own punctuation, so that both forms of triples can be parsed back to exactly the
same set. A backslash before a character stands for the character itself; ``\\n``, ``\\r``,
``\\t`` and ``\\uXXXX`` are as in JSON. What is not needed is not escaped: it costs tokens.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hlg.records import Passage

FENCE = "evidence"
"""The tag that evidence is put into; no text from outside can open or close it."""

_UNSAFE = re.compile(
    # Controls, separators of lines, marks of direction, halves of characters, the fence.
    r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]" + rf"|<(?=/?{FENCE}\b)",
    re.IGNORECASE,
)
_LETTERS = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_HYPHEN = re.compile(r" -(?= |$)")
_LINE = re.compile(r"[^\S\n]*\n\s*")


class Triple(NamedTuple):
    """A fact in words. Where several are in order, the strongest come first."""

    subject: str
    predicate: str
    object: str


def triples_text(triples: Iterable[Triple]) -> str:
    """A line ``<subject, predicate, object>`` a triple (scenarios §3.3), each once, in order."""
    lines = (
        f"<{_part(subject)}, {_part(predicate)}, {_name(object_)}>"
        for subject, predicate, object_ in dict.fromkeys(triples)
    )
    return "\n".join(lines)


def grouped_text(triples: Iterable[Triple]) -> str:
    """A line ``subject - (predicate|predicate) - object`` for all that joins two names one way.

    Relation-grouped triples (scenarios §3.5). A line comes where its first triple comes,
    its predicates in their order, each once; a single one needs no brackets.
    """
    groups: dict[tuple[str, str], dict[str, None]] = {}
    for subject, predicate, object_ in triples:
        groups.setdefault((subject, object_), {})[predicate] = None
    return "\n".join(
        f"{_end(subject)} - {_predicates(list(predicates))} - {_name(object_)}"
        for (subject, object_), predicates in groups.items()
    )


def passages_text(passages: Iterable[Passage]) -> str:
    """Passages under their sources and, in a source, under what they are about.

    Each source has one heading with title and uri, at the place of its first passage. A
    passage begins with ``- ``; its further lines are indented, so that no text looks like
    a heading or like another passage.
    """
    sources: dict[str, dict[str, list[Passage]]] = {}
    for passage in passages:
        sections = sources.setdefault(passage.source.id, {})
        sections.setdefault(_section(passage), []).append(passage)
    lines: list[str] = []
    for sections in sources.values():
        lines.append(f"# {_citation(next(iter(sections.values()))[0])}")
        for section, members in sections.items():
            lines += [f"## {_shown(section)}"] if section else []
            lines += map(_item, members)
    return "\n".join(lines)


def json_text(passages: Sequence[Passage], triples: Iterable[Triple]) -> str:
    """Passages and triples as one compact JSON object, each source once.

    ``passages[].source`` is a position in ``sources``.
    """
    sources = {passage.source.id: passage.source for passage in passages}
    position = {id_: i for i, id_ in enumerate(sources)}
    document = {
        "sources": [{"title": each.title, "uri": each.uri} for each in sources.values()],
        "passages": [
            {
                "kind": passage.kind,
                "id": passage.id,
                "source": position[passage.source.id],
                "topic": passage.topic,
                "start": passage.start,
                "end": passage.end,
                "text": passage.text,
                "details": passage.details,
            }
            for passage in passages
        ],
        "facts": [triple._asdict() for triple in dict.fromkeys(triples)],
    }
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    # All of these characters can only be inside strings, where JSON has the same escape.
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _name(text: str) -> str:
    """A text on one line."""
    return _UNSAFE.sub(_escaped, text.replace("\\", "\\\\"))


def _part(text: str) -> str:
    """A text on one line, in which no comma parts anything."""
    return _name(text).replace(", ", ",\\ ")


def _end(text: str) -> str:
    """A text on one line, in which and at whose end no hyphen parts anything."""
    return _HYPHEN.sub(r" \\-", _name(text))


def _predicates(predicates: Sequence[str]) -> str:
    if len(predicates) == 1:
        single = _end(predicates[0])
        return f"\\{single}" if single.startswith("(") else single
    parts = (_name(each).replace("|", "\\u007c").replace(") - ", ")\\ - ") for each in predicates)
    return f"({'|'.join(parts)})"


def _escaped(found: re.Match[str]) -> str:
    return _LETTERS.get(found[0]) or f"\\u{ord(found[0]):04x}"


def _shown(text: str) -> str:
    """A text for reading, on one line."""
    return _UNSAFE.sub(_escaped, " ".join(text.split()))


def _citation(passage: Passage) -> str:
    title, uri = _shown(passage.source.title), _shown(passage.source.uri)
    return f"{title} ({uri})" if title and title != uri else uri


def _section(passage: Passage) -> str:
    """What a passage is about: a statement's topic, the headings above a chunk."""
    if passage.kind != "Chunk":
        return passage.topic
    return passage.details.removeprefix(passage.source.title).removeprefix(" > ")


def _item(passage: Passage) -> str:
    lines = _LINE.split(passage.text.strip())
    text = "\n ".join(_UNSAFE.sub(_escaped, line) for line in lines)
    if passage.kind == "Chunk" or passage.details in ("", passage.source.title):
        return f"- {text}"
    return f"- {text} ({_shown(passage.details)})"
