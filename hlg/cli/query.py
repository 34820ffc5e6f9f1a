"""``hlg query`` and ``hlg context``: evidence for a question, for a person and for a model."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.command import Shown, opened
from hlg.cli.completion import names_in, one_of
from hlg.cli.console import Styled, one_line, print_doubt, print_line, print_text, say, say_usage
from hlg.cli.options import (
    EVIDENCE_TOKENS,
    Budget,
    Count,
    RetrieverOptions,
    SearchSettings,
    ShownSearchSettings,
    Tokens,
    question_of,
    retriever_options,
)
from hlg.reports import DOUBTFUL, Explanation, SearchResult
from hlg.unicode import counted

if TYPE_CHECKING:
    from hlg.records import Hit
    from hlg.retrieval.context.paths import PathLimits

_TEXT_WIDTH = 320
"""Characters of a hit that a person is shown: every statement, and the start of a chunk."""


def query(
    text: str,
    settings: SearchSettings,
    rerank: Annotated[
        str | None,
        typer.Option(
            autocompletion=one_of(
                path="the learned ranker",
                none="the search's own score",
                llm="the language model orders ten",
                **{"llm-relevance": "the language model judges ten"},
                cascade="the learned ranker, then the language model",
            )
        ),
    ] = None,
    hops: int | None = None,
    options: RetrieverOptions = None,
    where: str = "",
    explain: bool = False,
    budget: Budget = None,
) -> Shown:
    """Find the evidence for a question, best first, cited to the character.

    \b
    Examples:
      hlg query "Who built the lighthouse?"
      hlg query "Who built the lighthouse?" --retriever bm25 --top-k 3
      hlg query "Who built the lighthouse?" --retriever statement-graph --explain
      hlg query "Who built the lighthouse?" --retriever local --hops 1
      hlg query "What is the harbour's history?" --retriever global -o level=0
      hlg query "Who built the lighthouse?" -o form=statements -o diversity=true
      hlg query "What did the company earn?" --where 'year >= 2024 and type = "10-K"'
      hlg query "Who built the lighthouse?" --json | jq -r '.hits[].text'
      echo "Who built the lighthouse?" | hlg query -

    :param path|llm|cascade|MODEL rerank: Rank again: path (the learned ranker), none, llm,
        llm-relevance, cascade, or a model.
    :param N hops: How far to go from the question's entities (local, drift).
    :param explain: Show paths, signals, and what was left out.
    """
    from hlg.retrieval.explain import explanation_text

    question = question_of(text, "query")
    chosen = retriever_options(options, rerank=rerank, hops=hops)
    with opened(settings, budget=budget) as graph:
        result = graph.search(question, options=chosen, where=where, mark=True)
        for note in result.notes:
            say(one_line(note))
        say_usage(graph)
    shown = (result.explanation or Explanation()) if explain else None
    yield replace(result, explanation=shown)
    if explain:
        print_text(explanation_text(result))
    else:
        _print_result(result)


def print_hit(hit: "Hit") -> None:
    """A hit for a person: rank, score and citation; the text; the path that led there."""
    from hlg.retrieval.explain import path_line

    passage = hit.passage
    title = one_line(passage.source.title, 60)
    citation = one_line(passage.citation)
    heading = f"{title} · {citation}" if title and title != passage.source.uri else citation
    print_line(Styled(f"{hit.rank:>2}  {hit.score:.3f}  {heading}", bold=True))
    details = "" if passage.details in ("", passage.source.title) else f"({passage.details}) "
    print_line(f"    {details}", *_text(hit))
    if len(hit.path) > 1:
        print_line(Styled(f"    path: {path_line(hit)}", dim=True))


def _text(hit: "Hit") -> "Iterator[str | Styled]":
    """A hit's text as far as there is room, with the sentence that answers in bold between »«."""
    before, sentence, after = (one_line(part) for part in hit.marked_text)
    if not sentence:
        yield one_line(before, _TEXT_WIDTH)
        return
    room = max(_TEXT_WIDTH - len(sentence), 0)
    if len(before) > room // 2:
        before = "…" + before[len(before) - room // 2 :].partition(" ")[2]
    after = one_line(after, max(room - len(before), 1)) if after else ""
    yield f"{before} " if before else ""
    yield Styled(f"»{one_line(sentence, _TEXT_WIDTH)}«", bold=True)
    yield f" {after}" if after else ""


def _print_result(result: SearchResult) -> None:
    if not result.hits:
        print_line(f"nothing found by {result.retriever}; hlg status shows what the graph holds")
        return
    if result.answer:
        print_line(one_line(result.answer))
        print_line()
    elif result.confidence < DOUBTFUL:
        print_doubt(result.confidence)
    for hit in result.hits:
        print_hit(hit)
    total = result.timings_ms.get("total", sum(result.timings_ms.values()))
    print_line()
    print_line(
        f"{counted('hit', len(result.hits))} by {result.retriever} in {total:.0f} ms, confidence "
        f"{result.confidence:.2f}; "
        "more with --top-k, for a program with --json"
    )


def context(
    text: str,
    settings: ShownSearchSettings,
    format_: Annotated[
        str, typer.Option(autocompletion=names_in("hlg.retrieval.context.conversation:FORMATS"))
    ] = "grouped",
    tokens: Tokens = EVIDENCE_TOKENS,
    hops: Count = None,
    paths: Count = None,
    entities: Count = None,
    options: RetrieverOptions = None,
    where: str = "",
    budget: Budget = None,
) -> Shown:
    """Print what a language model would be given to answer a question, in so many tokens.

    The passages that were found and the facts that they rest on, strongest first, each
    once; what is between the marks is data. Formats: grouped writes facts as
    subject - (predicate|predicate) - object, triples as <subject, predicate, object>;
    paths has in place of the passages' own facts those within some hops of the entities
    that the question names, then of those of the best evidence; statements has the
    statements alone, json both with their spans. What did not fit is said on stderr.

    \b
    Examples:
      hlg context "Who built the lighthouse?"
      hlg context "Who built the lighthouse?" --format triples --tokens 1000
      hlg context "Who built the lighthouse?" --format paths --hops 2 --paths 100
      hlg context "Who built the lighthouse?" --retriever statement-graph -o form=statements
      hlg context "Who built the lighthouse?" --json | jq .cut

    :param NAME format_ --format -f: grouped, paths, triples, statements, json.
    :param H hops: Of --format paths: how many facts a path goes along [default: 2].
    :param N paths: Of --format paths: how many paths of each entity [default: 100].
    :param N entities: Of --format paths: from how many entities [default: 5].
    """
    from hlg.documents import document_of

    question = question_of(text, "context")
    with opened(settings, budget=budget) as graph:
        made = graph.context(
            question,
            options=retriever_options(options),
            where=where,
            format=format_,
            tokens=tokens,
            walk=_walk(hops, paths, entities),
        )
    yield {"query": question} | document_of(made)
    print_text(made.text)
    say(made.summary())


def _walk(hops: int | None, paths: int | None, entities: int | None) -> "PathLimits | None":
    from hlg.retrieval.context.paths import PathLimits

    given = {"hops": hops, "paths": paths, "entities": entities}
    told = {name: each for name, each in given.items() if each is not None}
    return PathLimits(**told) if told else None
