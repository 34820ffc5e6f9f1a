"""reStructuredText by docutils, as HTML and from there as Markdown."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.ingest.load.readers.html import html_to_markdown
from hlg.records import Document
from hlg.words import word_set

if TYPE_CHECKING:
    from docutils import nodes

_ROLE = re.compile(r":([a-zA-Z][\w.+:-]*):`")
_DIRECTIVE = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]*\|[ \t]+)?([a-zA-Z][\w.+:-]*)::", re.MULTILINE
)
_TARGET = re.compile(r"\s*<[^<>]*>$")
_NOT_SHOWN = word_set("""
toctree index currentmodule module highlight contents only tabularcolumns meta image raw
include literalinclude automodule autoclass autofunction autosummary plot
""")
_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "input_encoding": "unicode",
    "_disable_config": True,
    "embed_stylesheet": False,
    "initial_header_level": "1",
    "doctitle_xform": False,
    "sectsubtitle_xform": False,
    "smart_quotes": False,
    "math_output": "LaTeX",
    "syntax_highlight": "none",
    "line_length_limit": 1_000_000,
}


def read_rst(file: File) -> Iterator[Document]:
    """An .rst file; roles and directives that docutils doesn't know give their text."""
    from docutils.core import publish_parts

    text = decode(file.data)
    _register_unknown(text)
    parts = publish_parts(text, writer="html5", settings_overrides=_SETTINGS)
    page = html_to_markdown(str(parts["html_body"]), whole=True)
    yield from one(file, page.text, page.first_heading)


def _register_unknown(text: str) -> None:
    """Let docutils read the roles and directives of Sphinx and others as plain text."""
    from docutils.parsers.rst import directives, roles
    from docutils.parsers.rst.languages import en
    from docutils.utils import Reporter

    reporter = Reporter("", 5, 5)
    for name in {match[1].lower() for match in _ROLE.finditer(text)}:
        if name not in en.roles and roles.role(name, en, 0, reporter)[0] is None:
            roles.register_local_role(name, _role)
    for name in {match[1].lower() for match in _DIRECTIVE.finditer(text)}:
        if name in _NOT_SHOWN:
            directives.register_directive(name, _directive(shown=False))
        elif name not in en.directives and name not in directives._directives:
            directives.register_directive(name, _directive(shown=True))


def _role(
    name: str, rawtext: str, text: str, *rest: Any, **options: Any
) -> "tuple[list[nodes.Node], list[nodes.system_message]]":
    """``:ref:`the guide <guide>``` as "the guide", ``:class:`~a.b.C``` as "C"."""
    from docutils import nodes, utils

    shown = _TARGET.sub("", utils.unescape(text))
    if shown.startswith("~"):
        shown = shown.rpartition(".")[2].lstrip("~")
    return [nodes.literal(rawtext, shown) if ":" in name else nodes.inline(rawtext, shown)], []


def _directive(*, shown: bool) -> Any:
    """A directive that gives its argument as a term and its content as text, or nothing."""
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Plain(Directive):  # type: ignore[misc]
        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True

        def run(self) -> "list[nodes.Node]":
            if not shown:
                return []
            made: list[nodes.Node] = []
            if self.arguments and "\n" not in self.arguments[0]:
                made.append(nodes.paragraph("", self.arguments[0]))
            container = nodes.container()
            self.state.nested_parse(self.content, self.content_offset, container)
            return [*made, *container.children]

    # Any option is taken.
    Plain.option_spec = _AnyOption()
    return Plain


class _AnyOption(dict[str, Any]):
    def __getitem__(self, key: str) -> Any:
        return lambda value: value

    def __bool__(self) -> bool:
        return True
