"""``hlg ask``: an answer to a question, cited to the character."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.console import one_line, print_json, print_line
from hlg.cli.options import (
    GraphOption,
    JsonOption,
    RetrieverOption,
    RetrieverOptions,
    StoreOption,
    TopKOption,
    WhereOption,
    retriever_options,
)
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.answers import Answer, Citation

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def ask(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The question; - reads it from stdin.")
    ],
    store: StoreOption = None,
    graph: GraphOption = None,
    retriever: RetrieverOption = None,
    top_k: TopKOption = None,
    option: RetrieverOptions = None,
    where: WhereOption = "",
    as_json: JsonOption = False,
) -> None:
    """Answer a question from the graph, with where each sentence stands.

    The statements that answer are given as they stand in their sources; a question for a
    name, a place, a date, a number, or yes or no leads with it. Where nothing in the graph
    seems to answer, that is said first.

    \b
    Examples:
      hlg ask "Who built the lighthouse?"
      hlg ask "When was it first lit?" --json | jq -r .lead
      echo "Who built the lighthouse?" | hlg ask -
    """
    from hlg.graph import LexicalGraph
    from hlg.settings import load_settings

    question = (sys.stdin.read() if text == "-" else text).strip()
    if not question:
        raise UsageError('the question is empty; ask one: hlg ask "Who built the lighthouse?"')
    settings = load_settings(store=store, graph=graph, retriever=retriever, top_k=top_k)
    with LexicalGraph.open(settings=settings, read_only=True) as opened:
        answer = opened.ask(question, options=retriever_options(option or ()), where=where)
    if as_json:
        print_json(answer)
    else:
        print_answer(answer)


def print_answer(answer: "Answer") -> None:
    """An answer for a person: what answers, the sentences, where they stand."""
    from hlg.answers import cited

    if not answer.sentences:
        print_line("nothing was found; hlg status shows what the graph holds")
        return
    if not answer.is_answered:
        print_line(
            f"nothing in this graph seems to answer that (confidence {answer.confidence:.2f}); "
            "the nearest all the same:"
        )
        print_line()
    elif answer.lead:
        lead = one_line(answer.lead)
        print_line(typer.style(lead, bold=True) + cited(answer.lead_citations))
        print_line()
    for sentence in answer.sentences:
        print_line(one_line(sentence.text) + cited(sentence.citations))
    print_line()
    for citation in answer.citations:
        print_line(citation_line(citation))
    print_line()
    print_line(_how(answer))


def citation_line(citation: "Citation") -> str:
    """Number, title, and the exact span: ``[1] The Petrel · petrel.md:12-80``."""
    title, uri = one_line(citation.source.title, 60), one_line(citation.source.uri)
    place = f"{uri}:{citation.start}-{citation.end}"
    named = f"{title} · {place}" if title and title != citation.source.uri else place
    return f"[{citation.number}] {named}"


def _how(answer: "Answer") -> str:
    total = answer.timings_ms.get("total", 0.0)
    return (
        f"by {answer.by} from {len(answer.hits)} hits in {total:.0f} ms, confidence "
        f"{answer.confidence:.2f}; all evidence with hlg query, for a program with --json"
    )
