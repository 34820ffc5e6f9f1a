"""The training of the network that reads passages: its examples, and that it learns from them."""

import random
from pathlib import Path

import numpy as np
import torch
from transformers import BertConfig, BertModel

from benchmarks.training.reading.asked import FolderQuestion, Quote
from benchmarks.training.reading.examples import Example, folder_examples
from benchmarks.training.reading.network import ReadingNetwork
from benchmarks.training.reading.train import Batch, Options, encode, logits_of, loss_by, train
from hlg.asking.found import FoundEvidence
from hlg.records import Passage, SourceRef
from hlg.reports import SearchResult
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.subgraph import Subgraph

MAKER = "The tide organ was built by Lotte Wiek."
TEACHER = "Jan Prell taught Lotte Wiek for six years."
OTHER = "The ferry leaves at nine from the old quay."


def found(*texts: str) -> FoundEvidence:
    statements = []
    for rank, text in enumerate(texts, start=1):
        source = SourceRef(f"s{rank}", f"/notes/{rank}.txt", f"Note {rank}")
        passage = Passage("Statement", f"p{rank}", text, "", 0, len(text), "c", "", source)
        statements.append(EvidenceStatement(passage, rank))
    cosines = np.linspace(0.9, 0.1, len(texts), dtype=np.float32)
    result = SearchResult("", "auto", (), 0, {})
    return FoundEvidence(result, Subgraph((), ()), tuple(statements), cosines)


def asked(kind: str, answers: tuple[str, ...], *quotes: tuple[int, str]) -> FolderQuestion:
    marked = tuple(Quote(f"{place}.txt", 0, len(text)) for place, text in quotes)
    return FolderQuestion("q", "who taught the maker of the tide organ", kind, answers, marked)


def test_of_a_chain_the_first_step_is_evidence_without_an_answer() -> None:
    question = asked("span", ("Jan Prell",), (1, MAKER), (2, TEACHER))
    first, last, other = folder_examples([(question, found(MAKER, TEACHER, OTHER))])
    assert first.places == ()
    assert [first.passage[a:b] for a, b in first.evidence] == [MAKER]
    assert [last.passage[a:b] for a, b in last.places or ()] == ["Jan Prell"]
    assert (other.places, other.evidence) == ((), ())


def test_what_wants_a_passage_says_nothing_of_its_words() -> None:
    (seen, *_) = folder_examples([(asked("passage", (), (1, MAKER)), found(MAKER, OTHER))])
    assert seen.places is None
    assert seen.evidence


def network() -> ReadingNetwork:
    config = BertConfig(
        vocab_size=1, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=64, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    return ReadingNetwork(BertModel(config, add_pooling_layer=False))


def vectors(ids: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(1).normal(size=(30_522, 32))[ids]).float()


def test_it_learns_what_answers_and_where_and_so_does_its_pupil(tmp_path: Path) -> None:
    torch.manual_seed(0)
    start, end = MAKER.index("Lotte"), len(MAKER) - 1
    examples = encode(
        [
            Example("who built the organ", "", MAKER, ((start, end),), ((0, len(MAKER)),)),
            Example("who built the organ", "", OTHER, (), ()),
        ]
    )
    options = Options(draws=800, batch=8, learning_rate=3e-3)
    parts = (examples, examples, examples)
    taught = train(network(), parts, vectors, options, tmp_path / "one.pt")
    batch = Batch.of(examples, vectors, random.Random(0), "cpu")
    logits = logits_of(taught, batch)
    right, wrong = (torch.sigmoid(logits[row][batch.inside[row] == 1, 2]) for row in (0, 1))
    assert right.min() > 0.5 > wrong.max()
    first, last = examples[0].ends[0]
    assert logits[0, :, 0].argmax() == first
    assert logits[0, :, 1].argmax() == last
    pupil = network()
    before = loss_by([taught], logits_of(pupil, batch), batch).item()
    pupil = train(pupil, parts, vectors, options, tmp_path / "two.pt", teachers=[taught])
    assert loss_by([taught], logits_of(pupil, batch), batch).item() < before / 2
