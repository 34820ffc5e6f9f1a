"""How fast the default embedder is, held against its model run bare.

The bare model gets what the embedder gives it, tokenized, batched and padded beforehand:
the time of its runs alone. Both go over the same texts in turns, so that a busy machine
slows both::

    python benchmarks/embedding.py [--texts 2000] [--corpus FILE.jsonl]
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

from hlg.models.onnx_embedder import MAX_TOKENS, MINILM_PACKAGE, MiniLmEmbedder
from hlg.models.weights import package_folder
from hlg.models.wordpiece import VOCABULARY, token_ids

BATCH = 8
ROUNDS = 3
COLD_START = """
import time
started = time.perf_counter()
from hlg.models.embedders import open_embedder
open_embedder().embed(["Who founded the company?"])
print(time.perf_counter() - started)
"""

Batch = tuple[NDArray[np.int64], NDArray[np.int64]]


def made_up_texts(count: int) -> list[str]:
    """Texts of 3 to 60 words, most of them short, out of the model's own vocabulary."""
    rng = random.Random(0)
    vocabulary = VOCABULARY.read_text("utf-8").splitlines()
    words = [word for word in vocabulary if word.isalpha() and word.isascii()][:5000]
    return [
        " ".join(rng.choices(words, k=min(60, 3 + int(rng.expovariate(1 / 16)))))
        for _ in range(count)
    ]


def corpus_sentences(path: Path, count: int) -> list[str]:
    """The first sentences of a JSONL corpus."""
    sentences: list[str] = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            sentences += filter(None, re.split(r"(?<=[.!?])\s+", json.loads(line)["text"]))
            if len(sentences) >= count:
                break
    return sentences[:count]


def bare_batches(texts: Sequence[str]) -> list[Batch]:
    """Sorted by length and padded: (ids, mask) of shape (``BATCH``, tokens) each."""
    rows = sorted(token_ids(texts, MAX_TOKENS), key=len)
    batches = []
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        ids = np.zeros((len(batch), len(batch[-1])), np.int64)
        mask = np.zeros_like(ids)
        for i, row in enumerate(batch):
            ids[i, : len(row)] = row
            mask[i, : len(row)] = 1
        batches.append((ids, mask))
    return batches


def bare_session() -> InferenceSession:
    options = SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_BASIC
    weights = package_folder(MINILM_PACKAGE, "install hlg") / "model.onnx"
    return InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def run_bare(session: InferenceSession, batches: Sequence[Batch], threads: int) -> None:
    def run(batch: Batch) -> None:
        ids, mask = batch
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        session.run(None, inputs)

    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(run, batches):
            pass


def seconds(action: Callable[[], object]) -> float:
    """Processor time over all threads: what others do on the machine counts less."""
    started = time.process_time()
    action()
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--corpus", type=Path, help="JSONL to take sentences from")
    arguments = parser.parse_args()
    texts = (
        corpus_sentences(arguments.corpus, arguments.texts)
        if arguments.corpus
        else made_up_texts(arguments.texts)
    )
    threads = len(os.sched_getaffinity(0))
    embedder = MiniLmEmbedder()
    session = bare_session()
    batches = bare_batches(texts)
    embedder.embed(texts[:50])
    run_bare(session, batches[:8], threads)

    ours, bare = [], []
    for _ in range(ROUNDS):
        bare.append(seconds(lambda: run_bare(session, batches, threads)))
        ours.append(seconds(lambda: embedder.embed(texts)))
    single = []
    for text in texts[:100]:
        started = time.perf_counter()
        embedder.embed([text])
        single.append(time.perf_counter() - started)
    cold = [
        float(subprocess.check_output([sys.executable, "-c", COLD_START])) for _ in range(ROUNDS)
    ]
    tokens = sum(map(len, token_ids(texts, MAX_TOKENS)))
    print(f"{len(texts)} texts, {tokens / len(texts):.1f} tokens each, {threads} threads")
    print(f"bare model     {len(texts) / min(bare):6.0f} texts a second of one core")
    print(f"embedder       {len(texts) / min(ours):6.0f} texts a second of one core")
    print(f"ratio of times {min(ours) / min(bare):6.2f} (target: at most 1.2)")
    print(f"one text, warm {np.median(single) * 1000:6.1f} ms (target: under 15)")
    print(f"cold start     {min(cold) * 1000:6.0f} ms (import, load, check, first text)")


if __name__ == "__main__":
    main()
