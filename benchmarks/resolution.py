"""Time and memory of finding duplicates among synthetic entities, at growing numbers.

    python benchmarks/resolution.py 25000 100000

Entities have made-up names over a vocabulary that grows with their number, as names in
documents do; one in ten comes a second time in another spelling or class, in the same
company. Each size runs in a process of its own, so that peak memory is that size's.
"""

import argparse
import resource
import subprocess
import sys
import time

import numpy as np

from hlg.ids import entity_id
from hlg.ingest.resolve.duplicates import find_duplicates
from hlg.ingest.resolve.table import EntityTable, incidence

DIMENSIONS = 384
STATEMENTS_AN_ENTITY = 4
CLASSES = ("Person", "Organization", "Place", "Product", "Work", "Event", "Thing")
SYLLABLES = [c + v for c in (*"bcdfghjklmnprstvwz", "br", "st", "tr") for v in "aeiou"]


def table(size: int, seed: int = 7) -> tuple[EntityTable, int]:
    """Entities, and how many of them are second ones."""
    rng = np.random.default_rng(seed)
    firsts = int(size / 1.1)
    vocabulary = [
        "".join(rng.choice(SYLLABLES, size=rng.integers(2, 5))).capitalize()
        for _ in range(max(2_000, size // 10))
    ]
    names: list[str] = []
    taken: set[str] = set()
    while len(names) < firsts:
        name = " ".join(rng.choice(vocabulary, size=rng.integers(1, 4)))
        if name.lower() not in taken:
            taken.add(name.lower())
            names.append(name)
    classes = rng.choice(CLASSES, size=firsts).tolist()
    again = rng.choice(firsts, size=size - firsts, replace=False)
    for i in again.tolist():
        name = names[i]
        hyphened = name.replace(" ", "-", 1)
        names.append(hyphened if hyphened != name else name.upper())
        classes.append(CLASSES[(CLASSES.index(classes[i]) + 1) % len(CLASSES)])
    topics = rng.standard_normal((firsts, DIMENSIONS)).astype(np.float32)
    origin = np.concatenate([np.arange(firsts), again])
    contexts = topics[origin] + 0.3 * rng.standard_normal((size, DIMENSIONS)).astype(np.float32)
    unit = contexts / np.linalg.norm(contexts, axis=1, keepdims=True)
    statements = rng.integers(0, 2 * size, size=(size, STATEMENTS_AN_ENTITY))
    rows = np.repeat(np.arange(size), STATEMENTS_AN_ENTITY)
    mentions = np.stack([rows, statements.ravel()], axis=1)
    in_sources = np.stack([rows, statements.ravel() // 20], axis=1)
    ids = [entity_id(name, class_) for name, class_ in zip(names, classes, strict=True)]
    order = np.argsort(ids)
    place = np.empty(size, np.int64)
    place[order] = np.arange(size)
    mentions[:, 0], in_sources[:, 0] = place[mentions[:, 0]], place[in_sources[:, 0]]
    return (
        EntityTable(
            ids=[ids[i] for i in order],
            names=[names[i] for i in order],
            classes=[classes[i] for i in order],
            aliases=[()] * size,
            degrees=np.full(size, STATEMENTS_AN_ENTITY, np.int64),
            embeddings=unit[order],
            contexts=contexts[order],
            statements=incidence(mentions, (size, 2 * size)),
            sources=incidence(in_sources, (size, size // 10 + 1)),
        ),
        size - firsts,
    )


def measure(size: int) -> None:
    """Print one row of the table."""
    entities, doubled = table(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    found = find_duplicates(entities)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"| {size:,} | {doubled:,} | {len(found):,} | {seconds:.1f} | "
        f"{1e6 * seconds / size:.0f} | {peak:,.0f} (entities alone {before:,.0f}) |",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[25_000, 100_000])
    parser.add_argument("--one", action="store_true", help="measure in this process")
    arguments = parser.parse_args()
    if arguments.one:
        measure(arguments.sizes[0])
        return
    print("| entities | doubled | found | CPU s | µs an entity | peak MB |")
    print("|---|---|---|---|---|---|", flush=True)
    for size in arguments.sizes:
        subprocess.run([sys.executable, __file__, str(size), "--one"], check=True)


if __name__ == "__main__":
    main()
