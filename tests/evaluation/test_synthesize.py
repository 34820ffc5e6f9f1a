"""A data set out of a graph, as files that evaluation reads: by its facts, or by a model."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.evaluation.corpus import sources_of
from hlg.evaluation.data.cut import in_parts
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Span
from hlg.evaluation.synthesis.facts import (
    StatedFact,
    asked_facts,
    asked_paths,
    is_read,
)
from hlg.evaluation.synthesis.hops import Segment, names_in, pairs, segments, tells_of
from hlg.evaluation.synthesis.making import names_others, question_of, unfit
from hlg.graph import LexicalGraph
from hlg.names import is_part
from hlg.records import Entity, Fact
from support.command_line import hlg, ran
from support.language_model_server import Asked, Refusal, ScriptedServer, Turn


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "yard.md").write_text(
        "# Oake Yard\n\nOake Yard built the Petrel. Henrike Oake founded Oake Yard in Corven. "
        "The Petrel struck Gull Teeth. Aksel Thorne commanded the Petrel.\n",
        "utf-8",
    )
    with LexicalGraph.open(folder / "notes.lbug") as graph:
        graph.build([folder / "yard.md"])
    return folder / "notes.lbug"


def test_questions_ask_for_one_side_of_facts(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "made"
    done = ran("eval", "synthesize", str(out), "--store", str(notes))
    assert done.stdout.endswith(f"next: hlg eval run {out} --store {notes}\n")
    made = load_dataset(out)
    assert len(made.questions) >= 3
    (document,) = made.documents
    for question in made.questions:
        (answer,) = question.answers
        (span,) = question.spans
        assert question.gold == (document.id,)
        assert answer in document.text[span.start : span.end]
        assert answer not in question.text


def test_as_many_as_are_wanted_and_the_same_every_time(notes: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        asked = ("eval", "synthesize", str(tmp_path / name), "--questions", "2")
        ran(*asked, "--store", str(notes))
    first, second = (tmp_path / name / "queries.jsonl" for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_text("utf-8").splitlines()) == 2


@pytest.mark.parametrize("recipe", ["facts", "paths"])
def test_what_several_sources_state_is_asked_once(tmp_path: Path, recipe: str) -> None:
    said = "Oake Yard built the Petrel. Aksel Thorne commanded the Petrel."
    for name in ("one", "other"):
        text = f"# The {name}\n\nHenrike Oake founded Oake Yard. {said}\n"
        (tmp_path / f"{name}.md").write_text(text, "utf-8")
    store = tmp_path / "both.lbug"
    with LexicalGraph.open(store) as graph:
        graph.build([tmp_path])
    out = tmp_path / "made"
    ran("eval", "synthesize", str(out), "--store", str(store), "--recipe", recipe)
    ids = [each.id for each in load_dataset(out).questions]
    assert len(set(ids)) == len(ids) > 0


def stated(*facts: tuple[str, str, str]) -> list[StatedFact]:
    """Facts between things of these names, each stated somewhere else."""
    return [
        StatedFact(
            Fact(id=f"f{place}", text="", predicate=predicate, subject_id="", statement_ids=()),
            Entity(subject, subject, "Place"),
            Entity(object_, object_, "Place"),
            Span("d", place, place + 1),
        )
        for place, (subject, predicate, object_) in enumerate(facts)
    ]


def test_only_what_has_one_answer_that_is_not_given_away_is_asked() -> None:
    facts = stated(
        ("Elm", "lies in", "Arkansas"),
        ("McRae", "is city in", "Texas"),
        ("Oake Yard", "built", "Petrel"),
        ("Star", "was built by", "Hale Yard"),
        ("Oake Yard", "built", "Heron"),
        ("Elm Lodge", "stands in", "Elm"),
        ("Norway", "is bordered by", "Sweden"),
        ("Norway", "is bordered by", "Finland"),
    )
    assert [each.text for each in asked_facts(facts)] == [
        "Elm lies in what?",
        "McRae is city in what?",  # and not: What is city in Texas?
        "What was built by Hale Yard?",
        "What stands in Elm?",
        "What is bordered by Finland?",
    ]
    ways = stated(
        ("Elm Lodge", "stands in", "Elm"),
        ("Elm", "lies in", "Arkansas"),
        ("Vale", "is", "Oake"),  # who is someone: a role that many have
        ("Oake", "founded", "Oake Yard"),
        ("Jan", "knew", "Norway"),
        ("Norway", "is bordered by", "Sweden"),
        ("Norway", "is bordered by", "Finland"),
    )
    assert [each.text for each in asked_paths(ways)] == [
        "Elm Lodge stands in something that lies in what?"
    ]


def test_a_graph_without_facts_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Nothing to see here.", "utf-8")
    with LexicalGraph.open(tmp_path / "a.lbug") as graph:
        graph.build([tmp_path / "a.txt"])
    done = hlg("eval", "synthesize", str(tmp_path / "o"), "--store", str(tmp_path / "a.lbug"))
    assert done.exit_code == 2
    assert "only 0 questions can be made out of the graph" in done.stderr
    assert not (tmp_path / "o").exists()


FOUNDED = "Henrike Oake founded Oake Yard in 1888."
BORN = "Aksel Thorne was born in Vessen."
TEXTS = {
    "yard": f"Oake Yard stands in Corven. {FOUNDED} Oake Yard built the Petrel in 1904.",
    "ship": "The Petrel is a lifeboat of the Skarn Rescue Society. Aksel Thorne commanded the "
    f"Petrel. {BORN}",
    "rescue": "The Skarn Rescue Society was founded by Edith Vale. The Skarn Rescue Society "
    "keeps the Petrel in Corven. The Tern outran the Kittiwake off Hale after the Kittiwake had "
    "outrun the Auk off Corven.",
}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("town")
    for name, text in TEXTS.items():
        title = "Oake Yard" if name == "yard" else f"The {name}"
        (folder / f"{name}.md").write_text(f"# {title}\n\n{text}\n", "utf-8")
    with LexicalGraph.open(folder / "town.lbug") as graph:
        graph.build([folder / f"{name}.md" for name in TEXTS])
    return folder / "town.lbug"


def prompt_of(asked: Asked) -> str:
    """Which prompt it is, by what only its text says."""
    marks = {
        "Further": "You list what a passage is about",
        "one": "questions that it answers",
        "two": "who has only one of the two",
        "alone": "from one passage alone",
        "many": "sum up what several documents say",
        "refine": "You look over a question",
        "claims": "You take apart",
        "check": "You look which of",
    }
    return next(name for name, mark in marks.items() if mark in asked.text)


def pair(question: str, answer: str, *evidence: str) -> dict[str, object]:
    return {"question": question, "answer": answer, "evidence": evidence}


def questioner(asked: Asked) -> Turn:
    """A model that does as it is told, by what it is shown."""
    match prompt_of(asked):
        case "Further":
            return json.dumps({"names": ["Petrel", "Nowhere Hall"]})
        case "one":
            good = pair("Who founded Oake Yard?", "Henrike Oake", FOUNDED)
            bad = pair("When did it close?", "in 1999", "It closed in 1999.")
            of_it = pair("What is the title of the first passage?", "Oake Yard", FOUNDED)
            if "Henrike Oake" in asked.material("passage"):
                return json.dumps({"questions": [good, bad, of_it]})
            another = pair("Who built the Star at Hale Yard?", "the", "the Petrel")
            elsewhere = pair("When was it built?", "1904", "the Petrel")
            return json.dumps({"questions": [another, elsewhere]})
        case "two":
            needs = pair("Where was the Petrel's captain born?", "Vessen", BORN, "the Petrel")
            told = "Aksel Thorne commanded the\nPetrel."
            easy = pair("Who commanded the Petrel?", "Aksel Thorne", told, "the Petrel")
            return json.dumps({"questions": [needs, easy]})
        case "alone":
            knows = "commanded" in asked.material("question")
            told = knows and "commanded" in asked.material("passage")
            return json.dumps({"answer": "Aksel Thorne" if told else ""})
        case "many":
            return json.dumps({"question": "What of the Petrel?", "answer": "-", "passages": [1]})
        case "refine":
            said = {"question": "Who built, commanded and keeps the Petrel?", "keep": True}
            answer = "Oake Yard built it, Aksel Thorne commanded it."
            return json.dumps(said | {"answer": answer, "passages": [1, 2, 3, 9]})
        case "claims":
            return json.dumps({"claims": ["Oake Yard built the Petrel."]})
        case _:
            follows = "built the Petrel" in asked.material("text")
            return json.dumps({"follow": [1] if follows else []})


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    with ScriptedServer(questioner) as server:
        settings = server.settings()
        for name in ("llm", "llm_url", "llm_cache"):
            monkeypatch.setenv(f"HLG_{name.upper()}", str(getattr(settings, name)))
        monkeypatch.setenv("HLG_LLM_API_KEY", "s3cret")
        yield server


def made_by(recipe: str, town: Path, out: Path, *more: str) -> tuple[Dataset, str]:
    done = hlg("eval", "synthesize", str(out), "--store", str(town), "--recipe", recipe, *more)
    assert done.exit_code == 0, done.output
    return load_dataset(out), done.stdout


def test_paths_ask_over_two_facts(town: Path, tmp_path: Path) -> None:
    made, _ = made_by("paths", town, tmp_path / "made")
    texts = {document.id: document.text for document in made.documents}
    for question in made.questions:
        told = [texts[x.document_id][x.start : x.end] for x in question.spans]
        assert len(told) == 2
        assert question.answers[0] in told[1]
        assert question.answers[0] not in question.text
    assert "Henrike Oake founded something that built what?" in {x.text for x in made.questions}


def test_a_set_is_written_in_three_parts_as_well(town: Path, tmp_path: Path) -> None:
    made, said = made_by("facts", town, tmp_path / "made", "--split")
    parts = [load_dataset(tmp_path / f"made-{x}") for x in ("train", "validation", "test")]
    sizes = [len(part.questions) for part in parts]
    assert sizes[0] > sizes[1] + sizes[2]
    assert f"{sizes[2]} of them in made-test, beside it" in said
    ids = [question.id for part in parts for question in part.questions]
    assert sorted(ids) == sorted(question.id for question in made.questions)
    assert all(part.documents == made.documents for part in parts)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=80))
def test_every_type_has_the_same_shares_in_all_parts(types: list[str]) -> None:
    asked = tuple(question_of("?", "x", kind, (), str(at)) for at, kind in enumerate(types))
    made = Dataset("made", (), asked)
    parts = {part.name: part.questions for part in in_parts(made)}
    assert {part.name: part.questions for part in in_parts(made)} == parts
    assert sorted(sum(parts.values(), ()), key=asked.index) == list(asked)
    for kind in set(types):
        trained = sum(question.type == kind for question in parts.get("made-train", ()))
        assert abs(trained - 0.7 * types.count(kind)) <= 0.5


@pytest.mark.parametrize(("recipe", "passages", "files"), [("sf2h", 2, 1), ("mf2h", 2, 2)])
def test_without_a_model_both_facts_are_of_one_file_or_of_two(
    recipe: str, passages: int, files: int, town: Path, tmp_path: Path
) -> None:
    made, said = made_by(recipe, town, tmp_path / "made", "--local")
    assert {(len(x.spans), len(x.gold)) for x in made.questions} == {(passages, files)}
    assert f"kept {len(made.questions)}" in said


def test_without_a_model_the_reader_has_to_find_the_answer(town: Path, tmp_path: Path) -> None:
    made, said = made_by("sf1h", town, tmp_path / "made", "--local")
    of_all, _ = made_by("facts", town, tmp_path / "all")
    kept, offered = ({x.text for x in each.questions} for each in (made, of_all))
    assert "Aksel Thorne was born in what?" in kept
    assert kept < offered
    dropped = f"dropped: the reader does not find the answer {len(offered - kept)}"
    assert f"{dropped}, kept {len(kept)}" in said


@pytest.mark.parametrize(
    ("question", "answer", "is_right"),
    [
        ("Who founded Oake Yard?", "Henrike Oake", True),
        ("What was founded by Henrike Oake?", "Oake Yard", True),
        ("Who was born in Vessen?", "Henrike Oake", False),
        ("When was Oake Yard founded?", "Henrike Oake", False),
        ("Who founded Oake Yard?", "Edith Vale", False),
    ],
)
def test_the_reader_finds_an_answer_only_where_the_evidence_says_so(
    question: str, answer: str, is_right: bool
) -> None:
    text = "Henrike Oake founded Oake Yard in 1888."
    document = DatasetDocument("yard.md", "The yard", text)
    asked = question_of(question, answer, "", [Span("yard.md", 0, len(text))])
    assert is_read(asked, {"yard.md": document}) == is_right


def test_what_needs_a_model_or_its_options_is_refused_without(town: Path, tmp_path: Path) -> None:
    for recipe, why in (
        ("multi-hop", "can't be made without a language model"),
        ("mf2h:words=60", "without a model mf2h takes no options"),
    ):
        asked = ("eval", "synthesize", str(tmp_path / "no"), "--recipe", recipe, "--local")
        assert why in ran(*asked, "--store", str(town), code=2).stderr


def test_one_segment_answers_in_its_own_words(
    town: Path, tmp_path: Path, model: ScriptedServer
) -> None:
    made, said = made_by("sf1h:words=60,least=5", town, tmp_path / "made")
    (question,) = made.questions
    (span,) = question.spans
    text = {x.id: x.text for x in made.documents}[span.document_id]
    assert text[span.start : span.end] == FOUNDED
    assert question.answers == ("Henrike Oake",)
    assert "dropped: its evidence stands nowhere in the text 1" in said
    assert "dropped: the answer stands nowhere in its evidence" in said
    assert "dropped: the question speaks of the text 1" in said
    assert "dropped: the question names what the text does not" in said
    assert "kept 1" in said


def test_a_second_run_pays_for_nothing(
    town: Path, tmp_path: Path, model: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLG_LLM_CACHE", str(tmp_path / "answers.sqlite"))
    recipe = "sf1h:words=60,least=5"
    first, _ = made_by(recipe, town, tmp_path / "first")
    paid = len(model.asked)
    second, _ = made_by(recipe, town, tmp_path / "second", "--budget", "0")
    assert second.questions == first.questions
    assert len(model.asked) == paid > 0


def test_two_segments_share_a_name_and_both_are_needed(
    town: Path, tmp_path: Path, model: ScriptedServer
) -> None:
    made, said = made_by("mf2h:words=60,least=5", town, tmp_path / "made")
    assert {x.text for x in made.questions} == {"Where was the Petrel's captain born?"}
    assert all(len(set(x.gold)) == 2 for x in made.questions)
    texts = {x.id: x.text for x in made.documents}
    told = {texts[x.document_id][x.start : x.end] for q in made.questions for x in q.spans}
    assert told == {BORN, "the Petrel"}
    assert "dropped: one passage suffices" in said
    assert "Further" in {prompt_of(asked) for asked in model.asked}


def test_names_are_the_graphs_alone_where_that_is_wanted(
    town: Path, tmp_path: Path, model: ScriptedServer
) -> None:
    made, _ = made_by("mf2h:words=60,least=5,fill=false", town, tmp_path / "made")
    assert len(made.questions) == 1
    assert {prompt_of(asked) for asked in model.asked} == {"two", "alone"}


def test_nobody_is_asked_whether_a_bad_question_needs_both(
    town: Path, tmp_path: Path, model: ScriptedServer
) -> None:
    good = "Where was the Petrel's captain born?"
    wrong = ("Who wrote the second passage?", "Was Aksel Thorne born in Vessen?")
    asked = [pair(text, "Vessen", BORN, "the Petrel") for text in (*wrong, good)]
    model.script = lambda prompt: (
        json.dumps({"questions": asked}) if prompt_of(prompt) == "two" else questioner(prompt)
    )
    made, said = made_by("mf2h:words=60,least=5,fill=false", town, tmp_path / "made")
    judged = [each for each in model.asked if prompt_of(each) == "alone"]
    assert {good} == {each.material("question") for each in judged}
    assert [each.text for each in made.questions] == [good]
    for dropped in ("speaks of the text", "gives its answer away"):
        assert f"dropped: the question {dropped}" in said


def test_of_what_one_passage_says_in_all_its_words_nobody_is_asked(
    town: Path, tmp_path: Path, model: ScriptedServer
) -> None:
    _, said = made_by("mf2h:words=60,least=5,fill=false", town, tmp_path / "made")
    assert "dropped: one passage suffices" in said
    judged = {each.material("question") for each in model.asked if prompt_of(each) == "alone"}
    assert judged == {"Where was the Petrel's captain born?"}


def test_a_question_that_speaks_of_its_text_is_unfit_and_one_about_documents_is_not() -> None:
    of_it = [
        "What do the passages say?",
        "How do the two documents differ?",
        "Who wrote this text?",
        "Who is the author of the thesis?",
        "What was compared in this study?",
    ]
    assert all(unfit(question, "-") for question in of_it)
    assert not unfit("Who leaked the documents?", "Ada Thorne")
    assert not unfit("Who published the passage ranking set of Corven?", "Ada Thorne")
    assert not unfit("Which boats were compared in the study on lifeboats?", "the Petrel")
    assert not unfit("Who built the paper mill of Corven?", "Ada Thorne")
    assert not unfit("Was the Petrel or the Heron built first?", "the Petrel")


def test_what_a_question_names_after_its_first_word_stands_in_its_text() -> None:
    text = "Oake Yard built two LLM engines for the Petrel."
    assert not names_others("Which yard built the Petrel's LLMs?", text)
    assert not names_others("Petrels are built where?", text)
    assert names_others("Which yard built the Star?", text)


SEVERAL = "multi-hop:documents=3,least=2,alike=0"


def test_several_documents_are_needed_and_bear_the_answer_out(
    town: Path, tmp_path: Path, model: ScriptedServer
) -> None:
    made, said = made_by(SEVERAL, town, tmp_path / "made")
    assert "has 3.0 passages of 3.0 documents, and names 1.0 entities, its answer 2.0" in said
    assert {x.text for x in made.questions} == {"Who built, commanded and keeps the Petrel?"}
    assert all(len(set(x.gold)) >= 2 for x in made.questions)
    for recipe, by, why in (
        (SEVERAL, "no text", "its passages do not bear the answer out"),
        (f"{SEVERAL},retriever=statements", "# The", "the search does not bear the answer out"),
    ):
        model.script = lambda asked, by=by: (
            json.dumps({"follow": [1] if by in asked.material("text") else []})
            if prompt_of(asked) == "check"
            else questioner(asked)
        )
        asked = ("eval", "synthesize", str(tmp_path / "none"), "--recipe", recipe)
        assert why in ran(*asked, "--store", str(town), code=2).stderr
    model.asked.clear()
    of_it = {"question": "What do the passages say?", "answer": "Much.", "passages": [1, 2]}
    model.script = lambda asked: (
        json.dumps(of_it | {"keep": True}) if prompt_of(asked) == "refine" else questioner(asked)
    )
    done = hlg(
        "eval", "synthesize", str(tmp_path / "no"), "--store", str(town), "--recipe", SEVERAL
    )
    assert "dropped: the question speaks of the text" in done.stderr
    assert {prompt_of(asked) for asked in model.asked} == {"many", "refine"}


@pytest.mark.parametrize(
    ("more", "asked", "why"),
    [
        ("", 3, "dropped: no question takes so many documents 3, kept 0"),
        (",each=1", 1, "dropped: no question takes so many documents 1, kept 0"),
        (",alike=1.1", 0, "kept 0"),
    ],
)
def test_nobody_is_asked_about_topics_that_are_not_alike_nor_of_chunks_again_and_again(
    more: str, asked: int, why: str, town: Path, tmp_path: Path, model: ScriptedServer
) -> None:
    model.script = lambda _: json.dumps({"question": "", "answer": "", "passages": []})
    recipe = ("--recipe", f"{SEVERAL}{more}")
    done = hlg("eval", "synthesize", str(tmp_path / "no"), "--store", str(town), *recipe)
    assert why in done.stderr
    assert [prompt_of(each) for each in model.asked] == ["many"] * asked


def test_a_recipe_needs_a_model_and_survives_one_that_fails(
    town: Path, tmp_path: Path, model: ScriptedServer
) -> None:
    model.script = lambda asked: (
        Refusal(400) if "Rescue" in asked.text and prompt_of(asked) == "one" else questioner(asked)
    )
    _, said = made_by("sf1h:words=20,least=5", town, tmp_path / "made", "--budget", "1")
    assert "dropped: the model gave no usable answer" in said
    done = hlg(
        *("eval", "synthesize", str(tmp_path / "o"), "--store", str(town), "--recipe", "sf2h"),
        *("--set", "llm="),
    )
    assert done.exit_code == 2
    assert "language model" in done.stderr


@given(st.lists(st.sampled_from(["a", "bb", "\n", " "]), max_size=80), st.integers(1, 9))
def test_segments_hold_every_word_once(pieces: list[str], words: int) -> None:
    document = DatasetDocument("d", "", " ".join(pieces))
    found = list(segments(document, words, 1))
    assert [word for each in found for word in each.text.split()] == document.text.split()
    assert all(len(each.text.split()) <= words for each in found)


def test_a_segment_ends_with_a_sentence_and_holds_no_references() -> None:
    text = (
        "# Yard\n\nOake Yard built the Petrel. She is a lifeboat.\n\n## Crew\n\n"
        "1. Aksel Thorne commanded her.\n2. Edith Vale paid.\n\n"
        "## References\n\n[1] E. Vale. 1904. Lifeboats of Skarn. Corven.\n\n"
        "## Annex\n\nShe struck Gull Teeth."
    )
    found = segments(DatasetDocument("d", "", text), 12, 3)
    assert [" ".join(each.text.split()) for each in found] == [
        "Yard Oake Yard built the Petrel. She is a lifeboat.",
        "## Crew 1. Aksel Thorne commanded her. 2. Edith Vale paid.",
        "Annex She struck Gull Teeth.",
    ]


def test_who_is_cited_is_no_name_to_share() -> None:
    cited = ["As Vale et al. say", "[Vale, 1904]", "Vale and Oake (1904)", "Vale and others (1904)"]
    assert not any(tells_of(text, "Vale") for text in cited)
    assert tells_of("Edith Vale and Henrike Oake met in 1904.", "Edith Vale")
    assert not tells_of("Oake met her.", "Vale")


def test_what_is_told_beyond_a_segments_end_is_not_its_name(town: Path) -> None:
    with LexicalGraph.open(town, read_only=True) as graph:
        document, found = next(x for x in sources_of(graph.store) if "Edith Vale" in x[0].text)
    end = document.text.index("Edith Vale") + len("Edith")
    assert "Edith Vale" not in names_in(found, Segment(document, 0, end))
    assert "Edith Vale" in names_in(found, Segment(document, 0, len(document.text)))


def test_a_documents_own_parts_are_no_names_to_share() -> None:
    parts = ["Figure 2", "Table VII", "Section", "Appendix B", "Appendix A.1", "Fig. 3", "eq. 4"]
    assert all(is_part(name) for name in [*parts, "Figure 2 in Appendix", "Algorithm 1"])
    assert not any(is_part(name) for name in ["Table Mountain", "Figuera", "Step Change", "BEIR"])


def test_pairs_share_the_rarest_names_first_and_no_segment_is_in_many() -> None:
    one, other = (DatasetDocument(name, "", "x") for name in ("one", "other"))
    found = [
        Segment(one, 0, 1, ("Petrel", "Corven")),
        Segment(one, 1, 2, ("Corven",)),
        Segment(other, 0, 1, ("petrel", "Corven")),
        Segment(other, 1, 2, ("Corven", "Vessen")),
    ]
    assert pairs(found, of_one_file=True, shared=1, each=3) == [(0, 1), (2, 3)]
    across = pairs(found, of_one_file=False, shared=1, each=1)
    assert across == [(0, 2), (1, 3)]
    assert pairs(found, of_one_file=False, shared=2, each=3) == [(0, 2)]
