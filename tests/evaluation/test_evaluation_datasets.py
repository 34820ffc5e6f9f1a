"""Data sets are read in every layout that people have them in."""

import json
from pathlib import Path
from typing import Any

import pytest

from hlg.errors import InputError
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Span
from support.datasets import write_dataset

CORPUS = [
    {"_id": "d1", "title": "Ada", "text": "Ada met Charles. She wrote notes."},
    {"_id": "d2", "title": "Charles", "text": "Charles designed an engine."},
]


def our_layout(folder: Path, *queries: dict[str, Any]) -> Path:
    return write_dataset(folder, corpus=CORPUS, queries=queries)


def test_our_layout_gives_documents_questions_and_both_shapes_of_spans(tmp_path: Path) -> None:
    folder = our_layout(
        tmp_path,
        {
            "_id": "q1",
            "text": "Who?",
            "type": "bridge",
            "gold": ["d1", "d2"],
            "answer": "Ada",
            "aliases": ["Ada L."],
            "spans": [
                {"doc": "d2", "start": 0, "end": 7, "fact": "Charles"},
                {"content": "She wrote", "start_index": 17, "end_index": 26},
            ],
        },
        {"_id": "q2", "text": "Nothing?", "type": None, "gold": []},
    )
    dataset = load_dataset(folder)
    first, null = dataset.questions
    assert dataset.corpus_file == folder / "corpus.jsonl"
    assert [document.id for document in dataset.documents] == ["d1", "d2"]
    assert first.spans == (Span("d2", 0, 7), Span("d1", 17, 26))
    assert first.answers == ("Ada", "Ada L.")
    assert null.gold == ()
    assert dataset.answerable() == (first,)


def test_gold_sentences_become_spans_where_their_document_has_them(tmp_path: Path) -> None:
    sentences = [["d1", "She wrote notes."], ["d2", "Not in there."]]
    dataset = load_dataset(
        our_layout(tmp_path, {"_id": "q", "text": "?", "gold": ["d1"], "gold_sentences": sentences})
    )
    assert dataset.questions[0].spans == (Span("d1", 17, 33),)


def test_beir_layout_reads_the_test_judgements_with_their_grades(tmp_path: Path) -> None:
    our_layout(tmp_path, *({"_id": x, "text": x} for x in ("judged", "irrelevant", "training")))
    (tmp_path / "qrels").mkdir()
    header = "query-id\tcorpus-id\tscore\n"
    (tmp_path / "qrels" / "test.tsv").write_text(
        header + "judged\td1\t2\njudged\td2\t1\nirrelevant\td1\t0\n"
    )
    (tmp_path / "qrels" / "train.tsv").write_text(header + "training\td1\t1\n")
    judged, irrelevant = load_dataset(tmp_path).questions
    assert (judged.gold, judged.grades) == (("d1", "d2"), (2, 1))
    assert irrelevant.gold == ()


MUSIQUE = {
    "id": "2hop__1_2",
    "question": "Who designed what?",
    "answer": "Charles",
    "answer_aliases": ["Babbage"],
    "paragraphs": [
        {"title": "Charles", "paragraph_text": "He designed it.", "is_supporting": True},
        {"title": "Ada", "paragraph_text": "She wrote.", "is_supporting": False},
    ],
}
HOTPOT = {
    "_id": "h1",
    "question": "Who wrote?",
    "answer": "Ada",
    "type": "bridge",
    "context": [["Ada", ["She ", "wrote."]], ["Charles", ["He designed it."]]],
    "supporting_facts": [["Ada", 0], ["Ada", 1]],
}


@pytest.mark.parametrize(
    ("sample", "expected"),
    [(MUSIQUE, ("2hop__1_2", "2hop", ("set-1",))), (HOTPOT, ("h1", "bridge", ("set-0",)))],
)
def test_hipporag_layout_matches_gold_to_its_corpus(
    tmp_path: Path, sample: dict[str, Any], expected: tuple[str, str, tuple[str, ...]]
) -> None:
    corpus = [
        {"title": "Ada", "text": "She wrote."},
        {"title": "Charles", "text": "He designed it."},
        {"title": "Charles", "text": "Another one."},
    ]
    (tmp_path / "set.json").write_text(json.dumps([sample]))
    (tmp_path / "set_corpus.json").write_text(json.dumps(corpus))
    for path in (tmp_path, tmp_path / "set.json"):
        dataset = load_dataset(path)
        question = dataset.questions[0]
        assert (question.id, question.type, question.gold) == expected
        assert dataset.missing_gold() == 0


def test_gold_that_no_document_answers_to_is_counted(tmp_path: Path) -> None:
    dataset = load_dataset(our_layout(tmp_path, {"_id": "q", "text": "?", "gold": ["d1", "gone"]}))
    assert dataset.missing_gold() == 1


def test_the_fingerprint_moves_with_the_questions(tmp_path: Path) -> None:
    query = {"_id": "q", "text": "Who?", "gold": ["d1"]}
    first = load_dataset(our_layout(tmp_path, query)).fingerprint()
    assert load_dataset(tmp_path).fingerprint() == first
    assert load_dataset(our_layout(tmp_path, {**query, "gold": ["d2"]})).fingerprint() != first


def test_a_folder_without_a_data_set_says_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"corpus\.jsonl.*NAME_corpus\.json"):
        load_dataset(tmp_path)


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ('{"_id": "q", "text": "?"}', r"queries\.jsonl:1: gold: Field required"),
        ('{"_id": "q"', r"queries\.jsonl:1"),
        ("", "there is no question in it"),
        ('{"_id": "q", "text": "?", "gold": []}\n' * 2, "'q' is there more than once"),
        (
            '{"_id": "q", "text": "?", "gold": ["d1"], "spans": '
            '[{"content": "x", "start_index": 0, "end_index": 1}]}',
            "whose content is in none of its gold documents",
        ),
    ],
)
def test_a_damaged_data_set_is_one_clear_line(tmp_path: Path, queries: str, message: str) -> None:
    our_layout(tmp_path)
    (tmp_path / "queries.jsonl").write_text(queries)
    with pytest.raises(InputError, match=message) as caught:
        load_dataset(tmp_path)
    assert "\n" not in str(caught.value)
