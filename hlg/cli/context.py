"""``hlg context``: what a language model would be given for a question."""

from typing import TYPE_CHECKING, Annotated

from hlg.cli.command import Shown, opened, option
from hlg.cli.completion import names_in
from hlg.cli.console import print_text, say
from hlg.cli.options import (
    EVIDENCE_TOKENS,
    BudgetOption,
    QuestionArgument,
    RetrieverOptions,
    ShownSearchSettings,
    TokensOption,
    WhereOption,
    question_of,
    retriever_options,
)

if TYPE_CHECKING:
    from hlg.retrieval.context.paths import PathLimits

_OF_PATHS = "Of --format paths: "
HopsOption = Annotated[
    int | None, option("H", f"{_OF_PATHS}how many facts a path goes along [default: 2].", min=1)
]
PathsOption = Annotated[
    int | None, option("N", f"{_OF_PATHS}how many paths of each entity [default: 100].", min=1)
]
EntitiesOption = Annotated[
    int | None, option("N", f"{_OF_PATHS}from how many entities [default: 5].", min=1)
]


def context(
    text: QuestionArgument,
    settings: ShownSearchSettings,
    format_: Annotated[
        str,
        option(
            "NAME",
            "grouped, paths, triples, statements, json.",
            "--format",
            "-f",
            autocompletion=names_in("hlg.retrieval.context.conversation:FORMATS"),
        ),
    ] = "grouped",
    tokens: TokensOption = EVIDENCE_TOKENS,
    hops: HopsOption = None,
    paths: PathsOption = None,
    entities: EntitiesOption = None,
    options: RetrieverOptions = None,
    where: WhereOption = "",
    budget: BudgetOption = None,
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
