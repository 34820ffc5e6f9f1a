"""Source code as Markdown: definitions are sections, docstrings and comments their text.

tree-sitter parses it where there is a grammar; ``hlg[code]`` has those beside Python's.
Without one, a file is its comment at the top and its code.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from typing import TYPE_CHECKING

from hlg.ingest.load.blocks import fenced, heading, one_line
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.records import Document
from hlg.words import word_set

if TYPE_CHECKING:
    from tree_sitter import Node


_SUFFIXES = {
    "bash": ".bash .sh", "c": ".c .h", "cpp": ".cc .cpp .cxx .hpp", "csharp": ".cs", "go": ".go",
    "java": ".java", "javascript": ".js .jsx .mjs", "julia": ".jl", "kotlin": ".kt", "lua": ".lua",
    "perl": ".pl .pm", "php": ".php", "python": ".py .pyi", "r": ".r", "ruby": ".rb",
    "rust": ".rs", "scala": ".scala", "sql": ".sql", "swift": ".swift", "tsx": ".tsx",
    "typescript": ".ts",
}  # fmt: skip
LANGUAGES = {suffix: name for name, each in _SUFFIXES.items() for suffix in each.split()}
_GRAMMARS = frozenset(
    ["c", "cpp", "go", "java", "javascript", "python", "ruby", "rust", "tsx", "typescript"]
)
"""The others are read as a comment and code."""

_DEFINITIONS = word_set("""
class_definition class_declaration class_specifier class constructor_declaration
enum_declaration enum_item enum_specifier function_declaration function_definition
function_item impl_item interface_declaration method method_declaration method_definition
mod_item module namespace_definition record_declaration singleton_method struct_item
struct_specifier trait_item type_alias_declaration type_declaration
""")
_WRAPPERS = word_set("""
decorated_definition export_statement declaration_list class_body block body_statement
template_declaration linkage_specification field_declaration_list
""")
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
    name = LANGUAGES.get(file.suffix, "")
    is_parsed = name in _GRAMMARS and find_spec("tree_sitter") and find_spec(_module(name))
    blocks = list(_parsed_blocks(code, name) if is_parsed else _plain_blocks(code, name))
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


def _module(name: str) -> str:
    """The module of a language's grammar."""
    return f"tree_sitter_{'typescript' if name == 'tsx' else name}"


def _parsed_blocks(code: str, name: str) -> Iterator[str]:
    from tree_sitter import Language, Parser

    module = import_module(_module(name))
    grammar = getattr(module, "language", None) or getattr(module, f"language_{name}")
    data = code.encode("utf-8", "replace")
    root = Parser(Language(grammar())).parse(data).root_node
    yield from _Sections(data, name).blocks(root, 2)


@dataclass(frozen=True, slots=True)
class _Sections:
    data: bytes
    language: str

    def blocks(self, parent: "Node", level: int) -> Iterator[str]:
        """What stands in a node: definitions as sections, the rest as prose and code."""
        rest: list[Node] = []
        comments: list[Node] = []
        for node in parent.children:
            definition, docstring = self.definition(node), self.docstring(node)
            wraps = node.type in _WRAPPERS and any(map(self.definition, node.children))
            if node.type in _COMMENTS:
                comments.append(node)
            elif definition is None and not docstring and not wraps:
                rest += [*comments, node]
                comments = []
            else:
                about = self.comment_before(comments, node) if definition is not None else ""
                yield from self.loose(rest, comments)
                rest, comments = [], []
                if definition is not None:
                    yield from self.section(node, definition, about, level)
                elif docstring:
                    yield docstring
                else:
                    yield from self.blocks(node, level)
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
        end = definition.end_byte if body is None else body.start_byte
        signature = self.text_between(definition.start_byte, end)
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
        return cleandoc(self.text(node).lstrip("rRbBuUfF").strip("\"'")).strip()

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
        if any(node.type not in _COMMENTS for node in nodes):
            text = self.text_between(nodes[0].start_byte, nodes[-1].end_byte)
            if any(character.isalnum() for character in text):
                yield fenced(text, self.language)
        prose = _without_marks("\n".join(self.text(each) for each in comments))
        if prose:
            yield prose

    def text(self, node: "Node") -> str:
        return self.text_between(node.start_byte, node.end_byte)

    def text_between(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")


def _without_marks(comment: str) -> str:
    lines = _MARKS.sub("", _COMMENT_END.sub("", comment)).splitlines()
    return "\n".join(line.rstrip() for line in lines).strip()
