"""What an application lists and a person picks: sources and entities as resources, completed as
they are typed, and a prompt."""

from functools import wraps
from typing import Any
from urllib.parse import quote

from anyio import to_thread
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp_types import (
    CallToolResult,
    Completion,
    CompletionArgument,
    Resource,
    ResourceTemplateReference,
    TextContent,
)

from hlg.errors import UsageError
from hlg.mcp.access import OFFERED, Opened
from hlg.mcp.library import RESOURCE
from hlg.mcp.reading import ReadTools
from hlg.unicode import one_line, without_surrogates

SOURCE, ENTITY = f"{RESOURCE}{{id}}", "hlg://entity/{name}"
LISTED = 100
"""Sources that are listed as resources; the tool ``sources`` pages through all."""
_PROMPT = """\
Answer this question out of the documents alone: {question}

Below is what a search found. Where that is not enough, use the tools: search again with other \
words, fetch or open what you need to read, and facts or path for what links two things. Put \
behind each sentence the id of what bears it out, in brackets, such as [{example}]. Say so where \
the documents do not tell.

{found}"""


def add_resources(server: "MCPServer[Any]", tools: ReadTools, opened: Opened) -> None:
    """Register templates, their completion and the prompt."""

    def source(id: str) -> str:
        """A document's text; of a long one its beginning, and how to read on."""
        return _text(tools.fetch(id))

    def entity(name: str) -> str:
        """What the documents say of a person, place or thing."""
        return _text(tools.facts(name))

    for template, function in ((SOURCE, source), (ENTITY, entity)):
        server.resource(template, mime_type="text/plain")(_or_not_found(function))

    @server.prompt(title="Answer with citations")
    def answer_with_citations(question: str) -> str:
        """Answer a question out of the documents, each sentence with what bears it out."""
        found = _text(tools.search(question, detail="full"))
        return _PROMPT.format(question=question, found=found, example="3fa9c2d1b0e4:318-544")

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]
    async def complete(ref: object, argument: CompletionArgument, context: object) -> Completion:
        uri = ref.uri if isinstance(ref, ResourceTemplateReference) else ""
        offer = {SOURCE: _sources, ENTITY: _entities}.get(uri)
        if offer is None:
            return Completion(values=[])
        found = await to_thread.run_sync(lambda: offer(opened, argument.value))
        return Completion(values=found, has_more=len(found) == OFFERED)


def listed(opened: Opened) -> list[Resource]:
    """Sources by address, then the most mentioned entities; those that may be seen."""
    at = opened()
    sources = [
        Resource(
            uri=SOURCE.format(id=at.library.short_id(each.id)),
            name=one_line(each.uri),
            title=one_line(each.title, 200),
            mime_type="text/plain",
        )
        for each in at.library.sources()[:LISTED]
    ]
    entities = [
        Resource(
            uri=ENTITY.format(name=quote(without_surrogates(each.name), safe="")),
            name=one_line(each.name, 200),
            description=one_line(each.entity_class, 80),
            mime_type="text/plain",
        )
        for each in at.entities("", OFFERED)
    ]
    return [*sources, *entities]


def _sources(opened: Opened, begun: str) -> list[str]:
    at, wanted = opened(), begun.casefold()
    names = ((at.library.short_id(each.id), each) for each in at.library.sources())
    found = (
        name
        for name, each in names
        if name.startswith(wanted) or wanted in f"{each.title} {each.uri}".casefold()
    )
    return [name for name, _ in zip(found, range(OFFERED), strict=False)]


def _entities(opened: Opened, begun: str) -> list[str]:
    return [without_surrogates(each.name) for each in opened().entities(begun, OFFERED)]


def _or_not_found(function: Any) -> Any:
    @wraps(function)
    def read(**given: str) -> str:
        try:
            return str(function(**given))
        except UsageError as error:
            raise ResourceNotFoundError(str(error)) from error

    return read


def _text(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
