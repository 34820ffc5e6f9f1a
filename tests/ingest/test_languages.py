"""Languages: English and French by grammar, others by shape, and no English in disguise."""

from pathlib import Path

import pytest

from hlg.graph import LexicalGraph
from hlg.ingest.base import Extraction
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.languages import (
    LANGUAGES,
    grammar_of,
    language_advice,
    language_of,
)
from hlg.ingest.text.language import detect_language
from hlg.records import Chunk, Document

FRENCH = (
    "Le phare de Skarn a été construit en 1871 par Jonas Wiek, un ingénieur de Brest. "
    "Quand le temps est clair, les pêcheurs voient la lumière depuis le port."
)
GERMAN = (
    "Der Leuchtturm von Skarn wurde 1871 gebaut. Sie sahen ihn jeden Abend vom Hafen aus, wenn "
    "das Wetter gut war. Die Deutsche Seewarte in Hamburg hat das Licht im Jahre 1903 erneuert. "
    "Kein Schiff ist seitdem auf die Felsen gelaufen. Haben Sie Fragen an Angela Merkel oder an "
    "die BMW AG? Ihre Daten sind sicher."
)
SPANISH = (
    "El faro de Skarn fue construido en 1871. Los pescadores dicen que Juan Pérez vivió en la "
    "torre durante veinte años y que después se fue a Río de Janeiro con su familia."
)
RUSSIAN = (
    "Маяк построили в 1871 году на скале у входа в гавань. Инженер Иван Петров жил в башне "
    "двадцать лет, потом он уехал в Нижний Новгород вместе с семьёй и больше не возвращался."
)
CHINESE = (
    "这座灯塔建于一八七一年，位于港口入口处的岩石上。"
    "渔民们每天晚上都能看到灯光。他在塔里住了二十年。"
)


def read(text: str, title: str = "") -> Extraction:
    document = Document(uri="a.txt", title=title, text=text)
    return LocalExtractor().extract(document, [Chunk("c", "s", 0, 0, len(text), text)])


def names(text: str, title: str = "") -> set[str]:
    return {entity.name for entity in read(text, title).entities}


def facts(text: str) -> set[str]:
    """The facts of French sentences, which stand in a text that is French beyond doubt."""
    return {fact.text for fact in read(f"{text} {FRENCH}").facts} - {
        fact.text for fact in read(FRENCH).facts
    }


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (FRENCH, "fr"),
        (GERMAN, "de"),
        (SPANISH, "es"),
        (RUSSIAN, "ru"),
        (CHINESE, "zh"),
        ("The keeper of the light was in the tower when the ship struck the rocks of Skarn.", "en"),
        (
            "De vuurtoren was in 1871 gebouwd. In de winter was het licht niet te zien en we waren "
            "bang. Wat was er in de toren als men daar in de nacht of in de morgen was?",
            "nl",
        ),
        ("Skarn 1871", ""),
    ],
)
def test_a_texts_language_is_known(text: str, code: str) -> None:
    assert detect_language(text) == code


def test_what_is_too_short_to_tell_says_its_language_itself_or_is_english() -> None:
    short = Document(uri="a", title="", text="Skarn 1871", metadata={"language": "fr-CA"})
    assert language_of(short) == "fr"
    assert language_of(Document(uri="a", title="", text="Skarn 1871")) == "en"
    claimed = Document(uri="a", title="", text=GERMAN, metadata={"language": "en"})
    assert language_of(claimed) == "de"


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("Renault n'a pas vendu son usine de Flins.", "Renault n'a pas vendu son usine de Flins"),
        ("Marie Curie est née à Varsovie.", "Marie Curie est née à Varsovie"),
        ("Le Louvre se trouve à Paris.", "Louvre se trouve à Paris"),
        ("Lyon est la troisième ville de France.", "Lyon est la troisième ville de France"),
        ("Paul Durand, maire de Lyon, inaugure le pont.", "Paul Durand inaugure le pont"),
    ],
)
def test_french_facts_say_what_the_sentence_says(sentence: str, fact: str) -> None:
    assert fact in facts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Aucun navire n'a quitté Brest.",
        "Renault pourrait vendre son usine de Flins.",
        "Renault vendrait son usine de Flins.",
        "Si les ventes baissent, Renault ferme son usine de Flins.",
        "Selon le maire, Renault ferme son usine de Flins.",
        "D'après le maire, Renault ferme son usine de Flins.",
        "Le ministre a déclaré que Renault ferme son usine de Flins.",
        "Renault veut fermer son usine de Flins.",
        "Est-ce que Renault ferme son usine de Flins ?",
        "Elle a fermé son usine de Flins.",
        "« Renault ferme son usine de Flins », affirme un journal.",
    ],
)
def test_what_french_does_not_assert_is_no_fact(sentence: str) -> None:
    assert facts(sentence) == set()


def test_french_names_have_classes() -> None:
    found = {entity.name: entity.entity_class for entity in read(FRENCH).entities}
    assert (found["Jonas Wiek"], found["Brest"]) == ("Person", "Place")


def test_german_nouns_and_pronouns_are_no_names() -> None:
    assert names(GERMAN) == {"Deutsche Seewarte", "Angela Merkel", "BMW AG"}
    assert "Der Leuchtturm" in names(GERMAN, "Der Leuchtturm")


def test_names_of_other_languages_have_capitals() -> None:
    assert {"Juan Pérez", "Río de Janeiro"} <= names(SPANISH)
    assert not names(SPANISH) & {"El", "Los", "El faro"}
    assert {"Иван Петров", "Нижний Новгород"} <= names(RUSSIAN) | {
        name.removeprefix("Инженер ") for name in names(RUSSIAN)
    }


@pytest.mark.parametrize("text", [GERMAN, SPANISH, RUSSIAN, CHINESE])
def test_a_language_without_a_grammar_has_statements_and_no_facts(text: str) -> None:
    found = read(text)
    assert len(found.statements) >= 2
    assert found.facts == ()
    for statement in found.statements:
        assert text[statement.start : statement.end] == statement.text


def test_a_model_that_is_missing_leaves_the_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    import hlg.ingest.extract.local.languages as languages

    monkeypatch.setattr(languages, "find_spec", lambda name: None)
    assert grammar_of("fr") is grammar_of("other")
    (line,) = language_advice({"fr": 2}, frozenset())
    assert line.startswith("2 documents in 'fr': no facts; ")
    assert "[fr]" in line


def test_every_language_can_be_opened() -> None:
    for row in LANGUAGES.values():
        assert row.load().parse
        assert row.summary


def test_a_build_says_which_languages_were_read_by_shape(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(GERMAN, "utf-8")
    (tmp_path / "b.txt").write_text(FRENCH, "utf-8")
    with LexicalGraph.open(tmp_path / "graph.lbug") as graph:
        report = graph.build([tmp_path / "a.txt", tmp_path / "b.txt"])
    assert report.languages == {"de": 1, "fr": 1}
    shape, foreign = report.advice
    assert shape == "1 document in 'de': sentences and names by their shape, no facts"
    assert foreign.startswith("2 documents in languages that the embedder does not know;")
