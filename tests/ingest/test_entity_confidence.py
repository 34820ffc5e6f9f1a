"""How sure it is that an entity is one."""

from pathlib import Path

import pytest

from hlg.errors import ModelError
from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.languages.english import parse_and_read
from hlg.ingest.extract.local.names import confidence
from hlg.ingest.extract.local.names.confidence import Mentions, Named
from hlg.records import Chunk, Document

MILL = (
    "Corven Mill was built in 1902 by Ada Thorne, who ran the Thorne Company. "
    "A late fee is charged after 30 days. Dr. Amari treats scabies with ivermectin. "
    "Scabies is a skin disease. Other symptoms include fever. "
    "Most members of the club pay an annual fee. Many people have other problems."
)


def confidence_of(text: str) -> dict[str, float]:
    source = source_id("d")
    chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
    found = LocalExtractor().extract(Document("d", "", text), [chunk])
    return {each.name: each.confidence for each in found.entities}


def test_names_and_terms_are_surer_than_vague_nouns() -> None:
    found = confidence_of(MILL)
    assert min(found[name] for name in ("Ada Thorne", "Corven Mill", "Thorne Company")) > 0.9
    assert min(found[name] for name in ("scabies", "late fee", "skin disease")) > 0.5
    assert max(found[name] for name in ("other symptoms", "many people")) < 0.2


def test_it_is_a_chance_of_three_digits() -> None:
    assert all(0 <= each <= 1 and each == round(each, 3) for each in confidence_of(MILL).values())


def test_what_no_network_has_read_is_not_doubted() -> None:
    found = confidence_of(
        "Ada Thorne wurde am 3. Mai 1902 in Corven geboren und leitete dort die Mühle. Die Mühle "
        "von Bad Lindholm gehört heute der Gemeinde, die sie im Sommer für Gäste öffnet."
    )
    assert set(found.values()) == {1.0}, found


def test_a_mention_counts_once_however_often_it_is_read() -> None:
    ((sentence,),) = parse_and_read([(0, "Ada Thorne built the mill.")])
    seen = Mentions()
    for _ in range(3):
        seen.see(sentence, 0, 2)
    assert len(seen.places) == 1
    assert seen.exact == seen.named > 0.5
    assert seen.states == pytest.approx(sentence.states[:2].astype("f4").mean(axis=0))


def test_many_are_weighed_as_each_alone() -> None:
    named = [Named("Ada Thorne", "Person", [Mentions()], [0.9]), Named("time", "Concept", [], [])]
    assert confidence.confidences(named) == [confidence.confidences([each])[0] for each in named]
    assert confidence.confidences([]) == []


@pytest.mark.parametrize("kept", [0, 13, 5_000])
def test_a_damaged_network_is_said(
    kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "entities.npz"
    broken.write_bytes(confidence.MODEL.read_bytes()[:kept])
    monkeypatch.setattr(confidence, "MODEL", broken)
    with pytest.raises(ModelError, match="reinstall hlg"):
        confidence.confidences([Named("Ada", "Person", [], [])])
