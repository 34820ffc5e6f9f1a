"""What pronouns mean in texts marked for it: the marks that the trees of links learn from."""

import json
import lzma
from pathlib import Path

from benchmarks.training.frames.links import COREF, WRITTEN, CorefText, is_tested, marked_corefs
from benchmarks.training.reading.asked import folders


def marked_in(tmp_path: Path, *rows: dict[str, object]) -> list[CorefText]:
    path = tmp_path / "marks.jsonl.xz"
    path.write_bytes(lzma.compress("\n".join(map(json.dumps, rows)).encode()))
    return list(marked_corefs(path, tmp_path))


def test_texts_are_read_where_they_stand_up_to_where_they_were_marked(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    text = "Ada Lind left. She came back. He stayed."
    corpus = json.dumps({"_id": "n1", "title": "Ada", "text": text})
    (tmp_path / "notes" / "corpus.jsonl").write_text(corpus + "\n", "utf-8")
    mentions = [[0, 8, 0], [15, 18, 0]]
    row = {"set": "notes", "document": "n1", "title": "Ada", "end": 29, "mentions": mentions}
    (found,) = marked_in(tmp_path, row)
    assert (found.id, found.genre, found.title) == ("notes n1", "notes", "Ada")
    assert [found.text[start:end] for start, end, _ in found.mentions] == ["Ada Lind", "She"]
    assert found.text == text[:29]


def test_the_marks_of_written_folders_are_words_of_theirs(tmp_path: Path) -> None:
    with lzma.open(COREF, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    texts = marked_in(tmp_path, *(row for row in rows if row["set"] == WRITTEN))
    assert len(texts) > len(folders())
    for each in texts:
        assert all(each.text[start:end].strip() for start, end, _ in each.mentions), each.id
        things = {number for _, _, number in each.mentions}
        assert len(things) < len(each.mentions)  # something is meant again


def test_a_fourth_of_the_texts_tests() -> None:
    texts = [CorefText(f"notes n{number}") for number in range(1000)]
    assert 0.2 < sum(map(is_tested, texts)) / len(texts) < 0.3
