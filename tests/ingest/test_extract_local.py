"""The local extractor: what a reader would take from a text, with exact spans."""

import pickle
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hlg.ids import chunk_id, source_id
from hlg.ingest.base import Extraction
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.text.blocks import split_blocks
from hlg.ingest.text.turns import find_turns
from hlg.records import Chunk, Document
from hlg.schema import PHRASE

EXTRACTOR = LocalExtractor(all_facts=True)

SNOW = Document(
    "snow",
    "Hank Snow",
    "Hank Snow (May 9, 1914 – December 20, 1999) was a Canadian-American country music singer. "
    "He recorded 140 albums, and he moved to Nashville in 1945. "
    "The singer was inducted into the Country Music Hall of Fame (CMHF).",
)


def chunks_of(text: str, uri: str, size: int = 10**9, step: int = 10**9) -> list[Chunk]:
    source = source_id(uri)
    return [
        Chunk(chunk_id(source, at, end), source, number, at, end, text[at:end])
        for number, at in enumerate(range(0, len(text), step))
        if (end := min(len(text), at + size)) > at
    ]


def extract(document: Document, size: int = 10**9, step: int = 10**9) -> Extraction:
    return EXTRACTOR.extract(document, chunks_of(document.text, document.uri, size, step))


def read(text: str, title: str = "", media_type: str = "text/plain") -> Extraction:
    return extract(Document("d", title, text, media_type=media_type))


def triples(extraction: Extraction) -> set[tuple[str, str, str]]:
    names = {entity.id: entity.name for entity in extraction.entities}
    return {
        (
            names[fact.subject_id],
            fact.predicate,
            names[fact.object_id] if fact.object_id else fact.object_value or "",
        )
        for fact in extraction.facts
    }


def names_of(extraction: Extraction, number: int) -> set[str]:
    names = {entity.id: entity.name for entity in extraction.entities}
    return {names[id_] for id_ in extraction.statements[number].entity_ids}


def check(document: Document, extraction: Extraction, chunks: list[Chunk]) -> None:
    """The promises of ``Extractor`` and ``SourceGraph``."""
    statements, topics = extraction.statements, {topic.id for topic in extraction.topics}
    entities = {entity.id: entity for entity in extraction.entities}
    order = {chunk.id: chunk.ordinal for chunk in chunks}
    assert [s.id for s in statements] == [
        s.id for s in sorted(statements, key=lambda s: (s.start, s.end, s.id))
    ]
    assert len({statement.id for statement in statements}) == len(statements)
    for group in (extraction.topics, extraction.facts, extraction.entities):
        ids = [record.id for record in group]
        assert ids == sorted(set(ids))
    for statement in statements:
        assert statement.text == document.text[statement.start : statement.end]
        assert statement.text.strip()
        assert statement.topic_id in topics
        assert statement.chunk_ids
        assert [order[id_] for id_ in statement.chunk_ids] == sorted(
            {order[id_] for id_ in statement.chunk_ids}
        )
        assert list(statement.entity_ids) == sorted(set(statement.entity_ids))
        assert set(statement.entity_ids) <= set(entities)
    by_id = {statement.id: statement for statement in statements}
    for fact in extraction.facts:
        assert (fact.object_id is None) != (fact.object_value is None)
        ends = {fact.subject_id, fact.object_id} - {None}
        if entities[fact.subject_id].entity_class == PHRASE:
            ends = set()
            assert fact.object_id is None
        for id_ in fact.statement_ids:
            assert ends <= set(by_id[id_].entity_ids)
    for entity in extraction.entities:
        assert entity.degree == sum(entity.id in s.entity_ids for s in statements)
        assert list(entity.aliases) == sorted(set(entity.aliases))


def test_a_sentence_is_split_where_both_halves_stand_alone() -> None:
    texts = [statement.text for statement in extract(SNOW).statements]
    assert texts[1:3] == ["He recorded 140 albums", "he moved to Nashville in 1945."]


