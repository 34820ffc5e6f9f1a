"""Markdown: its front matter, and the title that it gives itself."""

import re
from itertools import islice
from typing import Any

from hlg.errors import InputError
from hlg.ingest.load.blocks import one_line
from hlg.ingest.load.values import toml_value, yaml_values
from hlg.ingest.text.fields import front_matter_end

_BEGINNING = 20_000
"""Characters of a text that are looked through for its first heading."""
_LONGEST_TITLE = 500
_HTML_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


def front_matter(text: str) -> tuple[dict[str, Any], int]:
    """What a text's front matter (YAML or TOML) says, and where the text behind it starts."""
    end = front_matter_end(text)
    raw = "\n".join(text[:end].split("\n")[1:-1])
    try:
        values = [toml_value(raw)] if text.startswith("+++") else yaml_values(raw)
    except InputError:
        return {}, 0
    is_mapping = len(values) == 1 and isinstance(values[0], dict)
    return (values[0], end) if is_mapping else ({}, 0)


def markdown_title(text: str) -> str:
    """The title in a Markdown text's front matter, else its first heading, else nothing."""
    values, start = front_matter(text)
    title = values.get("title")
    if isinstance(title, str | int | float) and one_line(str(title)):
        return one_line(str(title))
    return first_heading(text[start : start + _BEGINNING])


def first_heading(text: str) -> str:
    """The first heading of the highest level there is among the first few, as plain text."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark")
    blocks = MarkdownIt("commonmark")
    blocks.core.ruler.disable("inline")  # of the headings alone: the rest may be long
    tokens = blocks.parse(text)
    for token, inline in zip(tokens, islice(tokens, 1, None), strict=False):
        if token.type == "heading_open":
            parsed = markdown.parseInline(inline.content[:_LONGEST_TITLE])[0].children or []
            title = "".join(
                " " if child.type == "softbreak" else child.content
                for child in parsed
                if child.type != "image"
            )
            if title := one_line(_TAG.sub("", title)):
                return title
        elif token.type == "html_block":
            match = _HTML_HEADING.search(token.content)
            if match and (title := one_line(_TAG.sub("", match[2]))):
                return title
    return ""
