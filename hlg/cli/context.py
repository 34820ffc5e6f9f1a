"""``hlg context``: what a language model would be given for a question."""

from typing import Annotated

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


def context(
    text: QuestionArgument,
    settings: ShownSearchSettings,
    format_: Annotated[
        str,
        option(
            "NAME",
            "grouped, triples, statements, json.",
            "--format",
            "-f",
            autocompletion=names_in("hlg.retrieval.context.conversation:FORMATS"),
        ),
    ] = "grouped",
    tokens: TokensOption = EVIDENCE_TOKENS,
    options: RetrieverOptions = None,
    where: WhereOption = "",
    budget: BudgetOption = None,
) -> Shown:
    """Print what a language model would be given to answer a question, in so many tokens.

    The passages that were found and the facts that they rest on, strongest first, each
    once; what is between the marks is data. Formats: grouped writes facts as
    subject - (predicate|predicate) - object, triples as <subject, predicate, object>;
    statements has the statements alone, json both with their spans. What did not fit
    is said on stderr.

    \b
    Examples:
      hlg context "Who built the lighthouse?"
      hlg context "Who built the lighthouse?" --format triples --tokens 1000
      hlg context "Who built the lighthouse?" --retriever statement-graph -o form=statements
      hlg context "Who built the lighthouse?" --json | jq .cut
    """
    from hlg.documents import document_of

    question = question_of(text, "context")
    with opened(settings, budget=budget) as graph:
        made = graph.context(
            question, options=retriever_options(options), where=where, format=format_, tokens=tokens
        )
    yield {"query": question} | document_of(made)
    print_text(made.text)
    say(made.summary())