@pytest.mark.parametrize(
    ("text", "title", "meant"),
    [
        ("Skarn Light stands on Skarn. It was lit in 1888.", "Skarn", "Skarn Light"),
        ("GNU Go is Free Software. GNU Go is old. It plays Go.", "GNU", "GNU Go"),
        ("Tern Airways flies to Skarn. It was founded in 1950.", "Tern", "Tern"),
        ("Ola Magnus Reed II sang. He was born in 1961.", "Ola Reed", "Ola Reed"),
        ("Tern Air Lines, Inc. flies to Skarn. It was founded in 1950.", "Tern", "Tern"),
        ("John Reed wrote a book. She liked it very much.", "", ""),
        ("Mary Reed met John Reed. She wrote a book.", "", "Mary Reed"),
        ("Tom Reed met Mary Lane. She wrote a book.", "", "Mary Lane"),
        ("The drying line was installed by Tormax. It dries 40 kg an hour.", "", "drying line"),
        ("Kristin Thomas sang. Ann Lee left. Thomas came. She wept.", "", "Kristin Thomas"),
        ("The Albert Reed is a ship. She was launched in 1904.", "", "Albert Reed"),
    ],
)
def test_a_pronoun_means_what_it_agrees_with_and_no_name_that_only_begins_it(
    text: str, title: str, meant: str
) -> None:
    assert read(text, title).statements[-1].details == meant


def test_what_a_heading_names_is_spoken_of_below_it_alone() -> None:
    text = (
        "# Tide Organ\n\nIt sounds.\n\n### Dynamic Signal Systems\n\nThey were costly.\n\n"
        "### Evaluation\n\nIt went well."
    )
    found = [statement.details for statement in read(text).statements]
    assert found == ["Tide Organ", "Dynamic Signal Systems", "Evaluation"]


def test_what_a_statement_leaves_out_is_in_its_details() -> None:
    statements = extract(SNOW).statements
    assert [statement.details for statement in statements[1:]] == ["Hank Snow"] * 3
    assert all("Hank Snow" in names_of(extract(SNOW), number) for number in range(4))


def test_facts_have_verbs_copulas_passives_and_life_dates() -> None:
    assert triples(extract(SNOW)) >= {
        ("Hank Snow", "born on", "May 9, 1914"),
        ("Hank Snow", "died on", "December 20, 1999"),
        ("Hank Snow", "recorded", "140 albums"),
        ("Hank Snow", "moved to", "Nashville"),
    }


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Lisbon is the capital of Portugal.", ("Lisbon", "is capital of", "Portugal")),
        ("Jaws was directed by Steven Spielberg.", ("Jaws", "was directed by", "Steven Spielberg")),
        ("Apple's CEO Tim Cook spoke in Berlin.", ("Tim Cook", "is CEO of", "Apple")),
        (
            "Harvey Pekar, the author of American Splendor, lives in Cleveland.",
            ("Harvey Pekar", "is author of", "American Splendor"),
        ),
        (
            "Ada Thorne founded Tern Airways, which bought Quarry Bank in 1990.",
            ("Tern Airways", "bought", "Quarry Bank"),
        ),
        ("Ada Thorne did not visit Paris.", ("Ada Thorne", "did not visit", "Paris")),
        ("Ada Thorne met Bela Kovacs in 1990.", ("Ada Thorne", "met Bela Kovacs in", "1990")),
        (
            "Quarry Bank pays 5000 pounds or 5500 pounds.",
            ("Quarry Bank", "pays", "5000 pounds or 5500 pounds"),
        ),
        ("Intel seeks to buy Tower from Israel.", ("Intel", "seeks to buy", "Tower")),
    ],
)
def test_a_fact_of_each_kind(text: str, triple: tuple[str, str, str]) -> None:
    assert triple in triples(read(text))


@pytest.mark.parametrize("word", ["former", "onetime", "deputy", "acting", "future"])
def test_who_is_a_former_or_deputy_mayor_is_no_mayor(word: str) -> None:
    told = read(f"Ada Quill, the {word} mayor of Corven, opened the bridge.")
    offices = [f"{said} {what}" for who, said, what in triples(told) if "mayor" in f"{said}{what}"]
    assert any(f"{word} mayor of Corven" in office for office in offices)
    assert all(f"{word} mayor" in office for office in offices)


