"""The whole path of ``hlg build --extractor llm`` on what real models said.

    python -m benchmarks.recorded_extraction DATA/ecorp
    python -m benchmarks.recorded_extraction DATA/musique_train100 --limit 200
    python -m benchmarks.recorded_extraction DATA/2wiki_kgrag --limit 200

The tests' scripted server answers each prompt with what a model was recorded to say of that
passage; where only triples were recorded, a proposition is a triple as a sentence, in the model's
words. Tokens are counted, and priced as gpt-4o-mini's. Printed are the estimate and what the
build then paid, the calls of a second build, what of the model's wording was found in the text,
and how far the recorded names and triples are in the graph (``benchmarks/openie.py``).
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.openie import ExtractionReport, evaluate_extraction
from hlg.graph import LexicalGraph
from hlg.ingest.extract.extractors import open_extractor, open_model_extractor
from hlg.models.language.prices import LIST_PRICES
from hlg.models.language.providers import required
from hlg.models.tokens import language_model_tokens
from hlg.settings import Domain

MODEL = "recorded"
NO_CLASS = "Thing"
VALUE = "__Local_Entity__"
"""What ecorp's model called what is no entity."""
CHUNK_TOKENS = 4_000
"""A passage is one chunk, as it was for the model."""
_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Recording:
    """What a model said of a passage; facts and topics by the propositions that they are of."""

    id: str
    title: str
    text: str
    propositions: tuple[str, ...]
    topics: Mapping[str, tuple[str, ...]]
    entities: Mapping[str, str]
    facts: tuple[tuple[str, str, str, str], ...]


def main() -> None:
    """Build a folder's passages, and print what came of it and what it cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=200, metavar="PASSAGES")
    parser.add_argument("--sample", type=int, default=20, metavar="CHUNKS")
    options = parser.parse_args()
    recordings = list(islice(read_recordings(options.folder), options.limit))
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    support: Any = import_module("support.language_model_server")
    speaker = Speaker(recordings)

    def script(asked: Any) -> Any:
        text = speaker.answer(asked.schema, asked.material)
        tokens = language_model_tokens(asked.text), language_model_tokens(text)
        return support.Says(text, tokens=tokens)

    with support.ScriptedServer(script) as server, tempfile.TemporaryDirectory() as folder:
        run(server, Path(folder), recordings, options.sample)


def run(server: Any, folder: Path, recordings: Sequence[Recording], sample: int) -> None:
    """Estimate, build, build again, compare."""
    lines = ({"_id": each.id, "title": each.title, "text": each.text} for each in recordings)
    write_lines(folder / "corpus.jsonl", lines)
    write_lines(folder / "openie_recorded.jsonl", map(as_triples, recordings))
    settings = server.settings(
        llm=MODEL,
        llm_cache=str(folder / "answers.sqlite"),
        prices={MODEL: LIST_PRICES["gpt-4o-mini"]},
        extractor="llm",
        chunk_tokens=CHUNK_TOKENS,
    )
    paths = [folder / "corpus.jsonl"]
    with LexicalGraph.open(folder / "graph.lbug", settings=settings) as graph:
        found = graph.estimate(paths, sample=sample)
        told = f"{found.tokens_in:,} tokens in, {found.tokens_out:,} out, ${found.money:.4f}"
        print(f"passages:     {len(recordings)}, of which {found.sampled} were asked to estimate")
        print(f"estimate:     {found.calls:,} calls, {told}")
        built = graph.build(paths)
        if built.model is None or not built.statements:
            sys.exit(f"nothing was built: {built.failed[:1]}")
        print(f"paid:         {built.model.summary()}")
        before = len(server.asked)
        again = graph.build(paths)
        print(f"second build: {len(server.asked) - before} calls, {again.skipped} unchanged")
        aligned = 1 - built.unaligned / built.statements
        print(
            f"the graph:    {built.statements:,} statements, {aligned:.1%} of them aligned; "
            f"{built.counts['Fact']:,} facts, {built.counts['Entity']:,} entities, "
            f"{built.counts['Topic']:,} topics; {len(built.failed)} passages left out"
        )
        asking = open_model_extractor("llm", required(graph.door), Domain())
        for name, extractor in (("llm", asking), ("local", open_extractor("local"))):
            show(name, evaluate_extraction(folder, extractor))


def show(name: str, report: ExtractionReport) -> None:
    """How far the recorded names and triples were found."""
    scores = {
        "names": report.with_values,
        "names, relaxed": report.relaxed,
        "triples": report.triples,
        "triples, relaxed": report.relaxed_triples,
    }
    told = "; ".join(
        f"{what} {score.recall:.3f} of {score.wanted}"
        for what, score in scores.items()
        if score.wanted
    )
    print(f"{name + ':':13} recorded and found: {told}")


class Speaker:
    """Says again what was recorded, to the prompts of extraction."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self._by_text = {key_of(each.text): each for each in recordings}
        self._by_line: dict[str, list[Recording]] = {}
        for each in recordings:
            for line in each.propositions:
                self._by_line.setdefault(key_of(line), []).append(each)

    def answer(self, schema: str, material: Any) -> str:
        """The answer to a prompt, given what its material of a name is."""
        if schema == "Propositions":
            return json.dumps(
                {"propositions": self._by_text[key_of(material("passage"))].propositions}
            )
        lines = [key_of(line) for line in _NUMBERED.findall(material("statements"))]
        votes = Counter(each.id for line in lines for each in self._by_line.get(line, ()))
        named = {each.id: each for line in lines for each in self._by_line.get(line, ())}
        said = named[votes.most_common(1)[0][0]]
        numbers = {line: number for number, line in enumerate(lines, 1)}

        def number_of(proposition: str) -> int:
            return numbers.get(key_of(proposition), 0) or nearest(proposition, lines)

        return json.dumps(
            {
                "topics": [
                    {"name": name, "statements": [number_of(each) for each in of]}
                    for name, of in said.topics.items()
                ],
                "entities": [{"name": name, "class": kind} for name, kind in said.entities.items()],
                "facts": [
                    {"statement": number_of(of), "subject": s, "predicate": p, "object": o}
                    for of, s, p, o in said.facts
                ],
            }
        )


