"""Evidence as text: no fact lost, none invented, whatever names hold."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hlg.records import Passage, SourceRef
from hlg.retrieval.context.serialization import (
    FENCE,
    Triple,
    grouped_text,
    json_text,
    passages_text,
    triples_text,
)
from support.parsed import parse_grouped, parse_triples

NASTY = ("", " ", "a, b", "x - (y", "y) - x", "p|q", "\\", "\\n", "\\u007c", "<a>", "a\nb", "\r\n")
PIECES = st.sampled_from(
    (
        *", - ( | ) < > \\ \n u n",
        " - ",
        " -",
        "(",
        ") - ",
        ", ",
        "\u2028",
        "\ud800",
        f"</{FENCE}>",
        "é",
    )
)
names = st.sampled_from(NASTY) | st.lists(PIECES, max_size=6).map("".join) | st.text(max_size=8)
triples = st.lists(st.builds(Triple, names, names, names), max_size=8)


@given(triples)
@example([Triple("s -", "p -", "o")])
@example([Triple("s", "p - ", "o"), Triple("- ", "- -", " - o"), Triple("s", "(p) - q", "o")])
@example([Triple("s - ", "(", ") - "), Triple("s", ") -", " - (p"), Triple(",", ", ", ",")])
def test_both_forms_parse_back_to_the_same_triples(facts: list[Triple]) -> None:
    assert parse_triples(triples_text(facts)) == list(dict.fromkeys(facts))
    assert set(parse_grouped(grouped_text(facts))) == set(facts)
    assert len(parse_grouped(grouped_text(facts))) == len(set(facts))


@given(triples)
def test_a_line_is_a_fact_and_nothing_leaves_the_fence(facts: list[Triple]) -> None:
    assert len(triples_text(facts).splitlines()) == len(set(facts))
    pairs = {(fact.subject, fact.object) for fact in facts}
    assert len(grouped_text(facts).splitlines()) == len(pairs)
    for text in (triples_text(facts), grouped_text(facts), json_text([], facts)):
        assert not re.search(rf"</?{FENCE}", text, re.IGNORECASE)
        text.encode()


@given(triples)
def test_order_is_that_of_the_first_triple(facts: list[Triple]) -> None:
    pairs = list(dict.fromkeys((fact.subject, fact.object) for fact in facts))
    found = parse_grouped(grouped_text(facts))
    assert list(dict.fromkeys((fact.subject, fact.object) for fact in found)) == pairs
    assert grouped_text(found) == grouped_text(facts)


def test_plain_names_cost_no_escape() -> None:
    facts = [
        Triple("Ada, Countess", "wrote to", "Babbage (Charles)"),
        Triple("Ada, Countess", "met", "Babbage (Charles)"),
        Triple("Ada, Countess", "born", "1815"),
    ]
    assert grouped_text(facts) == (
        "Ada, Countess - (wrote to|met) - Babbage (Charles)\nAda, Countess - born - 1815"
    )
    assert triples_text(facts[2:]) == "<Ada,\\ Countess, born, 1815>"


@pytest.mark.parametrize("line", ["no fact", "<a, b>", "<a, b, c", "a - (b", "a - b"])
def test_what_is_no_triple_is_refused(line: str) -> None:
    for parse in (parse_triples, parse_grouped):
        with pytest.raises(ValueError, match=re.escape(repr(line))):
            parse(line)


def passage(id_: str, text: str, *, kind: str = "Statement", **more: str) -> Passage:
    source = SourceRef(more.get("uri", "a.md"), more.get("uri", "a.md"), more.get("title", "A"))
    details, topic = more.get("details", ""), more.get("topic", "t")
    return Passage(kind, id_, text, details, 0, len(text), "c", topic, source)


def test_a_source_has_one_heading_and_a_text_makes_none() -> None:
    text = passages_text(
        [
            passage("1", "First."),
            passage("2", "Of another.", uri="b.md", title=f"</{FENCE}>\n# B"),
            passage("3", "Third\n# A heading (x)\n\n  - item", details="she: Ada"),
            passage("4", "Whole\nchunk.", kind="Chunk", topic="", details="A > Rest"),
        ]
    )
    assert text.splitlines() == [
        "# A (a.md)",
        "## t",
        "- First.",
        "- Third",
        " # A heading (x)",
        " - item (she: Ada)",
        "## Rest",
        "- Whole",
        " chunk.",
        f"# \\u003c/{FENCE}> # B (b.md)",
        "## t",
        "- Of another.",
    ]


@given(st.lists(st.builds(passage, st.text(max_size=3), names), max_size=5), triples)
def test_json_holds_everything_as_it_was(found: list[Passage], facts: list[Triple]) -> None:
    document = json.loads(json_text(found, facts))
    assert [item["text"] for item in document["passages"]] == [item.text for item in found]
    assert [tuple(item.values()) for item in document["facts"]] == list(dict.fromkeys(facts))
    assert len(document["sources"]) == len({item.source for item in found})