def test_who_holds_an_office_is_a_name() -> None:
    told = read("Steve Barber is Chairman of the Audit Committee. He signed it in May.")
    assert "Steve Barber" in {entity.name for entity in told.entities}


def test_short_names_and_acronyms_are_aliases_of_the_full_name() -> None:
    text = (
        "The Federal Trade Commission (FTC) sued Sam Bankman-Fried on Monday. "
        "Bankman-Fried told the FTC that he was innocent. Figure 1 shows what the FTC found. "
        "Alonso won his first race in F1."
    )
    extraction = read(text)
    aliases = {entity.name: entity.aliases for entity in extraction.entities}
    assert "FTC" in aliases["Federal Trade Commission"]
    assert "Bankman-Fried" in aliases["Sam Bankman-Fried"]
    assert "F1" not in aliases.get("Figure 1", ())
    assert {"Federal Trade Commission", "Sam Bankman-Fried"} <= names_of(extraction, 1)


def test_a_title_names_what_its_text_is_about() -> None:
    extraction = read(
        "American Splendor is a 2003 film about Harvey Pekar. It won a prize in Cannes.",
        title="American Splendor (film)",
    )
    (film,) = [entity for entity in extraction.entities if entity.name == "American Splendor"]
    assert (film.entity_class, film.aliases) == ("Work", ("American Splendor (film)",))
    assert film.id in extraction.statements[1].entity_ids
    assert extraction.statements[1].details == "American Splendor"
    assert [topic.name for topic in extraction.topics] == ["American Splendor (film)"]


def test_a_headline_is_no_entity() -> None:
    extraction = read(
        "Ada Thorne spoke in Paris on Monday.",
        title="Why shares fell again, and what to do about it now",
    )
    assert {entity.name for entity in extraction.entities} == {"Ada Thorne", "Paris"}


def test_quoted_titles_are_names_and_dates_are_values() -> None:
    extraction = read('Madonna released "Purple Rain" in June 1984.')
    assert "Purple Rain" in {entity.name for entity in extraction.entities}
    assert "June 1984" not in {entity.name for entity in extraction.entities}
    assert any(fact.object_value == "June 1984" for fact in extraction.facts)


def test_markdown_headings_name_topics_and_complete_statements() -> None:
    text = "## Fleet\n\nThere are nine aircraft.\n\n## Routes\n\nAda Thorne chose Grantham."
    extraction = read(text, media_type="text/markdown")
    names = {topic.id: topic.name for topic in extraction.topics}
    assert [names[each.topic_id] for each in extraction.statements] == ["Fleet", "Routes"]
    assert extraction.statements[0].details == "Fleet"


def test_a_first_heading_that_is_a_name_is_what_the_text_is_about() -> None:
    text = (
        "# Tern Airways\n\n"
        "The company was founded by Ada Thorne in 1961. It bought Quarry Bank.\n\n"
        "| Year | Revenue |\n|---|---|\n| 2023 | 5.1 |\n"
    )
    extraction = read(text, media_type="text/markdown")
    assert [statement.details for statement in extraction.statements[:2]] == ["Tern Airways"] * 2
    assert triples(extraction) >= {
        ("Tern Airways", "was founded by", "Ada Thorne"),
        ("Tern Airways", "bought", "Quarry Bank"),
        ("Tern Airways", "revenue (year 2023)", "5.1"),
    }


def test_references_are_one_topic_and_name_nobody_unless_every_fact_is_asked_for() -> None:
    entries = "\n\n".join(f"[{n}] Oliver Brandt. 20{n}. Tides of Kelm." for n in range(10, 22))
    document = Document("d", "", f"Ada Thorne built Kelm Light.\n\nReferences\n\n{entries}")
    chunks = chunks_of(document.text, document.uri)
    extraction = LocalExtractor().extract(document, chunks)
    cited = [each for each in extraction.statements if each.details == "References"]
    assert len(cited) == 12
    assert {each.topic_id for each in cited} & {
        t.id for t in extraction.topics if t.name == "References"
    }
    assert not any(each.entity_ids for each in cited)
    assert "Ada Thorne" in {each.name for each in extraction.entities}
    every = LocalExtractor(all_facts=True).extract(document, chunks)
    assert "Oliver Brandt" in {each.name for each in every.entities}


