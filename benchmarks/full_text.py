"""Time of BM25 and TF-IDF over made-up statements: p50 and p95 of a question, memory, size.

    python benchmarks/full_text.py 54000 500000

Words are drawn by Zipf's law, as in text; a question has eight words of one statement and two
of another. The index is saved and mapped from disk first, as a graph's is.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hlg.arrays import arrays_of, read_record, write_arrays
from hlg.lexical.bm25 import VERSION, LexicalIndex
from hlg.retrieval.arrays.grams import GramIndex

VOCABULARY = 200_000
EXPONENT = 1.0
WORDS = (12, 3)
"""Of a statement: mean and deviation."""
QUESTIONS = 200
WARM_UP = 10
TOP_K = 100


def main() -> None:
    """Build, save, map, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="+", type=int)
    parser.add_argument("--grams", action="store_true", help="TF-IDF of words and pairs too")
    options = parser.parse_args()
    for size in options.sizes:
        print(f"{size} statements")
        texts, questions = made_up(size)
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            place = Path(folder, "words")
            write_arrays(place, arrays_of(LexicalIndex.build(texts)), version=VERSION)
            index = read_record(place, LexicalIndex, version=VERSION)
            report("BM25", started, questions, index.search)
            if options.grams:
                started = time.perf_counter()
                place = Path(folder, "grams")
                write_arrays(place, arrays_of(GramIndex.build(texts)), version=VERSION)
                mapped = read_record(place, GramIndex, version=VERSION)
                report("TF-IDF", started, questions, mapped.search)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory, building included: {peak:.0f} MiB")


def made_up(size: int) -> tuple[list[str], list[str]]:
    """Statements and questions, the same for the same size."""
    generator = np.random.default_rng(0)
    shares = np.arange(1, VOCABULARY + 1) ** -EXPONENT
    lengths = np.maximum(generator.normal(*WORDS, size).astype(int), 3)
    words = generator.choice(VOCABULARY, int(lengths.sum()), p=shares / shares.sum())
    texts = [
        " ".join(f"w{word}" for word in held.tolist())
        for held in np.split(words, np.cumsum(lengths)[:-1])
    ]
    pairs = generator.integers(size, size=(QUESTIONS + WARM_UP, 2)).tolist()
    questions = [
        " ".join(texts[one].split()[:8] + texts[other].split()[:2]) for one, other in pairs
    ]
    return texts, questions


def report(
    name: str, started: float, questions: list[str], search: Callable[[str, int], object]
) -> None:
    """Print what building took and what a question takes."""
    built = time.perf_counter() - started
    spent = []
    for question in questions:
        begun = time.perf_counter()
        search(question, TOP_K)
        spent.append((time.perf_counter() - begun) * 1000)
    p50, p95 = np.percentile(spent[WARM_UP:], [50, 95])
    print(f"  {name:6} built in {built:.1f} s; a question p50 {p50:.1f} ms, p95 {p95:.1f} ms")


if __name__ == "__main__":
    main()
