"""What a question asks for, which span answers it, and whether citations bear a sentence out."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.records import Hit, Passage, SourceRef
from hlg.retrieval.answers.asked import DATE, NAME, NUMBER, PERSON, PLACE, TEXT, YES_NO, asked_for
from hlg.retrieval.answers.attributes import held_of
from hlg.retrieval.answers.check import UNCITED, checked, sentences
from hlg.retrieval.answers.compare import compare
from hlg.retrieval.answers.evidence import (
    WINDOW,
    EvidenceStatement,
    FactWords,
    NamedEntity,
    evidence_statements,
)
from hlg.retrieval.answers.extractive import extract
from hlg.retrieval.answers.parts import STEPS, Part
from hlg.retrieval.answers.read_evidence import read_evidence
from hlg.retrieval.answers.sentence import sentence_scores
from hlg.retrieval.answers.shapes import number_of, shapes, time_of
from hlg.retrieval.answers.spans import answer_spans
from hlg.retrieval.answers.standalone import About, stand_alone, talked_of
from hlg.retrieval.answers.statements import says_something
from hlg.retrieval.answers.words import keys
from hlg.subgraph import Subgraph


def said(text: str, title: str = "A title", start: int = 0, **more: object) -> EvidenceStatement:
    source = SourceRef(title, f"{title}.md", title)
    passage = Passage("Statement", text, text, "", start, start + len(text), "c", "", source)
    return EvidenceStatement(passage, **{"rank": 1, **more})  # type: ignore[arg-type]


QUESTION_WORDS = (
    "What", "Who", "Which", "How", "When", "is", "was", "did", "going", "on", "with", "of", "the",
    "Susan", "'s", "her", "name", "many", "kind", "film", "year", "or", "older", "in", "that", "?",
)  # fmt: skip
FILMS = [
    said(
        "Wings is a 1927 silent film directed by Ada Quill.",
        "Wings",
        facts=(FactWords("Wings", "directed by", "Ada Quill", False),),
    ),
    said(
        "The Kid is a 1921 film directed by Ben Roe.",
        "The Kid",
        entities=(NamedEntity("Ben Roe", "Person"),),
    ),
    said("Ada Quill (3 May 1890 – 1951) was an American director.", "Ada Quill"),
    said("Ben Roe (born 4 June 1885 in Leeds) was a British director.", "Ben Roe"),
]


@pytest.mark.parametrize(
    ("question", "kind", "noun"),
    [
        ("Who built the Petrel?", PERSON, ""),
        ("Where was she launched?", PLACE, ""),
        ("In what year did the yard close?", DATE, "year"),
        ("The actor who played Ada was born in what year?", DATE, "year"),
        ("When is a warning shown?", TEXT, ""),
        ("When is a warning shown for a chart?", TEXT, ""),
        ("What is the tide organ for?", TEXT, ""),
        ("When should I use a pointer?", TEXT, ""),
        ("When does the agreement take effect?", DATE, ""),
        ("When is the launch scheduled?", DATE, ""),
        ("When was a warning shown?", DATE, ""),
        ("How many people were aboard?", NUMBER, "people"),
        ("How high is the tower?", NUMBER, ""),
        ("What is the name of the actress in Wings?", PERSON, "actress"),
        ("What was Mr. Smith's first name?", NAME, "first name"),
        ("What does the yard build?", TEXT, ""),
        ("What can the tide organ do?", TEXT, ""),
        ("What does SMS stand for?", NAME, "sms stand"),
        ("What river flows through Corven?", PLACE, "river"),
        ("What county shares a border with Kent?", PLACE, "county"),
        ("Are both films from France?", YES_NO, ""),
        ("What is the tide organ?", TEXT, "tide organ"),
        ("Why was it closed?", TEXT, ""),
        ("What is going on with Susan 's love?", NAME, "love"),
        ("", TEXT, ""),
    ],
)
def test_a_question_says_what_it_asks_for(question: str, kind: str, noun: str) -> None:
    asked = asked_for(question)
    assert (asked.kind, asked.noun) == (kind, noun)


@pytest.mark.parametrize(
    ("question", "is_counted"),
    [
        ("How many boats were hired?", True),
        ("How much storage does the plan have?", True),
        ("How much is the deposit for a boat?", False),
        ("How much did the repair cost?", False),
        ("What is the maximum size of a boat?", False),
    ],
)
def test_only_how_many_of_a_thing_asks_for_what_is_counted(question: str, is_counted: bool) -> None:
    asked = asked_for(question)
    assert (asked.kind, asked.is_counted) == (NUMBER, is_counted)


@pytest.mark.parametrize(
    ("question", "choices", "order"),
    [
        ("Which film came out first, The Kid or Wings?", ("The Kid", "Wings"), "earlier"),
        ("Who is older, Ada Quill or Ben Roe?", ("Ada Quill", "Ben Roe"), "earlier"),
        ("Was Ada Quill or Ben Roe born later?", ("Ada Quill", "Ben Roe"), "later"),
        ("Who is younger Ada Quill or Ben Roe?", ("Ada Quill", "Ben Roe"), "later"),
        ("Did she live in Kent or not?", (), ""),
    ],
)
def test_a_question_says_what_there_is_to_choose_from(
    question: str, choices: tuple[str, ...], order: str
) -> None:
    asked = asked_for(question)
    assert (asked.choices, asked.order) == (choices, order)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which film came out first, The Kid or Wings?", "The Kid"),
        ("Which film has the director who was born later, The Kid or Wings?", "Wings"),
        ("Who is older, Ada Quill or Ben Roe?", "Ben Roe"),
        ("Are Ada Quill and Ben Roe from the same country?", "no"),
        ("Are Ada Quill and Ben Roe both directors?", "yes"),
    ],
)
def test_things_are_compared_by_what_is_said_of_them(question: str, verdict: str) -> None:
    found = compare(question, asked_for(question), FILMS)
    assert found is not None
    assert found.text == verdict
    assert len(found.places) >= 2


@pytest.mark.parametrize(
    "question",
    ["Who died first, Cy Dunn or Di Eames?", "Is Ada Quill a director?", "Was The Kid a boat?"],
)
def test_what_is_not_said_is_not_compared_nor_is_one_thing_alone(question: str) -> None:
    assert compare(question, asked_for(question), FILMS) is None


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("What is Ada Quill's salary?", ("salary",)),
        ("Which university did Ada Quill visit, and when?", ("visit",)),
        ("Who is Ada Quill?", ()),
    ],
)
def test_what_no_evidence_has_of_a_question_is_told(question: str, unsaid: tuple[str, ...]) -> None:
    assert held_of(question, FILMS).unsaid == unsaid


def test_what_stands_in_the_heading_over_a_part_is_said() -> None:
    step = "Press both knobs for three seconds."
    part = Part(STEPS, 0, len(step), step, "Setting the clock")
    assert held_of("How do I set the clock?", [said(step, "Oven", part=part)]).unsaid == ()


@given(st.lists(st.sampled_from(QUESTION_WORDS), max_size=9))
def test_any_question_is_sorted(words: list[str]) -> None:
    assert asked_for(" ".join(words)).kind


def test_shapes_read_dates_and_numbers() -> None:
    text = "On 3 May 1904 some 1,200 people paid $3.5 million for thirty-eight metres."
    found = {(text[each.start : each.end], each.shape) for each in shapes(text)}
    assert {
        ("3 May 1904", "day"),
        ("1,200", "figure"),
        ("$3.5 million", "figure"),
        ("thirty-eight metres", "figure"),
    } <= found
    assert time_of("3 May 1904") == (1904, 5, 3)
    assert time_of("in May") is None
    assert (number_of("thirty-eight metres"), number_of("much")) == (38.0, None)


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("Hey Yuriko!", False),
        ("Good morning everyone", False),
        ("# History", False),
        ("History of the yard", False),
        ("Who built her in the end?", False),
        ("The yard had built these ships:", False),
        ("17.99,10.38,122.8,1001,0.1184,0.2776,2019", False),
        ("| Total assets | $ 19,694 | $ 20,386 |", True),
        ("She was built at Oake Yard.", True),
        ("Oake Yard; 1888; Corven; nine carpenters", True),
    ],
)
def test_greetings_headings_and_questions_never_lead(text: str, is_said: bool) -> None:
    assert says_something(said(text)) == is_said


def test_an_entry_of_the_references_is_not_quoted() -> None:
    entry = said("[1] Oliver Brandt. 2010. Tides of Kelm Light.")
    cited = replace(entry, passage=replace(entry.passage, details="7. References"))
    assert says_something(entry)
    assert not says_something(cited)


def lead(question: str, evidence: Sequence[EvidenceStatement], confidence: float = 1.0) -> str:
    cosines = np.linspace(0.6, 0.4, len(evidence), dtype=np.float32)
    read = read_evidence(question, evidence, cosines, confidence)
    return extract(read).lead


def test_a_lead_is_neither_the_questions_own_words_nor_a_word_at_a_sentences_start() -> None:
    spans = answer_spans(0, said('Create a chart with Tern, or `read(chart, "depth")`.'))
    assert {"Tern"} == {span.text for span in spans}
    note = said(
        'title: "Charts of the Lune" author: "Ada Quill"',
        "charts.md",
        entities=(NamedEntity("charts.md", "Thing"), NamedEntity("Ada Quill", "Person")),
    )
    assert lead('Who wrote "Charts of the Lune"?', [note]) == "Ada Quill"


def test_what_hardly_answers_is_no_lead_and_its_sentence_stands_alone() -> None:
    question = "When does the harbour office at Corven close?"
    evidence = [said("The chart of 1911 hangs in the hall of the office.", "The hall")]
    assert lead(question, evidence, confidence=0.9) == ""
    assert lead(question, evidence, confidence=0.2) == ""
    cosines = np.array([0.5], np.float32)
    answer = extract(read_evidence(question, evidence, cosines, 0.2))
    assert (answer.rests_on, answer.places) == ((), (0,))


def test_no_lead_is_about_another_subject() -> None:
    other = said("The lease of Brenn House begins on 2 May 1931.", "Lease of Brenn House")
    own = said("The tenant of Oake House pays the rent to the office.", "Lease of Oake House")
    assert lead("When does the Lease of Brenn House begin?", [other, own]) == "2 May 1931"
    assert lead("When does the Lease of Oake House begin?", [other, own]) == ""
    opened = said("The museum at Corven opened in 1968.", "Corven")
    assert lead("When was the museum at Corven opened?", [opened]) == "1968"
    assert lead("When was the hospital at Corven opened?", [opened]) == ""
    kept = said("Jonas Wiek kept Skarn Light from 1897 to 1922.", "Jonas Wiek")
    assert lead("When was Jonas Wiek born?", [kept]) == ""


def test_what_a_statement_denies_does_not_lead() -> None:
    organ = said("The tide organ is a fog signal that needs neither fuel nor a keeper.", "Signals")
    assert lead("What does the tide organ need?", [organ]) == ""


def test_a_figure_at_the_end_counts_what_the_statement_names() -> None:
    def counts(text: str) -> list[str]:
        return [span.text for span in answer_spans(0, said(text, "Coast"), counted="towers")]

    assert counts("Towers on the coast: seven.") == ["seven"]
    assert counts("On the coast tower no. 3 is of brick.") == []
    assert counts("The coast has a dimension of (length - 1)") == []
    assert counts("The towers were lit at nine o'clock.") == []


def test_the_reader_picks_the_span_of_the_kind_that_is_asked_for() -> None:
    evidence = [
        said("Hey Yuriko!", "Talk", entities=(NamedEntity("Yuriko", "Person"),)),
        said(
            "Skarn Light was built by Theodor Rask at Corven in 1871.",
            "Skarn Light",
            entities=(NamedEntity("Theodor Rask", "Person"), NamedEntity("Corven", "Place")),
            facts=(FactWords("Skarn Light", "built by", "Theodor Rask", False),),
        ),
    ]
    assert lead("Who built Skarn Light?", evidence) == "Theodor Rask"
    assert lead("Where was Skarn Light built?", evidence) == "Corven"
    assert lead("When was Skarn Light built?", evidence) == "1871"
    assert lead("Why was Skarn Light built?", evidence) == ""
    assert lead("Who built Skarn Light?", []) == ""


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("About three hundred were made by Hallam.", ["three hundred"]),
        ("The yard made forty-one tide organs in 1927.", ["forty-one"]),
        ("A reef of seven black rocks two kilometres off the head.", []),
        ("He spent ten weeks on it and came home to Corven.", []),
    ],
)
def test_how_many_is_answered_by_what_is_counted(text: str, counts: list[str]) -> None:
    assert [span.text for span in answer_spans(0, said(text), counted="tide organs")] == counts


def test_sentences_keep_their_marks() -> None:
    text = "Dr. Rask built it in 1871 [2–4]. It is 38.5 m high. [1, 3]【5】 Who knows?"
    assert sentences(text) == [
        ("Dr. Rask built it in 1871.", (2, 3, 4)),
        ("It is 38.5 m high.", (1, 3, 5)),
        ("Who knows?", ()),
    ]
    assert sentences("") == []


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("The tide organ was invented by Lotte Wiek in 1926 [1].", ""),
        ("The inventor was Lotte Wiek [1].", ""),
        ("Lotte Wiek invented it.", UNCITED),
        ("Lotte Wiek invented it [7].", "there is no source [7]"),
        ("Lotte Wiek patented it in 1931 [1].", "the source does not say 1931"),
        ("It was invented by Adela Stroom [1].", "the source does not name Adela"),
        ("It costs a great deal of money every year [1].", "the source says something else"),
        ("Lotte Wiek patented it in 1926 [2].", "the source does not say 1926"),
    ],
)
def test_a_sentence_is_borne_out_by_what_it_cites(answer: str, problem: str) -> None:
    sources = {
        1: "The tide organ. It was invented by Lotte Wiek, who patented it in 1926.",
        2: "Hallam Signals. About three hundred were made.",
    }
    (sentence,) = checked("Who invented the tide organ?", answer, sources)
    assert sentence.problem == problem


SOURCES = {
    1: "Skarn Light. It was built in 1871 by Jonas Wiek, who kept it until 1904. "
    "It is 38.5 m high.",
    2: "The Petrel. The Petrel was a mail steamer of 410 tons. She sailed from Corven to Oake.",
    3: "Adela Stroom. Adela Stroom taught Jonas Wiek. She did not sell the yard.",
    4: "Corven Yard. The yard raised its fees in 1902. "
    "Three ships were built there, and 1,500,000 dollars were paid.",
    5: "Treaty. No keeper was hurt. "
    "The council rejected the plan, and the northern pier was closed.",
    6: "Tides. The drug lowered blood pressure and raised the pulse. "
    "More than 40 percent of patients improved.",
    7: "Corven Glass. The company raised its revenue from $4.2 million to $5.1 million in 2023. "
    "The harbour does not charge a fee. Prices fell by 3 % in March.",
}
UNTRUE = [
    "Marta Hale was the architect of the light [1].",
    "Marta built the light in 1871 [1].",
    "Skarn Light was built by Jonas Hale in 1871 [1].",
    "Jonas Wiek did not build Skarn Light in 1871 [1].",
    "Skarn Light was never built by Jonas Wiek [1].",
    "Skarn Light is 38.5 feet high [1].",
    "It was built in 1872 by Jonas Wiek [1-2].",
    "It was built in 1871 by Jonas Wiek [1-9].",
    "The Petrel was a mail steamer of 410 kilograms [2].",
    "The Petrel was a mail steamer of four hundred tons [2].",
    "She sailed from Oake to Corven [2].",
    "Jonas Wiek taught Adela Stroom [3].",
    "Adela Stroom was taught by Jonas Wiek [3].",
    "Adela Stroom sold the yard [3].",
    "The yard lowered its fees in 1902 [4].",
    "The yard's fees were reduced in 1902 [4].",
    "Seven ships were built there [4].",
    "1.5 billion dollars were paid [4].",
    "A keeper was hurt [5].",
    "The council accepted the plan [5].",
    "The southern pier was closed [5].",
    "The northern pier was opened [5].",
    "The drug raised blood pressure [6].",
    "Less than 40 % of patients improved [6].",
    "More than 40 percent of patients did not improve 【6】.",
    "Hallam lit the light in 1871 [1].",
    "Marta, the keeper, kept it until 1904 [1].",
    "Denmark's council rejected the plan [5].",
    "Revenue fell from $4.2 million to $5.1 million in 2023 [7].",
    "The company raised its revenue from $5.1 million to $4.2 million in 2023 [7].",
    "Prices went up by 3 per cent in March [7].",
]
TRUE = [
    "Jonas Wiek built Skarn Light in 1871 [1].",
    "Skarn Light was built by Jonas Wiek in 1871 [1].",
    "Built in 1871, Skarn Light was kept by Jonas Wiek until 1904 [1].",
    "Constructed by Jonas Wiek, the light is 38.5 metres high [1].",
    "However, Jonas Wiek kept the light until 1904 [1].",
    "The light is 38.5 meters high, and Wiek kept it [1-3].",
    "The Petrel was a 410-ton mail steamer 【2】.",
    "The Petrel, of four hundred and ten tons, was a mail steamer [2].",
    "Sailing from Corven to Oake, the Petrel was a mail steamer [2].",
    "Jonas Wiek was taught by Adela Stroom [3].",
    "Adela Stroom was the one who taught Jonas Wiek [3].",
    "The yard was not sold by Adela Stroom [3].",
    "Stroom refused to sell the yard [3].",
    "In 1902 the yard raised its fees [4].",
    "Fees of the yard were increased in 1902 [4].",
    "The yard did not lower its fees in 1902 [4].",
    "3 ships were built at the yard [4].",
    "The yard built three ships, for which $1.5 million were paid [4].",
    "No keeper of the light was hurt [5].",
    "None of the keepers was hurt [5].",
    "The council did not accept the plan [5].",
    "The northern pier was not open: it was closed [5].",
    "The drug reduced blood pressure and raised the pulse [6].",
    "The pulse was raised by the drug [6].",
    "More than forty percent of the patients improved [6].",
    "Skarn Light is 38.5 metres high【1†source】.",
    "The harbour charges no fee [7].",
    "Revenue rose from 4.2 to 5.1 million dollars in 2023 [7].",
    "Revenue increased to $5.1m in 2023 [7].",
    "Prices dropped by three per cent in March [7].",
    "Prices went down by 3 percent [7].",
]


@pytest.mark.parametrize(
    ("claim", "holds"), [(c, False) for c in UNTRUE] + [(c, True) for c in TRUE]
)
def test_what_turns_a_source_into_something_else_is_refused(claim: str, holds: bool) -> None:
    (sentence,) = checked("What is known?", claim, SOURCES)
    assert (not sentence.problem) == holds, sentence.problem


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("And his wife?", "And Jonas Wiek's wife?"),
        ("Where was he born?", "Where was Jonas Wiek born?"),
        ("How high is it?", "How high is Skarn Light?"),
        ("And in 1911?", "And in 1911, Jonas Wiek?"),
        ("Who lives there?", "Who lives in Corven?"),
        ("When did she come?", "When did she come?"),
        ("And she?", "And she, Skarn Light?"),
        ("Who built the Petrel?", "Who built the Petrel?"),
    ],
)
def test_a_follow_up_question_is_made_to_stand_alone(question: str, alone: str) -> None:
    about = [
        About("Jonas Wiek", "Person", "he"),
        About("Skarn Light", "Thing"),
        About("Corven", "Place"),
    ]
    assert stand_alone(question, about) == alone
    assert stand_alone(question, []) == question


def test_a_follow_up_is_about_what_was_named() -> None:
    """Not about an island that its name begins with; "he" where that is said of nobody else."""
    berg = NamedEntity("Aslak Berg", "Person", ("Aslak",))
    light, isle = NamedEntity("Skarn Light", "Thing"), NamedEntity("Skarn", "Place")
    anna = NamedEntity("Anna Holm", "Person")
    found = talked_of(
        "Aslak and Anna Holm\nWho kept Skarn Light?",
        [
            said("He kept Skarn Light on Skarn.", entities=(isle, light, berg)),
            said("She told him of her boat, Anna Holm.", entities=(berg, anna)),
        ],
    )
    assert found == [
        About("Aslak Berg", "Person", "he"),
        About("Anna Holm", "Person", "she"),
        About("Skarn Light", "Thing"),
    ]
    assert stand_alone("When did she see it?", found) == "When did Anna Holm see Skarn Light?"


def test_the_sentence_that_says_the_words_itself_is_marked_before_one_under_their_title() -> None:
    said_of = [
        said("She carried letters and passengers.", "The launch of the Petrel", 0),
        said("The launch was on 3 May 1904, with a band.", "The launch of the Petrel", 40),
        said("A petrel is a seabird of the open ocean.", "Petrel", 0),
    ]
    question = "When was the launch of the Petrel?"
    scores = sentence_scores(question, said_of[:2], np.array([0.5, 0.4]))
    assert scores[1] > scores[0]
    described = sentence_scores("What is a petrel?", said_of[1:], np.array([0.9, 0.1]))
    assert described[1] > described[0]
    assert sentence_scores(question, [], np.zeros(0)).shape == (0,)


def test_in_a_passage_that_a_path_led_to_what_the_path_has_not_said_is_marked() -> None:
    question = "Who taught the inventor of the organ?"
    evidence = [
        said("She holds the patent of a bell.", "Lotte Wiek"),
        said("Her teacher was Adela Stroom.", "Lotte Wiek", 60),
    ]
    cosines = np.array([0.45, 0.44])
    said_before = frozenset(keys("The organ was invented by Lotte Wiek."))
    assert sentence_scores(question, evidence, cosines).argmax() == 0
    chunk = evidence[0].passage.chunk_id
    assert sentence_scores(question, evidence, cosines, {chunk: said_before}).argmax() == 1


def test_of_a_long_chunk_the_part_that_says_what_is_asked_is_read() -> None:
    answer = "The Petrel was built at Oake Yard."
    source = SourceRef("s", "uri", "A log")

    def read(repeated: int) -> EvidenceStatement:
        filler = "Nothing was seen of the sea that day. " * repeated
        text = f"{filler}{answer} {filler}"
        passage = Passage("Chunk", "c", text, "", 50, 50 + len(text), "c", "", source)
        (found,) = evidence_statements("Who built the Petrel?", [Hit(1, 1.0, passage)], Subgraph())
        told = found.passage
        assert text[told.start - 50 : told.end - 50] == told.text
        return found

    lengths = []
    for repeated in (100, 1_000, 2_000):
        part = read(repeated).passage
        assert (answer in part.text, part.id) == (True, "c")
        lengths.append(len(part.text))
    assert max(lengths) <= WINDOW  # whatever the chunk has
    assert len(read(1).passage.text) > len(answer)


def test_a_long_word_without_a_break_is_read_in_part() -> None:
    text = "x" * 75_000
    passage = Passage("Chunk", "c", text, "", 0, len(text), "c", "", SourceRef("s", "uri", ""))
    (found,) = evidence_statements("Who built the Petrel?", [Hit(1, 1.0, passage)], Subgraph())
    assert found.passage.text == "x" * WINDOW
