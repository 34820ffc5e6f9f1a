"""Source code as Markdown: definitions are sections, docstrings and comments their text.

tree-sitter parses it where there is a grammar; ``hlg[code]`` has those beside Python's.
Without one, a file is its comment at the top and its code.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hlg.ingest.load.blocks import fenced, heading, one_line
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.records import Document

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True)
class Language:
    """A programming language: its grammar's module and function there."""

    name: str
    module: str
    function: str = "language"


LANGUAGES = {
    ".c": Language("c", "tree_sitter_c"),
    ".cc": Language("cpp", "tree_sitter_cpp"),
    ".cpp": Language("cpp", "tree_sitter_cpp"),
    ".cxx": Language("cpp", "tree_sitter_cpp"),
    ".go": Language("go", "tree_sitter_go"),
    ".h": Language("c", "tree_sitter_c"),
    ".hpp": Language("cpp", "tree_sitter_cpp"),
    ".java": Language("java", "tree_sitter_java"),
    ".js": Language("javascript", "tree_sitter_javascript"),
    ".jsx": Language("javascript", "tree_sitter_javascript"),
    ".mjs": Language("javascript", "tree_sitter_javascript"),
    ".py": Language("python", "tree_sitter_python"),
    ".pyi": Language("python", "tree_sitter_python"),
    ".rb": Language("ruby", "tree_sitter_ruby"),
    ".rs": Language("rust", "tree_sitter_rust"),
    ".ts": Language("typescript", "tree_sitter_typescript", "language_typescript"),
    ".tsx": Language("tsx", "tree_sitter_typescript", "language_tsx"),
}
OTHER_LANGUAGES = {
    ".bash": "bash",
    ".cs": "csharp",
    ".jl": "julia",
    ".kt": "kotlin",
    ".lua": "lua",
    ".php": "php",
    ".pl": "perl",
    ".pm": "perl",
    ".r": "r",
    ".scala": "scala",
    ".sh": "bash",
    ".sql": "sql",
    ".swift": "swift",
}
"""Read as a comment and code: there is no grammar for them here."""

_DEFINITIONS_NAMES = """
class_definition class_declaration class_specifier class constructor_declaration
enum_declaration enum_item enum_specifier function_declaration function_definition
function_item impl_item interface_declaration method method_declaration method_definition
mod_item module namespace_definition record_declaration singleton_method struct_item
struct_specifier trait_item type_alias_declaration type_declaration
"""
_DEFINITIONS = frozenset(_DEFINITIONS_NAMES.split())
_WRAPPERS_NAMES = """
decorated_definition export_statement declaration_list class_body block body_statement
template_declaration linkage_specification field_declaration_list
"""
_WRAPPERS = frozenset(_WRAPPERS_NAMES.split())
_COMMENTS = frozenset(("comment", "line_comment", "block_comment"))
_MARKS = re.compile(r"^[ \t]*(?:/\*+!?|\*+/|\*(?!\*)|//[/!]?|#+!?|--+|;+)?[ \t]?", re.MULTILINE)
_COMMENT_END = re.compile(r"[ \t]*\*+/[ \t]*$", re.MULTILINE)
_SHEBANG = re.compile(r"\A#!.*\n(?:#.*coding.*\n)?")
_LEADING_COMMENT = re.compile(
    r"\A\s*(?:/\*.*?\*/|(?:[ \t]*(?:#|//|--|;)[^\n]*(?:\n|\Z))+)", re.DOTALL
)
_HASH_LANGUAGES = frozenset(("bash", "julia", "perl", "r"))
_HASH_COMMENT = re.compile(r"(?:^[ \t]*#[^\n]*\w[^\n]*(?:\n|\Z)(?:^[ \t]*#[^\n]*(?:\n|\Z))*)", re.M)
"""Whole lines of it: prose between code."""
_DEEPEST = 4


def read_code(file: File) -> Iterator[Document]:
    """A program's text by its definitions."""
    code = _SHEBANG.sub("", decode(file.data).replace("\r\n", "\n"))
    language = LANGUAGES.get(file.suffix)
    name = language.name if language else OTHER_LANGUAGES.get(file.suffix, "")
    if language and find_spec("tree_sitter") and find_spec(language.module):
        blocks = list(_parsed_blocks(code, language))
    else:
        blocks = list(_plain_blocks(code, name))
    metadata: dict[str, object] = {"programming_language": name} if name else {}
    text = "\n\n".join([heading(1, file.name), *blocks]) if blocks else ""
    yield from one(file, text, file.name, metadata)


