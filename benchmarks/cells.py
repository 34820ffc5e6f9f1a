"""How much of what tables, fields and settings state is found as facts, and how true those are.

    python -m benchmarks.cells FOLDER
    python -m benchmarks.cells FOLDER --show

The folder has files of any kind and a ``gold.jsonl``, a line a fact: its ``file``, ``subject``,
``attribute`` and ``value``, and where there are, its ``unit`` and ``time``; ``|`` stands between
wordings that are as good. A line with a file and ``unjudged`` names a piece of prose: what is told
of that is not counted. A fact is found where the subject is the gold's, the words of the attribute
are in the predicate, the value is the object or is in it with its unit, and the time is told.
Precision is the share of a file's facts that are in the gold. ``--show`` lists what was missed,
and what is in no gold.
"""

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hlg.graph import LexicalGraph
from hlg.names import normalize_name
from hlg.retrieval.answers.words import keys
from hlg.settings import load_settings

GOLD = "gold.jsonl"


@dataclass(frozen=True, slots=True)
class Told:
    """A fact of the graph, as it is compared; ``subjects`` are the forms of its subject's name."""

    file: str
    text: str
    subjects: frozenset[str]
    predicate: str
    object: str
    time: str
    statements: tuple[str, ...]

    def states(self, gold: dict[str, str]) -> bool:
        """Whether it is what a line of the gold says."""
        subjects = {normalize_name(each) for each in gold["subject"].split("|")}
        if not subjects & self.subjects:
            return False
        said = set(keys(f"{self.predicate} {self.time}"))
        if not any(set(keys(each)) <= said for each in gold.get("attribute", "").split("|")):
            return False
        if gold.get("time", "") not in f"{self.predicate} {self.time}":
            return False
        units = gold.get("unit", "").split()
        object_ = _plain(self.object)
        return _plain(gold["value"]) in object_ and all(_plain(each) in object_ for each in units)


def main() -> None:
    """Print a row a kind of file, and one of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    lines = [json.loads(line) for line in (options.folder / GOLD).read_text("utf-8").splitlines()]
    facts = list(told(options.folder, lines))
    gold = [line for line in lines if "unjudged" not in line]
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for line in gold:
        is_found = any(each.file == line["file"] and each.states(line) for each in facts)
        for kind in (_kind(line["file"]), "all"):
            counts[kind][0] += 1
            counts[kind][1] += is_found
        if options.show and not is_found:
            print("missed:", *line.values(), sep="  ")
    for each in facts:
        is_true = any(each.file == line["file"] and each.states(line) for line in gold)
        for kind in (_kind(each.file), "all"):
            counts[kind][2] += 1
            counts[kind][3] += is_true
        if options.show and not is_true:
            print("in no gold:", each.file, each.text, each.time, sep="  ")
    print(
        f"| kind of file | facts of the gold | found | recall | told | precision |\n{'|---' * 6}|"
    )
    for kind, (wanted, found, told_, right) in sorted(
        counts.items(), key=lambda item: (item[0] == "all", item[0])
    ):
        shares = f"{_share(found, wanted)} | {told_} | {_share(right, told_)}"
        print(f"| {kind} | {wanted} | {found} | {shares} |")


def told(folder: Path, lines: Sequence[dict[str, str]]) -> Iterator[Told]:
    """The facts of a folder's files, those told by unjudged prose left out."""
    prose = [(line["file"], line["unjudged"]) for line in lines if "unjudged" in line]
    with (
        tempfile.TemporaryDirectory() as scratch,
        LexicalGraph.open(settings=load_settings(store=f"{scratch}/cells.lbug")) as graph,
    ):
        graph.build([file for file in sorted(folder.iterdir()) if file.name != GOLD])
        sources = {source.id: source.uri for source in graph.sources()}
        for read in graph.store.read(list(sources)):
            file = Path(sources[read.source.id].partition("#")[0]).name
            named = {each.id: each for each in read.entities}
            texts = {each.id: each.text for each in read.statements}
            for fact in read.facts:
                subject = named[fact.subject_id]
                found = Told(
                    file,
                    fact.text,
                    frozenset(map(normalize_name, (subject.name, *subject.aliases))),
                    fact.predicate,
                    fact.object_value or named[fact.object_id or ""].name,
                    fact.time,
                    tuple(texts[each] for each in fact.statement_ids),
                )
                if not all(_is_in(prose, file, text) for text in found.statements):
                    yield found


def _is_in(prose: Sequence[tuple[str, str]], file: str, text: str) -> bool:
    return any(name == file and (text in piece or piece in text) for name, piece in prose)


def _plain(text: str) -> str:
    return "".join(text.lower().replace(",", "").split())


def _kind(file: str) -> str:
    return Path(file).suffix.lstrip(".") or file


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"


if __name__ == "__main__":
    main()
