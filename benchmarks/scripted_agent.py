"""``hlg eval agents`` with a script in a model's place: what the command prints, and how far a
policy comes that only follows names.

    python benchmarks/scripted_agent.py DATA/musique_train100 --queries 30 --words 20000

All arguments are the command's. The policy searches for the question, then for the names in the
best result that the question has not, while it looks for them in that document; its answer is the
best of each search in turn, word by word.
"""

import json
import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from hlg.cli.main import app

_SEARCHED = re.compile(r"(?:^|: )(?:\d+ results|nothing was found)$", re.MULTILINE)
_RESULT = re.compile(
    r"^\[(turn\d+search\d+)\] ([^\n]*?) · [^\n]*?lines? [\d -]+: ([^\n]*)", re.MULTILINE
)
_OPENED = re.compile(r"^\[(turn\d+search\d+)\] ([^\n]*)\nViewing[^\n]*\n((?:\d+: .*\n?)+)", re.M)
_QUESTION = re.compile(r"\[BEGIN question \w+\]\n(.*?)\n\[END", re.DOTALL)
_NAME = re.compile(r"\b[A-Z]\w+(?: (?:(?:of|the|de) )?[A-Z]\w+)+")
SEARCHES = 2
QUERIES = 3
CITED = 3
Calls = list[tuple[str, object]]


class Shown(NamedTuple):
    """A result as a model reads it."""

    reference: str
    title: str
    text: str


def main() -> None:
    """Run the command on a server that follows the policy."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
    support: Any = import_module("support.language_model_server")

    def script(asked: Any) -> Any:
        tools = json.dumps(asked.body.get("tools", ""))
        most = 1 if re.search(r'"maxItems": 1\b', tools) else QUERIES
        said, calls = policy(asked.text, most if "search" in tools else 0)
        return support.Says(said, calls=calls, tokens=(len(asked.text + tools) // 4, 60))

    with support.ScriptedServer(script) as server:
        settings = {"LLM": "script", "LLM_URL": server.url, "LLM_CACHE": "off"}
        os.environ.update({f"HLG_{name}": value for name, value in settings.items()})
        app(["eval", "agents", *sys.argv[1:]])


def policy(text: str, queries: int) -> tuple[str, Calls]:
    """What is said to a conversation, or which tools are called.

    :param queries: of one search, at most; 0 where none may be called.
    """
    asked = _QUESTION.search(text)
    question = asked[1] if asked else ""
    _, *later = _SEARCHED.split(text)
    blocks = [[Shown(*each) for each in _RESULT.findall(block)] for block in later]
    if queries and not later:
        return "", [("search", {"queries": [question]})]
    if queries and len(later) < SEARCHES and blocks[0]:
        best = blocks[0][0]
        names = [each for each in dict.fromkeys(_NAME.findall(best.text)) if each not in question]
        if names:
            look = {"reference_id": best.reference, "patterns": names[:1]}
            return "", [("search", {"queries": names[:queries]}), ("find", look)]
    cited = list(_once([Shown(*each) for each in _OPENED.findall(text)], *blocks))[:CITED]
    if not cited:
        return "UNANSWERED", []
    said = " ".join(f"{each.text.strip().rstrip('.')} [{each.reference}]." for each in cited)
    worth = (f"{each.reference}={1 - place / 10:.1f}" for place, each in enumerate(cited))
    return f"{said}\nRelevance: {'; '.join(worth)}", []


def _once(*blocks: list[Shown]) -> Iterator[Shown]:
    """The best of each block, the second best, and so on; of a document once."""
    known = set[str]()
    for each in (each for rank in zip_longest(*blocks) for each in rank if each is not None):
        if each.title not in known:
            known.add(each.title)
            yield each


if __name__ == "__main__":
    main()