def nearest(text: str, lines: Sequence[str]) -> int:
    """Number of the line with the most words of a text: models reword what they repeat."""
    words = set(key_of(text).split())
    shared = [len(words & set(line.split())) for line in lines]
    return shared.index(max(shared)) + 1


def key_of(text: str) -> str:
    """A text without what may differ in its spaces."""
    return " ".join(text.split())


def read_recordings(folder: Path) -> Iterator[Recording]:
    """What a folder has recorded, in either layout."""
    nested = folder / "extractions.jsonl"
    if nested.is_file():
        yield from map(of_topics, read_lines(nested))
        return
    documents = {each["_id"]: each for each in read_lines(folder / "corpus.jsonl")}
    (triples,) = [*folder.glob("openie_*.jsonl"), *folder.glob("triples_*.jsonl")]
    for record in read_lines(triples):
        if record["_id"] in documents:
            yield of_triples(documents[record["_id"]], record)


def of_triples(document: Mapping[str, Any], record: Mapping[str, Any]) -> Recording:
    """A recording of triples alone, each of which is a proposition."""
    triples = [tuple(map(str, each)) for each in record["triples"] if len(each) == 3]
    said = {
        f"{s} {p} {o}.": (s, p, o) for s, p, o in triples if all((s.strip(), p.strip(), o.strip()))
    }
    names = record.get("entities", [s for s, _, _ in said.values()])
    return Recording(
        record["_id"],
        document["title"],
        document["text"],
        tuple(said),
        {document["title"]: tuple(said)},
        dict.fromkeys(map(str, names), NO_CLASS),
        tuple((of, *triple) for of, triple in said.items()),
    )


def of_topics(record: Mapping[str, Any]) -> Recording:
    """A recording of propositions, and of topics with statements, entities and facts."""
    topics: dict[str, tuple[str, ...]] = {}
    entities: dict[str, str] = {}
    facts = []
    for topic in record["topics"]["topics"]:
        topics[topic["value"]] = tuple(each["value"] for each in topic["statements"])
        named = list(topic["entities"])
        for statement in topic["statements"]:
            for fact in statement["facts"]:
                object_ = fact["object"] or fact["complement"]
                if object_:
                    named += [fact["subject"], object_]
                    ends = fact["subject"]["value"], fact["predicate"]["value"], object_["value"]
                    facts.append((statement["value"], *ends))
        for each in named:
            if each["classification"] != VALUE:
                entities.setdefault(each["value"], each["classification"])
    return Recording(
        record["chunk_id"],
        record["source_metadata"]["file_name"].removesuffix(".md"),
        record["text"],
        tuple(record["propositions"]),
        topics,
        entities,
        tuple(facts),
    )


def as_triples(recording: Recording) -> dict[str, object]:
    """A recording as ``benchmarks/openie.py`` reads one."""
    triples = [[s, p, o] for _, s, p, o in recording.facts]
    return {"_id": recording.id, "entities": [*recording.entities], "triples": triples}


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def write_lines(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    """Records as a JSONL file."""
    path.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")


if __name__ == "__main__":
    main()
