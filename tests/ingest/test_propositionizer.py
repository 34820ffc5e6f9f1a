"""A propositionizer as the first stage of extraction: a real, tiny model that learnt a passage."""

from pathlib import Path

import pytest

from hlg.errors import ModelError
from hlg.graph import LexicalGraph
from hlg.ingest.extract.model.align import Aligner, left_out
from hlg.models.propositionizer import Propositionizer, read_propositions
from hlg.settings import load_settings
from support.language_model_server import ScriptedServer
from support.reading_model import reading_model
from support.tiny_seq2seq import save_model

TEXT = "Edith Vale founded Oake Yard. She sold Oake Yard."
ASKED = f"Title: Yard. Section: . Content: {TEXT}"
SAID = '["Edith Vale founded Oake Yard.", "Edith Vale sold Oake Yard."]'

PASSAGE = (
    "Prior to restoration work performed between 1990 and 2001, the tower leaned at an angle of "
    "5.5 degrees, but the tower now leans at about 3.99 degrees. This means the top of the "
    "Leaning Tower is displaced horizontally 3.9 meters (12 ft 10 in) from the center."
)
RECORDED = (
    '["Prior to restoration work performed between 1990 and 2001, the Leaning Tower of Pisa '
    'leaned at an angle of 5.5 degrees.", "The Leaning Tower of Pisa now leans at about 3.99 '
    'degrees.", "The top of the Leaning Tower of Pisa is displaced horizontally 3.9 meters (12 '
    'ft 10 in) from the center of the structure."]'
)
"""What such a model is published to have written of that passage."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("propositionizer")
    save_model(folder, {ASKED: SAID})
    return folder


def test_a_model_writes_propositions_the_same_every_time(model: Path) -> None:
    propositionizer = Propositionizer(str(model))
    said = ["Edith Vale founded Oake Yard.", "Edith Vale sold Oake Yard."]
    assert propositionizer.propositions("Yard", "", TEXT) == said
    assert propositionizer.propositions("Yard", "", TEXT) == said
    assert propositionizer.count_tokens("Edith Vale") == 2
    assert propositionizer.room == 512


def test_its_propositions_become_statements_and_only_the_second_stage_is_asked(
    model: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Yard.txt").write_text(TEXT)
    with ScriptedServer(reading_model) as server:
        settings = server.settings(
            extractor="llm", propositionizer=str(model), llm_cache=str(tmp_path / "a.sqlite")
        )
        with LexicalGraph.open(tmp_path / "g.lbug", settings=settings) as graph:
            report = graph.build([notes])
            (source,) = graph.sources()
            made = graph.store.read([source.id])[0]
            assert graph.build([notes]).skipped == 1
            asked = server.settings(extractor="llm", llm_cache=str(tmp_path / "a.sqlite"))
        with LexicalGraph.open(tmp_path / "g.lbug", settings=asked) as graph:
            assert graph.build([notes], dry_run=True).changed == 1, "another first stage"
    assert report.failed == ()
    assert [each.schema for each in server.asked] == ["FoundGraph"]
    assert source.title == "Yard"
    assert [(each.text, each.details) for each in made.statements] == [
        ("Edith Vale founded Oake Yard.", ""),
        ("She sold Oake Yard.", "Edith Vale"),
    ]
    assert "Edith Vale sold Oake Yard" in {fact.text for fact in made.facts}


def test_what_the_model_makes_nothing_of_is_taken_by_sentences(model: Path, tmp_path: Path) -> None:
    (tmp_path / "Ship.txt").write_text("Mara Quill sold the Gannet. " * 40)
    with ScriptedServer(reading_model) as server:
        settings = server.settings(extractor="llm", propositionizer=str(model))
        with LexicalGraph.open(tmp_path / "g.lbug", settings=settings) as graph:
            report = graph.build([tmp_path / "Ship.txt"])
    assert (report.added, report.failed) == (1, ())
    assert report.statements


def test_recorded_propositions_are_put_back_on_the_text() -> None:
    aligner = Aligner(PASSAGE)
    said = read_propositions(RECORDED)
    assert len(said) == 3
    found = []
    for proposition in said:
        span = aligner.span_of(proposition)
        assert span is not None
        text = PASSAGE[slice(*span)]
        found.append((text[:30], text[-30:], left_out(proposition, text)))
    assert found == [
        ("Prior to restoration work perf", "ned at an angle of 5.5 degrees", "Pisa"),
        ("but the tower now leans at abo", "w leans at about 3.99 degrees.", "Pisa"),
        ("This means the top of the Lean", "(12 ft 10 in) from the center.", "Pisa; structure"),
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('["One is.", "Two are.", "One is."]', ["One is.", "Two are."]),
        ('["One is.", "Two a', ["One is."]),
        (r'["She said \"no\".", "It\'s it.", ""]', ['She said "no".', r"It\'s it."]),
        ('["One\nis.", 3, null]', ["One is."]),
        ('{"a": "One is."}', []),
        ("no list", []),
        ("[" * 5_000, []),
    ],
)
def test_what_is_written_is_read_as_far_as_it_goes(written: str, said: list[str]) -> None:
    assert read_propositions(written) == said


def test_another_extractor_says_that_it_does_nothing(tmp_path: Path) -> None:
    (tmp_path / "Yard.txt").write_text(TEXT)
    settings = load_settings(propositionizer="some-model")
    with LexicalGraph.open(tmp_path / "g.lbug", settings=settings) as graph:
        (line,) = graph.build([tmp_path / "Yard.txt"]).advice
    assert line == "the setting propositionizer did nothing: it is for --extractor llm"


def test_one_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no-such' can't be loaded .*\[torch\]"):
        Propositionizer(str(tmp_path / "no-such"))