def test_table_rows_carry_their_headers_and_become_facts() -> None:
    text = "Company,City,Revenue\nTern Airways,Grantham,5.1\nQuarry Bank,Castle Rock,7\n"
    extraction = read(text, title="firms", media_type="text/csv")
    assert [statement.details for statement in extraction.statements] == [
        "Company: Tern Airways; City: Grantham; Revenue: 5.1",
        "Company: Quarry Bank; City: Castle Rock; Revenue: 7",
    ]
    assert triples(extraction) >= {
        ("Tern Airways", "city", "Grantham"),
        ("Quarry Bank", "revenue", "7"),
    }


def test_overlapping_chunks_repeat_no_statement_and_parents_hold_none() -> None:
    text = " ".join(f"Ada Thorne visited City{n} in {1900 + n}." for n in range(60))
    document = Document("d", "", text)
    chunks = chunks_of(text, "d", size=400, step=320)
    parent = Chunk("p", chunks[0].source_id, 99, 0, len(text), text)
    leaves = [
        Chunk(c.id, c.source_id, c.ordinal, c.start, c.end, c.text, parent_id="p") for c in chunks
    ]
    extraction = EXTRACTOR.extract(document, [parent, *leaves])
    check(document, extraction, [parent, *leaves])
    assert len(extraction.statements) == 60
    for statement in extraction.statements:
        holding = [c.id for c in leaves if c.start <= statement.start and statement.end <= c.end]
        assert list(statement.chunk_ids) == holding or (
            not holding and len(statement.chunk_ids) == 1
        )
        assert "p" not in statement.chunk_ids


def test_long_texts_have_a_topic_for_every_few_statements() -> None:
    subjects = ("The whale swims in the ocean", "The engine burns petrol", "The choir sings a hymn")
    text = " ".join(f"{subject} number {n}." for subject in subjects for n in range(8))
    extraction = read(text)
    names = [topic.name for topic in extraction.topics]
    assert 2 <= len(names) <= 6
    assert len(set(names)) == len(names)


def test_the_same_document_gives_the_same_records_whatever_ran_before() -> None:
    first = extract(SNOW)
    read("Zorbax Quillfeather met Ünal Çelik in Ŷstad. Отец и сын. 東京は日本の首都です。")
    assert extract(SNOW) == first
    assert pickle.loads(pickle.dumps(EXTRACTOR)).extract(SNOW, chunks_of(SNOW.text, SNOW.uri)) == (
        first
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "...",
        "\0\0a\ud800b said \udfff.",
        "x' }) DETACH DELETE n // `a` \0",
        "<p>Ada <b>Thorne</b></p> &amp; ${x} {{y}}",
        "東京は日本の首都です。大阪は大きい。" * 20,
        "القاهرة هي عاصمة مصر.",
        "a" * 100_000,
        "word " * 2_000,
        "Yes.\n\nYes.\n\nYes.",
        '"' * 300 + "(" * 300,
        "a,b\n" * 10,
    ],
    ids=range(13),
)
@pytest.mark.parametrize("media_type", ["text/plain", "text/csv"])
def test_odd_texts_keep_every_promise(text: str, media_type: str) -> None:
    document = Document("odd", "Odd \ud800 (text)", text, media_type=media_type)
    chunks = chunks_of(text, "odd", size=900, step=700)
    check(document, EXTRACTOR.extract(document, chunks), chunks)


