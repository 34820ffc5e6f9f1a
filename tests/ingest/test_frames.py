"""The learned reader of frames: what it sees in plain sentences, how labels become spans, and the
facts of a whole text."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.errors import ModelError
from hlg.ingest.extract.local.frames.decode import LABELS, decode
from hlg.ingest.extract.local.frames.named import CONCEPT_LABELS, NAME_LABELS, Name, names_of
from hlg.ingest.extract.local.frames.reader import FrameReader, shipped
from hlg.ingest.extract.local.names.mentions import find_mentions
from hlg.ingest.extract.local.parse import Sentence, parse, plain_sentence
from hlg.records import AFFIRMED, DENIED
from hlg.schema import SURE
from hlg.words.lexicon import CONCEPT, THING
from tests.support.extracted import extracted, facts_in_words

TEXT = """The Sollen Weaving Guild was founded in 1931 by nine weavers. Its first chair was Ruth
Amsel. Amsel led the guild for twelve years. Tomas Brandl followed her in 1943. The first workshop
stood in Unterfeld. It burned down on 4 May 1958. Ilse Korn designed the new hall. The hall opened
in June 1960. It holds thirty looms. In 1999 the guild merged with Feld Linen. Feld Linen had 60
workers. The guild sells scarves in Vienna. The scarf Morgenrot won a gold medal in 2004. The
guild does not employ children. Since 2018 Petra Vogl has been the director."""
FACTS = """founded by | nine weavers; founded | 1931; chair | Ruth Amsel; led | Sollen; led |
twelve years; followed | 1943; stood | Unterfeld; burned | 4 May 1958; designed | new hall; opened
| June 1960; holds | thirty looms; merged | Feld Linen; merged | 1999; had | 60 workers; sells |
scarves; sells | Vienna; won | gold medal; won | 2004; employ | children; director | 2018"""
BESIDE = (
    ("Petra Vogl", "director"),
    ("Brandl followed", "Ruth Amsel"),
    ("Morgenrot", "scarf"),
)


def sentence_of(text: str) -> Sentence:
    (sentence,) = next(iter(parse([(0, text)])))
    return sentence


@pytest.mark.parametrize(
    ("text", "predicate", "subject", "told"),
    [
        ("Ada Thorne founded Lumen Press.", "founded", "Ada Thorne", {"argument": "Lumen Press"}),
        ("The bridge opened in 1990.", "opened", "The bridge", {"time": "in 1990"}),
        ("Bela Kovacs works in Oslo.", "works", "Bela Kovacs", {"place": "in Oslo"}),
        (
            "If it rains, Ada Thorne will cancel.",
            "will cancel",
            "Ada Thorne",
            {"condition": "If it rains"},
        ),
        (
            "Reuters said that Intel bought Tower.",
            "bought",
            "Intel",
            {"source": "Reuters said", "argument": "Tower"},
        ),
    ],
)
def test_a_plain_sentence_gives_its_frame(
    text: str, predicate: str, subject: str, told: dict[str, str]
) -> None:
    sentence = sentence_of(text)
    (found,) = shipped().read([sentence])
    said = [
        {span.role: sentence.text(span.first, span.end) for span in frame.spans}
        for frame in found.frames
    ]
    assert any(told | {"predicate": predicate, "subject": subject} == each for each in said)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 12)), max_size=4), st.integers(0, 9999))
def test_spans_follow_each_other_whatever_the_chances_and_the_other_sentences(
    shapes: list[tuple[int, int]], seed: int
) -> None:
    random = np.random.default_rng(seed)
    logits = [random.normal(0, 4, (*shape, len(LABELS))).astype(np.float32) for shape in shapes]
    together = decode(logits)
    assert together == [decode([each])[0] for each in logits]
    assert [len(found) for found in together] == [rows for rows, _ in shapes]
    for (_, words), found in zip(shapes, together, strict=True):
        for spans in found:
            edges = [edge for span in spans for edge in (span.first, span.end)]
            assert edges == sorted(edges)
            assert all(0 <= span.first < span.end <= words for span in spans)
            assert all(0 <= span.chance <= 1 for span in spans)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_names_lie_in_their_sentence_and_names_of_a_kind_apart(
    counts: list[int], seed: int
) -> None:
    labels = len(NAME_LABELS) + len(CONCEPT_LABELS)
    logits = np.random.default_rng(seed).normal(0, 4, (len(counts), 12, labels))
    for count, names in zip(counts, names_of(logits.astype(np.float32), counts), strict=True):
        for of_concepts in (False, True):
            spans = [each for each in names if (each.entity_class == CONCEPT) == of_concepts]
            edges = [edge for each in spans for edge in (each.first, each.end)]
            assert edges == sorted(edges)
            assert all(0 <= each.first < each.end <= count for each in spans)
            assert all(0 < each.chance < 1 for each in spans)


@pytest.mark.parametrize("words", [(2, 3), (1, 3)])
def test_a_name_of_nothing_but_marks_is_none(words: tuple[int, int]) -> None:
    (sentence,) = plain_sentence("Rain * *", 0)
    assert find_mentions(replace(sentence, names=(Name(*words, THING, 0.9),))) == []


@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_missing_or_damaged_model_is_one_plain_error(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "states.onnx").write_bytes(content)
    with pytest.raises(ModelError, match="states"):
        FrameReader(tmp_path).read([sentence_of("Ada Thorne founded Lumen Press.")])


def test_the_facts_of_a_text_are_found_and_none_is_false() -> None:
    text = TEXT.replace("\n", " ")
    found = extracted(text, "Sollen Weaving Guild")
    names = {entity.id: entity.name for entity in found.entities}
    shown = [each for each in found.facts if each.confidence >= SURE]
    told = [
        f"{names[each.subject_id]} {each.predicate} | "
        f"{names.get(each.object_id or '', each.object_value)}"
        for each in shown
    ]
    wanted = [fact.strip().split(" | ") for fact in FACTS.replace("\n", " ").split(";")]
    hits = [each for each in wanted if any(all(part in fact for part in each) for fact in told)]
    assert len(hits) >= 15, told
    true = [*map(tuple, wanted), *BESIDE]
    false = [each for each in told if not any(all(part in each for part in one) for one in true)]
    assert false == []
    assert all("not" in fact for fact in told if "employ" in fact)


def test_what_only_stands_beside_a_clause_is_no_account_of_it() -> None:
    text = (
        "The office prints the table, the harbour master signs it. Reuters said that Halden "
        "Steel closed the mill in 1999. The rumour that Ada Thorne stole the Petrel spread."
    )
    facts = extracted(text).facts
    accounts = {fact.predicate: fact.attributed_to for fact in facts}
    assert accounts["prints"] == "", accounts
    assert accounts["closed"] == "Reuters said", accounts
    assert accounts["stole"] == "The rumour", accounts
    facts = extracted(
        "Membranes are thin skins that not only form a wall but also hold salt."
    ).facts
    assert {fact.attributed_to for fact in facts} == {""}, facts


def test_what_an_object_denies_is_not_denied_of_its_subject() -> None:
    text = "After 90 days Nordea may sell what has not been fetched. Nordea bought no mill in 1990."
    facts = extracted(text).facts
    polarities = {fact.predicate: fact.polarity for fact in facts}
    assert polarities["may sell what has not been fetched after"] == AFFIRMED
    assert polarities["bought no mill in"] == DENIED


def test_a_text_without_a_title_is_about_the_person_with_whom_it_opens() -> None:
    told = _told(
        "Tamsin Oyelaran is a potter from Bexwith. Her father was a cook; her mother ran a "
        "launderette. She left school at 16. In 2007 she suffered a stroke."
    )
    about = {(subject, object_) for subject, _, object_, *_ in told}
    assert about >= {("Tamsin Oyelaran", "school"), ("Tamsin Oyelaran", "a stroke")}, told


def test_marks_of_emphasis_are_no_words() -> None:
    text = (
        "**Joachim Tessmer** (4 March 1811, Varsk – 19 November 1879, Kelmouth) was a *very* good "
        "shipbuilder. He built the __Corvane__ for 2*3*4 crowns and kept snake_case_names."
    )
    words = [word for block in parse([(3, text)]) for each in block for word in each.words]
    starts = [at - 3 for block in parse([(3, text)]) for each in block for at in each.starts]
    assert words[:3] == ["Joachim", "Tessmer", "("]
    assert {"very", "Corvane", "*", "snake_case_names"} <= set(words)
    assert [text[at : at + len(word)] for at, word in zip(starts, words, strict=True)] == words
    told = {(subject, predicate, object_) for subject, predicate, object_, *_ in _told(text)}
    assert told >= {
        ("Joachim Tessmer", "born in", "Varsk"),
        ("Joachim Tessmer", "died in", "Kelmouth"),
        ("Joachim Tessmer", "built", "Corvane"),
    }, told
    assert not any(subject == "Varsk" for subject, *_ in told)


def test_what_never_was_is_no_time() -> None:
    text = "The house, never rebuilt by Nordea, was sold."
    facts = extracted(text).facts
    assert {fact.object_value for fact in facts} >= {"sold"}
    assert {fact.time for fact in facts} == {""}


def test_numbers_auxiliaries_and_who_is_given_something_are_told() -> None:
    text = (
        "The router has 16 GiB of RAM. Kofi Adu was arrested in Leeds and taken to London. "
        "The mayor gave Ida Storm a medal. Dr. Amari runs the clinic. The house was damaged by "
        "fire and never rebuilt by Nordea. Tenants must either ask the branch or take the form."
    )
    told = {(predicate, object_) for _, predicate, object_, *_ in _told(text)}
    assert ("has", "16 GiB of RAM") in told
    assert ("was taken to", "London") in told
    assert ("gave a medal to", "Ida Storm") in told
    assert ("was never rebuilt by", "Nordea") in told
    assert "must take" not in {predicate for predicate, _ in told}
    assert not any(predicate == "is" and value.startswith("Dr") for predicate, value in told)


@pytest.mark.parametrize(
    ("text", "told", "never"),
    [
        (
            "Other Fresno stations include ABC O&O KFSN, CBS affiliate KGPE, CW affiliate KFRE, "
            "FOX affiliate KMPH, and Azteca affiliate KGMC-DT.",
            ("include", "KFRE"),
            "include ABC O&O KFSN",
        ),
        ("Ada Thorne and Bo Lind are in the kitchen.", ("is in", "the kitchen"), "are in"),
        ("There may be an epidemic that causes panic.", ("causes", "panic", "may"), "nothing"),
        (
            "WR Jaxon Smith-Njigba plays for the Seahawks. Smith-Njigba is coming off a game "
            "against the Cowboys that saw him collect seven-of-11 targets for 62 yards.",
            ("plays for", "Seahawks"),
            "is coming",
        ),
        (
            "In 1939, many people lived in Corven, but in 1945 few.",
            ("lived in", "Corven", "In 1939"),
            "nothing",
        ),
        (
            "Brownlee wrote a paper. The same principle, she argues, applies to breaches of law "
            "in protest against foreign governments.",
            ("same principle", "applies to"),
            "argues applies to",
        ),
        (
            "The Ludendorff Bridge became famous, when U.S. forces were able to capture it.",
            ("became", "famous", "when U.S. forces were able to capture it"),
            "nothing",
        ),
        (
            "The add-on must be fully functional, it can't be a sketch.",
            ("must be", "fully functional", "must"),
            "nothing",
        ),
        (
            "Bo Lind met Ada Thorne when he was in Oslo.",
            ("met", "Ada Thorne"),
            "met Ada Thorne when",
        ),
        ("The ticket costs £45.", ("costs", "£45"), "nothing"),
        ("Ada Thorne's email is ada@brix.org.", ("email is", "ada@brix.org"), "nothing"),
        ("If snow builds up, the fan can be blocked.", ("can be blocked if", "can"), "can be"),
        ("The leave starts on 5 May if it snows.", ("starts on", "5 May"), "starts if"),
        ("The treasurer's report was accepted.", ("was", "accepted"), "nothing"),
        ("No side effects were reported.", ("never were", "reported"), "were"),
        ("Ida Storm, CEO of Nordea, resigned.", ("is CEO of", "Nordea"), "is"),
        ("Apple's CEO Tim Cook visited Oslo.", ("is CEO of", "Apple"), "is"),
        ("Oslo mayor Ada Lind opened the bridge.", ("is mayor of", "Oslo"), "is"),
        pytest.param(
            "Bo Lind is a former Nokia executive from Oslo.",
            ("is former executive of", "Nokia"),
            "is executive from Oslo of",
            marks=pytest.mark.xfail(
                reason='the reader of names takes "Nokia executive" for one', strict=True
            ),
        ),
        (
            "Mostert has more PPR points than everyone but CMC.",
            ("has", "more PPR points than everyone but CMC"),
            "nothing",
        ),
        (
            "With the recent availability of genomes, cost-efficient systems are in great demand.",
            ("are in", "great demand"),
            "are with",
        ),
        (
            "In May 1830, Jackson discovered that Calhoun had asked President Monroe to resign.",
            ("discovered that", "Calhoun had asked President Monroe to resign", "In May 1830"),
            "discovered in",
        ),
        (
            "The term would today be seen as outdated or only appropriate in Corven.",
            ("would be seen as", "outdated or only appropriate"),
            "nothing",
        ),
        (
            "Ada Lind is a Nokia and Volvo adviser.",
            ("is", "a Nokia and Volvo adviser"),
            "is and Volvo adviser of",
        ),
        ("The bridge will close in May.", ("will close in", "May"), "nothing"),
        ("The flat has two bedrooms and a balcony.", ("has", "a balcony"), "nothing"),
        ("Ada Thorne and Bo Lind live in Corven.", ("lives in", "Corven"), "live in"),
        (
            "The works were founded in Gdansk in 1862 by the brothers Emil and Oskar Tarrow.",
            ("is one of", "the brothers"),
            "is",
        ),
        (
            "The plan has not been approved and will be revised in May.",
            ("will be revised in", "May"),
            "not will be revised in",
        ),
    ],
)
def test_a_fact_has_what_is_its_own(text: str, told: tuple[str, ...], never: str) -> None:
    found = _told(text)
    assert any(set(told) <= set(each) for each in found), found
    assert never not in {each[1] for each in found}, found


@pytest.mark.parametrize(
    "text", ["Doctors know which genes cause the disease.", "- which genes are involved."]
)
def test_which_of_several_says_nothing(text: str) -> None:
    assert not [each for each in _told(text) if "genes" in each[0]]


def test_of_what_is_so_respectively_no_part_is_told_of_all() -> None:
    found = _told("Four customers accounted for 15%, 14% and 13% of total revenues, respectively.")
    assert not [each for each in found if each[1].startswith("accounted for")]


def test_what_is_so_on_one_date_is_told_of_no_other() -> None:
    found = _told("The film premiered on 7 October 1977 in Finland and Sweden on 17 March 1978.")
    assert {(each[2], each[4]) for each in found if each[1] == "premiered on"} == {
        ("7 October 1977", ""),
        ("17 March 1978", ""),
    }


def _told(text: str) -> list[tuple[str, ...]]:
    """Subject, predicate, object, modality and time of each fact of a text."""
    return [(*words, fact.modality, fact.time) for *words, fact in facts_in_words(extracted(text))]


@pytest.mark.parametrize(
    ("text", "predicate", "object_"),
    [
        ("Kofi Adu was arrested in Leeds and taken to London.", "was taken to", "London"),
        ("Larsen was born in Hest and studied law in Oslo.", "studied", "law"),
        (
            "Tern Airways agreed to meet the board and sign the lease.",
            "agreed to sign",
            "the lease",
        ),
        ("Ada Lind will buy and sell ships.", "will sell", "ships"),
        ("The skin is usually dry.", "is usually", "dry"),
    ],
)
def test_joined_verbs_have_their_auxiliaries_and_no_others(
    text: str, predicate: str, object_: str
) -> None:
    assert (predicate, object_) in {tuple(each[1:3]) for each in _told(text)}
    assert {each[4] for each in _told(text)} == {""}, "what the predicate has is no time besides"


def test_who_said_it_is_told_in_one_piece() -> None:
    text = "“The holidays are a very joyful time,” said Courtney Alev."
    facts = extracted(text).facts
    assert "said Courtney Alev" in {each.attributed_to for each in facts}
