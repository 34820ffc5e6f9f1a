"""What is shown of a source where a statement of it answers: whole, and to the character."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hlg.answers import Answer
from hlg.graph import LexicalGraph

FILES = {
    "kettle.md": """# Kettle K2

![The kettle from the left](left.png)

## Contents

1. Filling the kettle ........ 2
2. Descaling the kettle ........ 3

## Descaling the kettle

Descale the kettle once a month.

1. Pour in half a litre of vinegar.
2. Wait for an hour.

   The lid stays open meanwhile.

3. Pour the vinegar away and boil fresh water twice.

## Faults

| Lamp | Meaning | What to do |
|---|---|---|
| red | no water | fill the kettle |
| blue | too much scale | descale it |
""",
    "choir.txt": """[04/02/2024, 18:02] Mirela: Who brings the tent?
[04/02/2024, 18:03] Anselm: Me, it is in the cellar.
[04/02/2024, 18:09] Anselm: Which hotel did you book in Ghent?
[04/02/2024, 18:11] Mirela: The Gravensteen. Breakfast is included.
[04/02/2024, 18:15] Bea: When does the coach leave?
[04/02/2024, 18:20] Mirela: Half past six in the morning.
""",
    "dues.md": """# Rowing club

## Dues

Members pay by the tenth of January. The dues are 90 euros a year, and it is the treasurer, \
Ilse Kamp, who collects them.

- Guests pay 4 euros a day.
- Children of members row for nothing.
""",
    "bread.csv": """product,weight_g,price_eur,contains_nuts
Hollin crust,1000,5.90,no
Walnut loaf,750,6.40,yes
Harbour ring,420,4.20,yes
Fish bun,80,0.70,no
""",
    "turbine.csv": """month,output_kwh,hours,remarks
2023-11,1530,511,
2023-12,640,214,
2024-01,1022,350,
2024-02,1391,470,too much water; stopped after the flood
2024-03,1466,498,"Odo calls it ""the best month"" of all"
""",
    "loaf.txt": """DARK LOAF

Begin on Thursday.

Dough for one tin!
350 g rye flour
100 g strong white
2 tsp caraway, crushed

The leaven of the dark loaf is called Gertrude, and lives in the cellar.

Care of the leaven
Gertrude is fed on flour and water every second day, and never on Sundays, by whoever is in.
""",
    "repair.eml": """From: Ute Brandt <ute@service.example>
To: Pia Klein <pia@bakery.example>
Subject: Repair of oven B
Date: Tue, 15 Apr 2025 14:12:00 +0200
Content-Type: text/plain; charset=utf-8

Dear Pia,

we replaced the lower heating element and the door seal of the oven today.
The repair costs 640 euros including travel.
""",
    "workshop.md": """# Workshop manual

## Torque table

| Part | Thread | Torque (Nm) | Price (EUR) |
|---|---|---|---|
| Stem clamp | M5 | 5 | 31 |
| Bottom bracket | M36 | 60 | 24 |
| Brake calliper | M6 | 8 | 55 |
""",
    "sloop.json": """{"title": "Petrel", "builder": "Oake Yard", "length": "11 m", "berth": "C4"}
""",
    "alone.txt": """Working alone

1. Whom this concerns
Staff and volunteers who work in the mill with nobody in sight or hearing, by day and by night.

2. The buddy call
Text your buddy before you begin, and again when you leave. Who hears nothing for half an hour \
rings you, and then the miller.