FRAGMENTS = """
Ada Thorne (FTC) she the company it was founded by in 1999 , and but ; . # - | : “ ”
' Paris's of France which won "Jaws" 东京
"""
WORDS = st.sampled_from([*FRAGMENTS.split(), "\n", "\n\n", "\t", "\0", "\ud800", ""])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(WORDS, max_size=60).map(" ".join), st.integers(20, 200))
def test_any_text_keeps_every_promise(text: str, size: int) -> None:
    document = Document("any", "Ada Thorne", text)
    chunks = chunks_of(text, "any", size=size, step=max(1, size * 4 // 5))
    extraction = EXTRACTOR.extract(document, chunks)
    check(document, extraction, chunks)


def test_one_long_line_takes_time_in_proportion() -> None:
    line = "item 4711 of lot 12 and " * 1_000
    started = time.perf_counter()
    extraction = read(line)
    assert time.perf_counter() - started < 60
    assert max(len(statement.text) for statement in extraction.statements) <= 4_000


@pytest.mark.parametrize(
    ("text", "name", "class_"),
    [
        ("They met by chance in Hanson, Massachusetts.", "Hanson", "Place"),
        ("They sailed to the city of Nuuk in May.", "Nuuk", "Place"),
        ("By Kirsty J. Pringle, in a paper of 1999.", "Kirsty J. Pringle", "Person"),
        ("The risk is low, as Farshchi et al. found.", "Farshchi", "Person"),
        ("He paid taxes to the U.S. Treasury last year.", "U.S. Treasury", "Organization"),
    ],
)
def test_a_sentence_says_what_a_name_names(text: str, name: str, class_: str) -> None:
    assert {e.name: e.entity_class for e in read(text).entities}.get(name) == class_


@pytest.mark.parametrize(
    "text",
    [
        "Trauma may follow. Later trauma and trauma again were seen.",
        "The shop is open on Thursdays.",
        "Released to the income statement II",
    ],
)
def test_plain_words_with_a_capital_are_no_names(text: str) -> None:
    assert not {e.name for e in read(text).entities if e.entity_class != "Concept"}


@pytest.mark.parametrize(
    "text",
    [
        "Did Ada Thorne found Quarry Bank?",
    ],
)
def test_what_nothing_vouches_for_is_no_fact(text: str) -> None:
    assert triples(read(text)) == set()


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("We acquired Nordic Foods in 2019.", ("we", "acquired", "Nordic Foods")),
        ("You must pay the late fee by post.", ("you", "must pay", "the late fee")),
        ("Your bank may refuse the payment.", ("your bank", "may refuse", "the payment")),
        ("I use Gmail for my mail.", ("I", "use", "Gmail")),
        ("If the lamp blinks, open the valve.", ("you", "open", "the valve")),
        ("Press the green button.", ("you", "press", "the green button")),
        ("Do not use extension leads.", ("you", "do not use", "extension leads")),
        ("You need the following:\n\n- Tern 4\n- a photo", ("you", "need", "Tern 4")),
    ],
)
def test_who_speaks_and_who_is_told_stay_what_they_are(
    text: str, triple: tuple[str, str, str]
) -> None:
    extraction = read(text)
    assert triple in triples(extraction)
    (subject,) = (e for e in extraction.entities if e.name == triple[0])
    assert (subject.entity_class, subject.confidence, subject.degree) == (PHRASE, 0, 0)
    orders = {fact.modality for fact in extraction.facts if fact.predicate == triple[1]}
    is_order = triple[0].lower() not in text.lower()
    assert orders == {"imperative"} if is_order else "imperative" not in orders


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("Each party pays its own costs.", ("each party", "pays", "its own costs")),
        ("This review discusses sleep in sailors.", ("this review", "discusses", "sleep")),
        ("Some 3,200 people visit the tower.", ("some 3,200 people", "visit", "the tower")),
        ("Most Kestrels have a red door.", ("most Kestrels", "have", "a red door")),
        (
            "Sick leave of more than three days needs a doctor's note.",
            ("sick leave of more than three days", "needs", "a doctor's note"),
        ),
    ],
)
def test_a_subject_that_stands_for_no_entity_is_told_in_its_own_words(
    text: str, triple: tuple[str, str, str]
) -> None:
    extraction = read(text)
    assert any(told[:2] == triple[:2] and triple[2] in told[2] for told in triples(extraction))
    (subject,) = (e for e in extraction.entities if e.name == triple[0])
    assert (subject.entity_class, subject.confidence, subject.degree) == (PHRASE, 0, 0)


