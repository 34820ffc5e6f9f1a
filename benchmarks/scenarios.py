"""A policy in place of a language model, so that the nine scenarios can be run for nothing.

    python benchmarks/scenarios.py          # prints its address, until Ctrl-C
    hlg eval scenarios DATA/musique_train100 --questions 30 --words 15000 \
        --set llm=policy --set llm_url=http://127.0.0.1:PORT/v1 --set llm_cache=off

It speaks OpenAI's protocol and knows nothing: it selects the pieces that share the rarest words
with the question, searches again for names that the best of them has and the question has not,
and uses each tool that it is offered once. What its rows say of quality is how far words go; what
they say of tokens and calls is what the scenarios themselves send.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SELECTED = 5
WORD = re.compile(r"\w+")
NAME = re.compile(r"\b[A-Z][\w'’-]+(?: (?:of |the )?[A-Z][\w'’-]+)*")
PIECE = re.compile(r"(?m)^(?:(\d+)\. )?(?:\[(turn1search\d+)\] )?(.+)$")


def fenced(text: str, name: str) -> str:
    """What stands in the first fence whose name begins so; empty without one."""
    found = re.search(rf"\[BEGIN {name}[^\]]*\]\n(.*?)\n\[END {name}", text, re.DOTALL)
    return found[1] if found else ""


def ranked(question: str, texts: Sequence[str]) -> list[int]:
    """Places of texts, those first that share the rarest words with a question."""
    words = [set(WORD.findall(text.casefold())) for text in texts]
    counts = Counter(word for each in words for word in each)
    asked = set(WORD.findall(question.casefold()))
    rarity = {word: math.log(1 + len(texts) / counts[word]) for word in asked if counts[word]}
    scores = [sum(rarity.get(word, 0.0) for word in each) for each in words]
    return sorted(range(len(texts)), key=lambda place: -scores[place])


def names(text: str, without: str = "") -> list[str]:
    """The names in a text that another one has not."""
    known = without.casefold()
    return [each for each in dict.fromkeys(NAME.findall(text)) if each.casefold() not in known]


def pieces(text: str) -> list[tuple[str, str, str]]:
    """Numbered or referenced lines: number, reference, text; each once."""
    found = [match.groups(default="") for match in PIECE.finditer(text)]
    once = {(number, mark): each for number, mark, each in found if number or mark}
    return [(number, mark, each) for (number, mark), each in once.items()]


def follow_up(question: str, found: Sequence[tuple[str, str, str]]) -> list[str]:
    """Names of the best piece, to search for next."""
    order = ranked(question, [each for _, _, each in found])
    return names(found[order[0]][2], question)[:3] if order else []


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """The message that the policy says next."""
    messages = [(each["role"], each.get("content") or "") for each in body["messages"]]
    system, text = messages[0][1], "\n".join(content for _, content in messages[1:])
    question = fenced(text, "question") or text
    if body.get("tools"):
        return _agent(body, question, text)
    if "keywords" in system:
        return _said({"keywords": names(question) or WORD.findall(question)[:5]})
    if "into one query" in system:
        return {"content": question}
    if system.startswith("You put"):
        listed = re.split(r"\n\n(?=\[\d+\] )", fenced(text, "passages"))
        return _said({"order": [place + 1 for place in ranked(question, listed)]})
    found = pieces(fenced(text, "found"))
    if system.startswith("You plan"):
        queries = follow_up(question, found) if found else [question]
        enough = bool(found) and len(found) > 20
        return _said({"enough": enough or not queries, "queries": queries})
    chosen = [found[place] for place in ranked(question, [x for _, _, x in found])[:SELECTED]]
    return _said(
        {
            "final_answer": "These say it.",
            "entity_ids_for_final_answer": [int(number) for number, _, _ in chosen],
        }
    )


def _agent(body: dict[str, Any], question: str, text: str) -> dict[str, Any]:
    """Each tool once, a second search for names that the first one told, then the answer."""
    offered = {each["function"]["name"] for each in body["tools"]}
    done = Counter(
        call["function"]["name"]
        for each in body["messages"]
        for call in each.get("tool_calls") or ()
    )
    found = [each for each in pieces(text) if each[1]]
    marks = [each[1] for each in found]
    order = ranked(question, [each for _, _, each in found])
    best = [marks[place] for place in order[:SELECTED]]
    if "think" in offered and not done["think"]:
        return _call("think", {"thought": "what the question names has to be found"})
    if "reformulate" in offered and not done["reformulate"]:
        return _call("reformulate", {"question": question})
    if not done["search"]:
        return _call("search", {"queries": [question]})
    if "subgraph" in offered and not done["subgraph"]:
        return _call("subgraph", {"entities": names(question)[:5] or [question]})
    if done["search"] < 2 and (queries := follow_up(question, found)):
        return _call("search", {"queries": queries})
    if "rerank" in offered and not done["rerank"] and len(best) > 1:
        return _call("rerank", {"question": question, "reference_ids": best})
    scores = "; ".join(f"{mark}={1 - 0.1 * place:.1f}" for place, mark in enumerate(best))
    return {"content": f"These say it{''.join(f'[{mark}]' for mark in best)}.\nRelevance: {scores}"}


def _said(value: object) -> dict[str, Any]:
    return {"content": json.dumps(value)}


def _call(name: str, arguments: object) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": "", "tool_calls": [{"id": name, "type": "function", "function": function}]}


class Policy(BaseHTTPRequestHandler):
    """Answers chat completions."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """One completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        choice: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
        choice["message"] = {"role": "assistant", **answer(body)}
        head = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"]}
        data = json.dumps({**head, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *told: object) -> None:
        """Nothing is said."""


def main() -> None:
    """Serve until Ctrl-C."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Policy)
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