3. The baker
The baker begins at half past three, and is alone until seven. He wears a pendant with an alarm.
""",
    "wide.txt": f"Gate{' ' * 4_000}The sluice gate of Ghent was painted by Odo Prins.\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LexicalGraph]:
    folder = tmp_path_factory.mktemp("shown")
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    with LexicalGraph.open(folder / "shown.lbug") as graph:
        graph.build(folder)
        yield graph


def asked(graph: LexicalGraph, question: str) -> Answer:
    answer = graph.ask(question, extractive=True)
    for citation in answer.citations:
        passage = citation.passage
        source = FILES[Path(passage.source.uri).name]
        assert source[passage.start : passage.end] == passage.text, "exact to the character"
    return answer


def shown(answer: Answer) -> str:
    return answer.sentences[0].text


def test_all_steps_are_shown_in_order_with_what_leads_them_in(graph: LexicalGraph) -> None:
    said = shown(asked(graph, "How do I descale the kettle?"))
    lines = ["once a month", "1. Pour in", "2. Wait", "The lid", "3. Pour the vinegar away"]
    places = [said.find(line) for line in lines]
    assert places == sorted(places)
    assert places[0] >= 0
    assert said.startswith("(Descaling the kettle)")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "What does the blue lamp of the kettle mean?",
            "(Faults) Lamp: blue; Meaning: too much scale; What to do: descale it",
        ),
        (
            "Is breakfast included at the Gravensteen?",
            "(choir) [04/02/2024, 18:09] Anselm: Which hotel did you book in Ghent?\n"
            "[04/02/2024, 18:11] Mirela: The Gravensteen. Breakfast is included.",
        ),
        ("What do guests pay a day?", "(Dues) - Guests pay 4 euros a day."),
        (
            "Who collects the dues of the rowing club?",
            "Members pay by the tenth of January. The dues are 90 euros a year, and it is the "
            "treasurer, Ilse Kamp, who collects them.",
        ),
    ],
)
def test_a_row_has_its_headers_a_turn_the_one_before_and_a_clause_its_paragraph(
    graph: LexicalGraph, question: str, text: str
) -> None:
    said = {each.text for each in asked(graph, question).sentences}
    assert said & {text, f"(Dues) {text}"}


def test_a_section_with_a_number_is_no_step_of_a_procedure(graph: LexicalGraph) -> None:
    sentences = asked(graph, "How does the buddy call work?").sentences
    (said,) = (each.text for each in sentences if "Text your buddy" in each.text)
    assert said.startswith("(2. The buddy call) Text your buddy before you begin")
    assert "pendant" not in said


@pytest.mark.parametrize(
    ("month", "row"), [("March 2024", "2024-03"), ("December 2023", "2023-12")]
)
def test_a_month_is_known_by_its_number(graph: LexicalGraph, month: str, row: str) -> None:
    said = graph.ask(f"How many kWh did the turbine give in {month}?").sentences
    assert [each.text for each in said if f"month: {row}" in each.text]


def test_a_line_of_a_list_is_no_heading_of_what_follows(graph: LexicalGraph) -> None:
    said = shown(asked(graph, "What is the leaven of the dark loaf called?"))
    assert said.startswith("The leaven of the dark loaf is called Gertrude")
    said = shown(asked(graph, "On which days is Gertrude never fed?"))
    assert said.startswith("(Care of the leaven) Gertrude is fed")


def test_a_row_is_shown_alone_whatever_marks_its_cells_hold(graph: LexicalGraph) -> None:
    said = shown(asked(graph, "What was remarked of the turbine in 2024-02?"))
    assert said.endswith(
        "month: 2024-02; output_kwh: 1391; hours: 470; "
        "remarks: too much water; stopped after the flood"
    )
    rows = asked(graph, "Which month does Odo call the best month of all?").sentences
    assert all(each.text.count("month: ") == 1 for each in rows)
    assert any(each.text.endswith('remarks: Odo calls it "the best month" of all') for each in rows)


def test_contents_captions_and_titles_are_never_shown(graph: LexicalGraph) -> None:
    for question in ("Descaling the kettle", "The kettle from the left?", "Kettle K2"):
        for sentence in asked(graph, question).sentences:
            assert "...." not in sentence.text
            assert "left.png" not in sentence.text


@pytest.mark.parametrize(
    ("question", "lead", "over"),
    [
        ("What is the price of the Hollin crust?", "5.90", ""),
        ("Which product is the cheapest?", "Fish bun", "smallest of 4 rows of column price_eur"),
        ("What is the heaviest product?", "Hollin crust", "largest of 4 rows of column weight_g"),
        (
            "Which part has the highest torque in the workshop manual?",
            "Bottom bracket",
            "largest of 3 rows of column Torque",
        ),
        (
            "What is the most expensive part in the manual of the workshop's bench?",
            "Brake calliper",
            "largest of 3 rows of column Price",
        ),
        (
            "Which products contain nuts?",
            "Walnut loaf, Harbour ring",
            "2 of 4 rows of column contains_nuts",
        ),
    ],
)
def test_rows_are_ranked_and_chosen_by_the_column_that_is_asked_for(
    graph: LexicalGraph, question: str, lead: str, over: str
) -> None:
    found = graph.ask(question)
    assert (found.lead, found.lead_over) == (lead, over)
    assert not any("Harbour ring,420" in each.text for each in found.sentences)


def test_a_fact_that_says_all_that_is_asked_leads(graph: LexicalGraph) -> None:
    assert graph.ask("What did the repair of oven B cost?").lead == "640 euros"


def test_a_field_is_shown_to_who_asks_for_it_alone(graph: LexicalGraph) -> None:
    assert "lower heating element" in graph.ask("What is wrong with oven B?").sentences[0].text
    sent = graph.ask("When was the mail on the repair of oven B sent?")
    assert any("2025-04-15" in each.text for each in sent.sentences)


def test_a_record_is_shown_whole_whatever_its_fields_are_called(graph: LexicalGraph) -> None:
    said = shown(graph.ask("Who built the Petrel?"))
    assert said.splitlines() == [
        "title: Petrel",
        "builder: Oake Yard",
        "length: 11 m",
        "berth: C4",
    ]


def test_a_line_that_is_mostly_blank_is_read(graph: LexicalGraph) -> None:
    assert "Odo Prins" in shown(asked(graph, "Who painted the sluice gate of Ghent?"))
