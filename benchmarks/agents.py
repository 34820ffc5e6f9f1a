"""Ten questions through both loops of ``hlg ask --agent``, on a real model.

    python benchmarks/qwen.py serve FOLDER/qwen.gguf        # or any server of OpenAI's protocol
    python benchmarks/agents.py ask DATA/musique_train100 FOLDER --url http://127.0.0.1:PORT/v1
    python benchmarks/agents.py table FOLDER

Five questions of the demo and five of MuSiQue, each on a small graph: the demo's texts, and the
passages that those five were asked about, with as many others. An answer is right where it holds
the gold answer's words in their order. Each run is a line of FOLDER/runs.jsonl, with its trace
beside it, so that it can be interrupted and goes on where it was.
"""

import argparse
import json
import time
from collections import Counter
from contextlib import chdir
from pathlib import Path
from re import sub
from typing import Any, NamedTuple

from hlg import Agent, AgentOptions, LexicalGraph
from hlg.agent.bounds import ToolLimits
from hlg.agent.steps import AgentLimits
from hlg.agent.trace import Step
from hlg.answers import EXTRACTION, Answer
from hlg.demo import TEXTS
from hlg.evaluation.metrics.answers import best_of, holds
from hlg.models.language.prompts import PromptBook
from hlg.settings import Settings, load_settings

LOOPS = ("agentic", "batch")
PROMPTS = ("agent", "agent-answer", "agent-batch-answer", "agent-json", "agent-plan")
LIMITS = AgentLimits(iterations=3, window=12_000, seconds=300, rounds=2, queries=3)
TOOLS = ToolLimits(results=3, snippet=250, tokens=700, find_tokens=350)
OFFERED = ("search", "find", "open", "facts")


class Asked(NamedTuple):
    """A question, the graph that it is asked of, and what an answer to it holds."""

    graph: str
    question: str
    answers: tuple[str, ...]


DEMO = (
    Asked("demo", "When did the founder of the yard that built the Petrel die?", ("1934",)),
    Asked("demo", "Who founded the yard that built the Petrel?", ("Henrike Oake",)),
    Asked("demo", "Who taught the inventor of the tide organ?", ("Adela Stroom",)),
    Asked("demo", "In which port was the maker of the tide organ?", ("Vessen",)),
    Asked(
        "demo",
        "Who taught the inventor of the fog signal at the reef that the Petrel struck?",
        ("Adela Stroom",),
    ),
)
OTHERS = 40


