"""What the parameters of commands are, as docstrings tell it.

``:param METAVAR name --flag -f: help`` tells of an option, ``:arg METAVAR name: help`` of an
argument; flags stand there where they are others than ``--name``. A docstring need not tell of
what several commands have.
"""

import re
from copy import copy
from dataclasses import dataclass
from inspect import Parameter, cleandoc
from typing import Annotated, Any, get_args, get_origin

import typer
from typer.models import OptionInfo, ParameterInfo

from hlg.evaluation.judging.judges import JUDGES
from hlg.ingest.chunk.chunkers import CHUNKERS
from hlg.ingest.extract.extractors import EXTRACTORS
from hlg.retrieval.registry import RETRIEVERS
from hlg.schema import SURE

SHARED = f"""
:arg TEXT text: The question; - reads it from stdin.
:arg [QUERY] query: A question; its evidence is shown.
:arg DIR directory: A data set's folder, or a HippoRAG NAME.json.
:arg [DIR]... directories: Data sets with labelled questions; without any, questions are made out
    of the graph.
:param PATH|URI store: Where the graph is: a file, or neo4j://host:7687 [default: .hlg/graph.lbug].
:param NAME graph: A named graph, kept apart from the others in its store.
:param NAME=VALUE set_ --set: Any setting for this once, such as llm_trace=calls.jsonl; may be given
    again.
:param as_json --json: Print one JSON document on stdout and nothing else there.
:param NAME extractor: What extracts facts: {", ".join(EXTRACTORS.written())} [default: local].
:param NAME chunker: {", ".join(CHUNKERS.written())}; options as in semantic:percentile=80,window=1,
    hierarchical:parent_tokens=2000 [default: fixed].
:param NAME retriever: How to search: {", ".join(RETRIEVERS.written())} [default: auto].
:param N top_k --top-k -k: Hits, at most [default: 10].
:param NAME=VALUE options --option -o: An option of the retriever, such as depth=2; may be given
    again.
:param CONDITION where: Search only sources that fulfil it, such as 'year >= 2024 and type =
    "10-K"'.
:param P min_confidence: Leave out facts, entities and relations that are less sure; 0 shows all
    [default: {SURE}].
:param NAME entity: Only what is said about an entity, by name or alias.
:param ID community: Only a community's entities.
:param ID|URI source: Only a document's graph.
:param extractive: Ask no language model, even where there is one.
:param N tokens: Tokens of evidence for the model, at most.
:param relations: Append to each document titled as an entity what that entity relates to.
:param DOLLARS budget: What the language model may cost; no call is begun that might pass it.
:param NAME=VALUE agent_limit: How far the agent goes, such as iterations=5 or seconds=60; a name
    that is none is told what there are. May be given again.
:param HOST host: What to listen on; this machine alone.
:param PORT port: 0 takes a free one.
:param FILE token_file: A file with the token that everybody has to show.
:param N queries: Only the first N questions.
:param INTEGER limit: How many to print.
:param N questions: Cut data sets: so many questions at most.
:param N words: Cut data sets: a corpus of about so many words, the evidence and what looks like it
    first.
:param build --build/--no-build: Bring the graph up to date first.
:param A,B,… judge: Ask a language model to judge: {", ".join(JUDGES)}.
:param NAME judge_model: Judge by another model [default: llm].
"""
_PARAMETER = re.compile(
    r"^:(?P<kind>param|arg)(?: (?P<metavar>\S*[^\s:]))? (?P<name>\w+)(?P<flags>(?: -\S+)*): "
    r"(?P<help>.+(?:\n +.+)*)\n?",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Description:
    """What is told of a parameter."""

    help: str
    metavar: str | None
    flags: tuple[str, ...]
    is_argument: bool


def taken_apart(docstring: str) -> tuple[str, dict[str, Description]]:
    """A docstring without what it tells of parameters, and that by their names."""
    text = cleandoc(docstring)
    told = {
        each["name"]: Description(
            " ".join(each["help"].split()),
            each["metavar"],
            tuple(each["flags"].split()),
            each["kind"] == "arg",
        )
        for each in _PARAMETER.finditer(text)
    }
    return _PARAMETER.sub("", text).rstrip(), told


_SHARED = taken_apart(SHARED)[1]


def documented(parameter: Parameter, told: dict[str, Description]) -> Parameter:
    """A command's parameter as Typer takes it, with what is told of it."""
    its = told.get(parameter.name) or _SHARED.get(parameter.name)
    if its is None:
        return parameter
    annotation: Any = parameter.annotation
    type_, *marks = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    given: Any = next((each for each in marks if isinstance(each, ParameterInfo)), None)
    mark = copy(given) or (typer.Argument() if its.is_argument else typer.Option())
    mark.help, mark.metavar = its.help, its.metavar
    if isinstance(mark, OptionInfo):
        # Typer would make two flags of a truth value, --name and --no-name.
        name = "--" + parameter.name.replace("_", "-")
        mark.param_decls = its.flags or ((name,) if type_ is bool else ())
    return parameter.replace(annotation=Annotated[type_, mark])