def _plain_blocks(code: str, name: str) -> Iterator[str]:
    comment = _LEADING_COMMENT.match(code)
    if comment:
        yield _without_marks(comment.group())
        code = code[comment.end() :]
    position = 0
    for comment in _HASH_COMMENT.finditer(code) if name in _HASH_LANGUAGES else ():
        if code[position : comment.start()].strip():
            yield fenced(code[position : comment.start()].strip("\n"), name)
        yield _without_marks(comment.group())
        position = comment.end()
    if code[position:].strip():
        yield fenced(code[position:].strip("\n"), name)


def _parsed_blocks(code: str, language: Language) -> Iterator[str]:
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser

    grammar = Grammar(getattr(import_module(language.module), language.function)())
    data = code.encode("utf-8", "replace")
    root = Parser(grammar).parse(data).root_node
    yield from _Sections(data, language.name).blocks(root, 2)


@dataclass(frozen=True, slots=True)
class _Sections:
    data: bytes
    language: str

    def blocks(self, parent: "Node", level: int) -> Iterator[str]:
        """What stands in a node: definitions as sections, the rest as prose and code."""
        rest: list[Node] = []
        comments: list[Node] = []
        for node in parent.children:
            definition = self.definition(node)
            if node.type in _COMMENTS:
                comments.append(node)
            elif definition is not None:
                about = self.comment_before(comments, node)
                yield from self.loose(rest, comments)
                rest, comments = [], []
                yield from self.section(node, definition, about, level)
            elif self.docstring(node):
                yield from self.loose(rest, comments)
                rest, comments = [], []
                yield self.docstring(node)
            elif node.type in _WRAPPERS and any(self.definition(each) for each in node.children):
                yield from self.loose(rest, comments)
                rest, comments = [], []
                yield from self.blocks(node, level)
            else:
                rest += [*comments, node]
                comments = []
        yield from self.loose(rest, comments)

    def definition(self, node: "Node") -> "Node | None":
        """The definition that a node is or wraps."""
        if node.type in _DEFINITIONS and node.is_named:
            return node if node.child_by_field_name("body") or "type" in node.type else None
        if node.type in ("decorated_definition", "export_statement", "template_declaration"):
            found = (self.definition(child) for child in node.children)
            return next((each for each in found if each is not None), None)
        return None

    def section(self, node: "Node", definition: "Node", about: str, level: int) -> Iterator[str]:
        body = definition.child_by_field_name("body")
        signature = self.text(definition)
        if body is not None:
            signature = self.data[definition.start_byte : body.start_byte].decode(
                "utf-8", "replace"
            )
        yield heading(level, one_line(signature).rstrip(":{ "))
        if about:
            yield about
        nested = body is not None and any(self.definition(each) for each in body.children)
        if body is not None and nested and level < _DEEPEST:
            yield from self.blocks(body, level + 1)
            return
        docstring = next((self.docstring(each) for each in body.children), "") if body else ""
        if docstring:
            yield docstring
        yield fenced(self.text(node), self.language)

    def docstring(self, node: "Node") -> str:
        """The text of a string that stands alone, as Python has them."""
        if self.language != "python" or node.type != "expression_statement":
            return ""
        if len(node.children) != 1 or node.children[0].type != "string":
            return ""
        return _unindented(self.text(node).lstrip("rRbBuUfF").strip("\"'"))

    def comment_before(self, comments: "list[Node]", node: "Node") -> str:
        """The comments that end in the line above a definition; they are taken from the list."""
        about: list[Node] = []
        line = node.start_point[0]
        while comments and comments[-1].end_point[0] >= line - 1:
            about.insert(0, comments.pop())
            line = about[0].start_point[0]
        return _without_marks("\n".join(self.text(each) for each in about)) if about else ""

    def loose(self, nodes: "list[Node]", comments: "list[Node]") -> Iterator[str]:
        """Statements between definitions as code; comments alone as prose."""
        code = [node for node in nodes if node.type not in _COMMENTS]
        if code:
            start, end = nodes[0].start_byte, nodes[-1].end_byte
            text = self.data[start:end].decode("utf-8", "replace")
            if any(character.isalnum() for character in text):
                yield fenced(text, self.language)
        prose = _without_marks("\n".join(self.text(each) for each in comments))
        if prose:
            yield prose

    def text(self, node: "Node") -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _without_marks(comment: str) -> str:
    lines = _MARKS.sub("", _COMMENT_END.sub("", comment)).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()


def _unindented(docstring: str) -> str:
    from inspect import cleandoc

    return cleandoc(docstring).strip()
