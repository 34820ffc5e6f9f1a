"""The judge of facts: what a sentence says stays, what is cut out of it goes."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.extractors import open_extractor
from hlg.ingest.extract.local.cross_encoder import Pair
from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts import judge
from hlg.records import Chunk, Document


class Scripted:
    """Both models; what has the trait "whole" is right, and what is read may be."""

    def chances(self, traits: Sequence[Mapping[str, float]]) -> NDArray[np.float32]:
        return np.array([(0.9, 0.1) if "whole" in each else (0.1, 0.9) for each in traits])

    def facts(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        return np.full(len(pairs), 0.9, np.float32)


def test_what_is_wrong_goes_with_what_only_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "_shipped", Scripted)
    monkeypatch.setattr(judge, "shipped", Scripted)
    right = DraftFact("petrel", "built at", "oake yard", None, ("always", "whole"))
    wrong = DraftFact("ferries", "built at", None, "yard", ("always", "cut"))
    listed = DraftFact("petrel", "colour", None, "red")
    draft = Draft(0, 9, (), keys=["petrel", "oake yard", "ferries"], facts=[right, wrong, listed])
    draft.told = frozenset(("oake yard", "ferries"))
    judge.keep_true([draft], str.title)
    assert draft.facts == [right, listed]
    assert draft.keys == ["petrel", "oake yard"]


def test_both_models_have_a_say() -> None:
    low, high = np.array([0.2], np.float32), np.array([0.9], np.float32)
    assert judge.both(low, low) < judge.both(low, high) < judge.both(high, high)
    assert judge.both(low, low) < judge.both(high, low) < judge.both(high, high)


def test_the_cross_encoder_reads_names_as_they_are_written() -> None:
    told = DraftFact("petrel", "built at", "oake yard", None, (), "It was built at Oake Yard.")
    assert judge.fact_pair(told, str.title) == ("Petrel | built at | Oake Yard", told.sentence)


def test_whoever_wants_all_facts_gets_them() -> None:
    text = "Runa Falk spent ten weeks on the Canine in a tent and counted eleven hundred nests."
    source = source_id("d")
    chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
    found = {
        name: {
            fact.id for fact in open_extractor(name).extract(Document("d", "", text), [chunk]).facts
        }
        for name in ("local", "unjudged")
    }
    assert found["local"] < found["unjudged"]