def main() -> None:
    """Ask, or show what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    asking = commands.add_parser("ask")
    asking.add_argument("musique", type=Path)
    asking.add_argument("folder", type=Path)
    asking.add_argument("--url", required=True)
    asking.add_argument("--model", default="qwen2.5-coder-1.5b-instruct")
    asking.add_argument("--answer-tokens", type=int, default=220)
    asking.add_argument("--most", type=int, default=999, help="runs in this call")
    commands.add_parser("table").add_argument("folder", type=Path)
    options = parser.parse_args()
    folder: Path = options.folder.resolve()
    if options.command == "ask":
        folder.mkdir(parents=True, exist_ok=True)
        settings = load_settings(
            llm=options.model,
            llm_url=options.url,
            llm_cache="off",
            llm_seconds=1_200,
            prompts=str(shortened(folder / "prompts", options.answer_tokens)),
        )
        ask_all(options.musique, folder, settings, options.most)
    table(runs(folder))


def ask_all(musique: Path, folder: Path, settings: Settings, most: int) -> None:
    """Ask what has no line yet, the demo's and MuSiQue's questions in turn."""
    known = {(run["loop"], run["question"]) for run in runs(folder)}
    hops, passages = of_musique(musique)
    pairs = [each for both in zip(DEMO, hops, strict=True) for each in both]
    wanted = [(loop, each) for each in pairs for loop in LOOPS]
    left = [(loop, each) for loop, each in wanted if (loop, each.question) not in known]
    for loop, asked in left[:most]:
        with opened(asked.graph, folder, passages, settings) as graph:
            run = ask(graph, loop, asked, folder)
        with (folder / "runs.jsonl").open("a") as lines:
            lines.write(json.dumps(run) + "\n")


def of_musique(data: Path) -> tuple[list[Asked], list[dict[str, Any]]]:
    """The first five questions, and the passages of their graph."""
    queries = [json.loads(line) for line in (data / "queries.jsonl").open()][: len(DEMO)]
    gold = {id_ for query in queries for id_ in query["gold"]}
    corpus = [json.loads(line) for line in (data / "corpus.jsonl").open()]
    others = [each for each in corpus if each["_id"] not in gold][:OTHERS]
    asked = [Asked("musique", each["text"], (each["answer"], *each["aliases"])) for each in queries]
    return asked, [each for each in corpus if each["_id"] in gold] + others


def opened(
    name: str, folder: Path, passages: list[dict[str, Any]], settings: Settings
) -> LexicalGraph:
    """The graph of a name, built where there is none."""
    texts = folder / name
    is_new = not texts.exists()
    texts.mkdir(exist_ok=True)
    for text in TEXTS.glob("*.md") if name == "demo" else ():
        (texts / text.name).write_text(text.read_text("utf-8"), "utf-8")
    for each in passages if name == "musique" else ():
        (texts / f"{each['_id']}.md").write_text(f"# {each['title']}\n\n{each['text']}\n", "utf-8")
    graph = LexicalGraph.open(folder / f"{name}.lbug", settings=settings)
    if is_new:
        with chdir(texts):
            graph.build(["."])
    return graph


def ask(graph: LexicalGraph, loop: str, asked: Asked, folder: Path) -> dict[str, Any]:
    """One question through one loop: what it did, and what it got."""
    steps: list[Step] = []
    chosen = AgentOptions(loop, LIMITS, switch=False, offered=OFFERED, tools=TOOLS)
    trace = folder / f"{loop}.jsonl"
    started = time.perf_counter()
    answer = Agent(graph, options=chosen, on_step=steps.append, trace=trace).ask(asked.question)
    calls = Counter(step.what for step in steps if step.what != "model")
    return {
        "graph": asked.graph,
        "loop": loop,
        "question": asked.question,
        "gold": asked.answers[0],
        "answer": answer.text,
        "verdict": verdict(answer, asked.answers),
        "cited": answer.is_answered,
        "calls": dict(calls),
        "errors": [step.error for step in steps if step.error],
        "thoughts": sum(step.what == "model" for step in steps),
        "tokens": answer.usage.tokens_in + answer.usage.tokens_out,
        "seconds": round(time.perf_counter() - started),
        "notes": list(answer.notes),
    }


def verdict(answer: Answer, gold: tuple[str, ...]) -> str:
    """Whether what was said holds a gold answer; ``none`` where nothing was said."""
    if answer.by == EXTRACTION:
        return "failed"
    if not answer.sentences:
        return "none"
    return "right" if best_of(holds, answer.text, gold) else "wrong"


def runs(folder: Path) -> list[dict[str, Any]]:
    """What was asked so far."""
    path = folder / "runs.jsonl"
    return [json.loads(line) for line in path.open()] if path.exists() else []


def table(found: list[dict[str, Any]]) -> None:
    """What came of each question, and of each loop."""
    print("| graph | loop | question | model's calls | tools | got | cited | tokens | s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for run in found:
        tools = ", ".join(f"{count} {name}" for name, count in run["calls"].items()) or "–"
        row = [run["graph"], run["loop"], run["question"], run["thoughts"], tools]
        row += [run["verdict"], "yes" if run["cited"] else "no"]
        row += [f"{run['tokens']:,}", run["seconds"]]
        print("| " + " | ".join(map(str, row)) + " |")
    for loop in LOOPS:
        of_loop = [run for run in found if run["loop"] == loop]
        right = sum(run["verdict"] == "right" for run in of_loop)
        tokens = sum(run["tokens"] for run in of_loop) / max(1, len(of_loop))
        print(f"{loop}: {right} of {len(of_loop)} right, {tokens:,.0f} tokens a question")


def shortened(folder: Path, answer_tokens: int) -> Path:
    """hlg's prompts with room for shorter answers."""
    folder.mkdir(exist_ok=True)
    for name in PROMPTS:
        text, _ = PromptBook().source(name)
        told = sub(r"(?m)^answer_tokens: \d+$", f"answer_tokens: {answer_tokens}", text)
        (folder / f"{name}.md").write_text(told, "utf-8")
    return folder


if __name__ == "__main__":
    main()