@pytest.mark.parametrize("text", ["It pays its own costs.", "Nothing limits the rights of Ada."])
def test_what_only_points_or_denies_is_no_subject(text: str) -> None:
    assert not triples(read(text))


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        ("The warranty is two years.", ("warranty", "is", "two years")),
        (
            "The settings moved to `~/.tide/set.toml`.",
            ("settings", "moved to", "`~/.tide/set.toml`"),
        ),
        (
            "The profits of Tern Airways fell 44% to $1.85 billion.",
            ("Tern Airways", "profits fell 44% to", "$1.85 billion"),
        ),
    ],
)
def test_numbers_with_their_unit_and_code_in_quotes_are_values(
    text: str, triple: tuple[str, str, str]
) -> None:
    assert triple in triples(read(text))


def test_what_is_done_to_something_is_told_with_it_however_long_it_is() -> None:
    found = read(
        "Ada Thorne sold the keys of the old red mill in the long green valley of the river Sarn "
        "to Bo Lind."
    ).facts
    assert [each.predicate for each in found if each.predicate.endswith(" to")] == [
        "sold the keys of the old red mill to"
    ]


def test_what_is_not_so_in_its_place_is_no_object() -> None:
    found = read("Tern Airways chose Bo Lind instead of Ada Thorne.").facts
    assert not [each for each in found if "instead" in f"{each.predicate} {each.object_value}"]


def test_when_something_is_so_does_not_end_before_its_noun() -> None:
    text = (
        "After you login to Google Docs and are looking at your list, hover your mouse over the "
        "document."
    )
    times = {each.time for each in read(text).facts}
    assert "After you login to Google Docs and are looking at your list" in times


def test_what_somebody_says_of_himself_is_told_of_him() -> None:
    said = "I'm the owner of Oake Yard. I've bought the Petrel. I don't like Corven. I carry coal."
    found = triples(read(f"Ada: Hi Bo.\nBo: Hi Ada.\nAda: {said}\nBo: I see."))
    assert {predicate for subject, predicate, _ in found if subject == "Ada"} == {
        *("is owner of", "has bought", "doesn't like", "carries")
    }


def test_the_with_a_noun_is_no_name_that_has_it_before_its_kind() -> None:
    text = "Prostate cancer is a disease. The prostate is a gland in the body."
    assert ("Prostate Cancer", "is", "gland in the body") not in triples(
        read(text, title="Prostate Cancer")
    )
    assert "prostate" in {subject for subject, _, _ in triples(read(text, title="Prostate Cancer"))}


def test_what_is_denied_without_an_apostrophe_is_denied() -> None:
    found = read("You dont have to change your name.").facts
    assert {fact.polarity for fact in found} == {"denied"}


def test_who_speaks_in_a_chat_is_not_she() -> None:
    turns = [
        "Ada: Hello Bo.",
        "Bo: Hello Ada.",
        "Ada: I met Ruth Lane.",
        "Bo: She built the Petrel.",
    ]
    extraction = read("\n".join(turns))
    names = {entity.id: entity.name for entity in extraction.entities}
    assert [names[each.subject_id] for each in extraction.facts if each.predicate == "built"] == [
        "Ruth Lane"
    ]


@pytest.mark.parametrize(
    ("before", "builder"),
    [("The yard closed in 1980.", None), ("A friend of mine visited Corven.", "friend of mine")],
)
def test_she_is_a_person(before: str, builder: str | None) -> None:
    found = triples(read(f"{before} She built the Petrel."))
    assert [subject for subject, predicate, _ in found if predicate == "built"] == [builder] * bool(
        builder
    )


def test_the_fields_of_a_package_are_no_speakers() -> None:
    fields = (
        "Classifier: Typing :: Typed\n\nRequires-Dist: numpy\n\nClassifier: Framework :: Pytest"
    )
    assert not find_turns(fields, list(split_blocks(fields)))
