"""What a fact has to keep of its sentence to be true by itself."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hlg.errors import ModelError
from hlg.ingest.extract.local.frames import told
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.frames.whole import readings, with_whole_spans
from hlg.ingest.extract.local.languages.english import parse_and_read
from hlg.ingest.extract.local.parse import Sentence
from hlg.records import Fact
from hlg.schema import SURE
from tests.support.extracted import extracted, facts_in_words

OFFER = "Buy the Petrel from Ada Thorne."


def facts_of(text: str) -> list[tuple[str, str, str, Fact]]:
    return facts_in_words(extracted(text))


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("The question is largely out of scope of the site.", "is largely out of"),
        ("The rise was partially offset by higher taxes.", "was partially offset by"),
        ("Ten genes were differentially expressed in adult mice.", "were differentially expressed"),
        ("The shell consists largely of wood.", "consists largely of"),
    ],
)
def test_how_far_something_is_so_is_told(text: str, predicate: str) -> None:
    found = facts_of(text)
    assert found
    assert all(each[1].startswith(predicate) for each in found), found


@pytest.mark.parametrize(
    ("text", "object_", "limit"),
    [
        (
            "In most cases, an affected person inherits the condition from an affected parent.",
            "affected parent",
            "In most cases",
        ),
        (
            "In Drosophila, the two known Frizzled proteins are associated with six processes.",
            "six processes",
            "In Drosophila",
        ),
        (
            "To be eligible for the loan, small businesses must have sustained economic injury.",
            "economic injury",
            "To be eligible for the loan",
        ),
        ("In general, Ada Lind sold mills to Nordea.", "Nordea", "In general"),
        ("In yeast, Pol IV makes small RNAs.", "small RNAs", "In yeast"),
        ("In addition to the yard, Ada Lind sold the mill to Nordea.", "Nordea", ""),
        ("To study the shell, we have analyzed two mills in Oslo.", "Oslo", ""),
        ("On top of that, Ada Lind sold the mill to Nordea.", "Nordea", ""),
        ("In addition, Ada Lind sold the mill to Nordea.", "Nordea", ""),
        ("As a result, Ada Lind sold the mill to Nordea.", "Nordea", ""),
    ],
)
def test_what_a_sentence_holds_for_goes_with_what_it_says(
    text: str, object_: str, limit: str
) -> None:
    found = facts_of(text)
    assert {each.condition for *_, named, each in found if named == object_} == {limit}, found
    joining = {"addition", "a result", "top of that"}
    assert joining.isdisjoint(each[2] for each in found), found


def test_a_clause_of_purpose_is_no_object_beside_another() -> None:
    text = "To be eligible for the loan, small businesses must have sustained economic injury."
    assert {each[2] for each in facts_of(text)} == {"economic injury"}


@pytest.mark.parametrize(
    "text",
    [
        "Keep in mind that Ada Lind sold the mill.",
        "Bo met Ada Lind, thereby ensuring that Nordea sold the mill.",
    ],
)
def test_a_verb_of_nobody_is_no_account(text: str) -> None:
    accounts = {each.attributed_to for *_, each in facts_of(text) if each.predicate == "sold"}
    assert accounts == {""}


@pytest.mark.parametrize(
    ("text", "subject", "object_"),
    [
        ("The applicant must be an eligible Veteran.", "applicant", "an eligible Veteran"),
        ("The older Birka 30 takes a small flue.", "the older Birka 30", "a small flue"),
        ("The young Ada Lind bought the Petrel.", "Ada Lind", "Petrel"),
    ],
)
def test_what_narrows_a_name_of_no_person_is_told(text: str, subject: str, object_: str) -> None:
    assert (subject, object_) in {(each[0], each[2]) for each in facts_of(text)}


@pytest.mark.parametrize(
    "text",
    [
        "You qualify for the pay if:",
        "You may also qualify if you’re:",
        "Girls tell their friends when boys sleep with guys.",
        "Once you have achieved a desired weight, a good attitude is important.",
        "No one stood for secretary.",
        "The following is the age of the child.",
        "You can take one of the following.",
    ],
)
def test_what_is_only_supposed_or_of_nobody_is_no_fact(text: str) -> None:
    subjects = {each[0] for each in facts_of(text)}
    nobody = {"you", "boys", "one", "no one", "following", "the following"}
    assert subjects.isdisjoint(nobody), subjects


def test_of_what_something_is_goes_with_it() -> None:
    found = facts_of(
        "The following table provides a summary of the major sources of liquidity for the years "
        "2017 to 2019."
    )
    predicates = {each[1] for each in found if each[2] == "the years 2017 to 2019"}
    assert predicates == {"provides a summary of the major sources of liquidity for"}, found
    found = facts_of("The acid reproduces aspects of Parkinson's disease in rodents.")
    predicates = {each[1] for each in found if each[2] == "rodents"}
    assert predicates == {"reproduces aspects of Parkinson's disease in"}, found


@pytest.mark.parametrize(
    "text", ["Until 2030 Nordea owns the mill.", "Once a week the board meets Ada Lind."]
)
def test_until_and_once_with_no_clause_suppose_nothing(text: str) -> None:
    assert {each[1].split()[0] for each in facts_of(text)} & {"owns", "meets"}


def test_what_is_not_doubted_is_denied() -> None:
    (found,) = {each.polarity for *_, each in facts_of("Ada Lind does not doubt Bo Thorne.")}
    assert found == "denied"


def test_of_what_an_amount_is_is_not_lost() -> None:
    found = facts_of(
        "In fiscal 2020, we expect to purchase approximately 170 million pounds of copper, 120,000 "
        "troy ounces of gold, and 2.4 million troy ounces of silver."
    )
    assert {each.time for *_, each in found if "copper" in each.object_value} == {"In fiscal 2020"}
    assert not [each for each in found if each[1].endswith("pounds in")]


def test_no_doubt_and_a_few_are_what_they_are() -> None:
    found = facts_of("England will no doubt win the cup. The mill has a few windows.")
    assert {each.polarity for *_, each in found} == {"affirmed"}
    assert "a few windows" in {each[2] for each in found}


def test_the_first_of_what_is_so_respectively_is_not_told_of_all() -> None:
    found = facts_of(
        "The income tax benefit was $3.0 million, $1.8 million, and $2.5 million for 2019, 2018, "
        "and 2017, respectively."
    )
    assert not [each for each in found if "$" in each[2]]
    found = facts_of("The income tax benefit was $3.0 million in 2019.")
    assert [each for each in found if "$3.0 million" in each[2]]


def test_what_happened_when_something_was_done_was_done() -> None:
    text = "When Bo Lind bought the mill in 1902, Ada Thorne sold the yard."
    assert ("Bo Lind", "bought", "mill") in {
        (subject, predicate, object_.removeprefix("the "))
        for subject, predicate, object_, _ in facts_of(text)
    }


def test_verbs_shortened_apart_from_their_subject_are_whole() -> None:
    said = facts_of("I 'm scared . We 've seen the mill .")
    assert {(each[1], each[2]) for each in said} == {("am", "scared"), ("have seen", "the mill")}


def test_what_a_fact_takes_of_its_sentence_and_leaves_out_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: dict[str, tuple[list[str], list[int], list[float]]] = {}

    def noted(sentence: Sentence, tellings: Sequence[told.Telling]) -> list[float]:
        given = told.seen(sentence, tellings)
        assert len(given["states"]) == len(sentence.words)
        for at, each in enumerate(tellings):
            parts = [told.PARTS[part] for part in given["parts"][at]]
            found[each.object] = parts, given["told"][at].tolist(), given["chances"][at].tolist()
        return [each.chance for each in tellings]

    monkeypatch.setattr(told, "chances", noted)
    facts_of("The developer shall notify the client about the delay.")
    words = ["The", "developer", "shall", "notify", "the", "client", "about", "the", "delay", "."]
    for object_, other in (("the client", "delay"), ("the delay", "client")):
        parts, is_told, (chance, linked, link) = found[object_]
        of = dict(zip(words, parts, strict=True))
        assert (of["developer"], of["notify"], of["."]) == ("subject", "predicate", "outside")
        assert (of[object_.split()[1]], of[other]) == ("object", "argument")
        assert chance == linked
        assert link == 1
        assert is_told[words.index("notify")] == 1
        assert is_told[words.index(object_.split()[1])] == 1
    assert found["the client"][1][words.index("delay")] == 0
    assert found["the delay"][1][words.index("client")] == 1


def test_what_neither_frame_nor_name_is_read_in_keeps_no_states() -> None:
    (blocks,) = parse_and_read([(0, "Ada Thorne founded Lumen Press. Best regards.")])
    assert [len(each.states) for each in blocks] == [len(blocks[0].words), 0]


@pytest.mark.parametrize("content", [None, "no network"])
def test_a_missing_or_damaged_network_is_one_plain_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    monkeypatch.setattr(told, "MODEL", tmp_path / "told.onnx")
    if content is not None:
        told.MODEL.write_text(content, "utf-8")
    with pytest.raises(ModelError, match=r"told\.onnx"):
        facts_of("Ada Thorne founded Lumen Press.")


def test_a_subject_is_told_with_what_narrows_it_where_that_is_surer() -> None:
    found = facts_of(
        "Members of the club who paid in March get a discount of ten percent on all tickets."
    )
    got = {each[0] for each in found if each[1].startswith("get")}
    assert got == {"members of the club who paid in March"}, found


def test_nothing_is_lost_where_a_pronoun_means_several() -> None:
    found = facts_of(
        "Ada Thorne and Bo Lind met in Corven. They founded Lumen Press. Nordea sued them in 1990."
    )
    assert {each[2] for each in found if each[1] == "sued"} == {"Ada Thorne", "Bo Lind"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Lind is a member of Lumen Press and Oake Yard.", {"Lumen Press", "Oake Yard"}),
        ("Ada Lind is a professor at Nordea and Volvo.", {"Nordea", "Volvo"}),
    ],
)
def test_of_several_names_that_hang_on_an_object_each_is_told_once(
    text: str, names: set[str]
) -> None:
    found = [each[2] for each in facts_of(text) if each[2] in names]
    assert sorted(found) == sorted(names)


def test_a_longer_reading_leaves_the_predicate_what_it_is() -> None:
    (text,) = parse_and_read([(0, "Members of the club who paid in March get a discount of ten.")])
    frame = next(each for each in text[0].frames if text[0].words[each.head] == "get")
    longer = readings(text[0], frame)
    assert len(longer) > 1
    for each in longer:
        assert each.of("predicate") == frame.of("predicate")
        assert not any(
            span.first <= each.head < span.end for span in each.spans if span.role != "predicate"
        )


def test_a_longer_reading_takes_no_time_in() -> None:
    (text,) = parse_and_read([(0, "The board announced a meeting in March.")])
    (frame,) = text[0].frames
    assert {len(each.of("time")) for each in readings(text[0], frame)} == {1}


@pytest.mark.parametrize(
    ("text", "role", "read", "whole"),
    [
        (
            "People get less as they begin to earn more money, and some leave.",
            "time",
            "as they begin to",
            "as they begin to earn more money",
        ),
        (
            "It was shown according to people who helped the yard, in May.",
            "source",
            "according to people who helped",
            "according to people who helped the yard",
        ),
        ("It premiered on 7 October 1977 in Finland.", "time", "on 7 October", "on 7 October"),
        (
            "Bo Lind left the yard, Ada Thorne said, and Corven closed in 1902.",
            "source",
            "Ada Thorne said",
            "Ada Thorne said",
        ),
    ],
)
def test_a_clause_that_a_circumstance_begins_is_whole(
    text: str, role: str, read: str, whole: str
) -> None:
    ((sentence,),) = parse_and_read([(0, text)])
    start = text.index(read)
    first, last = sentence.starts.index(start), sentence.ends.index(start + len(read))
    head = next(at for at, over in enumerate(sentence.heads) if at == over)
    frame = Frame(head, "stated", 1.0, (Span(role, first, last + 1, 1.0),))
    (span,) = with_whole_spans(sentence, frame).spans
    assert sentence.text(span.first, span.end) == whole


def test_what_a_verb_has_by_a_preposition_is_not_of_the_noun_before_it() -> None:
    told_of = {(subject, predicate) for subject, predicate, _, _ in facts_of(OFFER)}
    assert ("Petrel", "is from") not in told_of
    assert ("you", "buy the Petrel from") in told_of


def test_a_confidence_rises_with_the_networks_odds() -> None:
    low, even, high = told.confidence_of(np.array([-3.0, -told.SHIFT / told.SCALE, 3.0]))
    assert low < 0.2 < even == 0.5 < 0.8 < high


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "Queen of Orsa is a 2016 drama film directed by Mira Nair.",
            ("Queen of Orsa", "directed by", "Mira Nair"),
        ),
        (
            "Marge Dellow, a vet who moved to Corven in 1999, runs the clinic.",
            ("Marge Dellow", "moved to", "Corven"),
        ),
        (
            "Orsa Bay is a film and a novel written by Bo Thorne.",
            ("Orsa Bay", "written by", "Bo Thorne"),
        ),
        ("I'm a vet who moved to Corven in 1999.", ("I", "moved to", "Corven")),
    ],
)
def test_what_is_told_of_a_description_is_told_of_the_thing(
    text: str, fact: tuple[str, str, str]
) -> None:
    found = facts_of(text)
    assert fact in {each[:3] for each in found}, found


@pytest.mark.parametrize(
    "text",
    [
        "Queen of Orsa is not a film that ran in Corven.",
        "Queen of Orsa may be a film that ran in Corven.",
        "Queen of Orsa is reportedly a film that ran in Corven.",
        "Bo denied that Queen of Orsa is a film that ran in Corven.",
        "Bo said that Queen of Orsa is a film that ran in Corven.",
        "Neither Queen of Orsa nor Petrel is a film that ran in Corven.",
        "If Queen of Orsa is a film that ran in Corven, we have seen it.",
        "Is Queen of Orsa a film that ran in Corven?",
        "Until 1990 Queen of Orsa was a film that ran in Corven.",
    ],
)
def test_what_is_said_with_reserve_is_no_description(text: str) -> None:
    found = [each for each in facts_of(text) if each[1].startswith("ran")]
    assert not [each for each in found if each[0] == "Queen of Orsa"], found


@pytest.mark.parametrize(
    "text",
    [
        "The founder of Lumen Press was Ada Thorne, who moved to Corven.",
        "Nordea shut the yard. It was Ada Thorne who moved to Corven.",
    ],
)
def test_a_name_is_no_description(text: str) -> None:
    moved = {each[0] for each in facts_of(text) if "moved" in each[1]}
    assert moved <= {"Ada Thorne"}, moved


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "The license granted under Section 2 of this Agreement will terminate on 3 May 2030.",
            (
                "the license granted under Section 2 of this Agreement",
                "will terminate on",
                "3 May 2030",
            ),
        ),
        (
            "Starring Ada Lind, the film depicts the life of Bo Thorne.",
            ("film", "depicts life of", "Bo Thorne"),
        ),
    ],
)
def test_a_cut_subject_is_told_whole(text: str, fact: tuple[str, str, str]) -> None:
    (found,) = [each for each in facts_of(text) if each[1] == fact[1]]
    assert found[:3] == fact
    assert found[3].confidence >= SURE


def test_a_subject_that_is_cut_to_an_article_has_its_noun() -> None:
    (text,) = parse_and_read([(0, "The film depicts the life of Bo Thorne.")])
    (frame,) = (each for each in text[0].frames if text[0].words[each.head] == "depicts")
    (subject,) = frame.of("subject")
    cut = replace(frame, spans=(replace(subject, end=subject.first + 1), *frame.spans[1:]))
    longest = max(readings(text[0], cut), key=lambda each: len(each.of("subject")[0]))
    assert longest.of("subject")[0].end == subject.end


def test_a_verb_with_a_tense_goes_on_with_none_that_has_none() -> None:
    found = facts_of(
        "Holders of shares are entitled to receive dividends as declared and are entitled to one "
        "vote per share."
    )
    assert "one vote per share" in {each[2] for each in found}
    found = facts_of("Bo denied that the mill was sold, rebuilt and is now open.")
    assert not [each for each in found if each[1].startswith("is")], found
    found = facts_of("Ada Lind wants to leave Corven and learn what is true.")
    assert not [each for each in found if each[1].startswith("learn")], found


def test_how_something_is_done_is_told_with_it() -> None:
    found = facts_of("The role of the mill is poorly understood. The yard was never fully sold.")
    assert ("is", "poorly understood") in {(each[1].split()[-1], each[2]) for each in found}
    assert {each.polarity for *_, each in found if "sold" in each.object_value} == {"denied"}
    for adverb in ("recently", "also", "finally"):
        found = facts_of(f"The mill was {adverb} sold.")
        assert [each for each in found if each[2].endswith("sold")], (adverb, found)
