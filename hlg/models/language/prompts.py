"""Prompts: one file each, with a version, that can be replaced by a file of one's own.

::

    ---
    version: 1
    about: Keywords of a question.
    answer_tokens: 300
    ---
    # system
    You list at most {{count}} keywords of a question.
    # user
    [[question]]

``{{name}}`` stands for a parameter, which hlg gives and which is trusted; ``[[name]]`` for
material, which is fenced and stands in the user's section only. Nothing that is filled in is
looked at for names again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hlg.errors import UsageError
from hlg.ids import content_id
from hlg.models.language.fence import fenced, new_boundary, rule
from hlg.models.language.structured import first_fault

FOLDER = "prompts"
"""Of the package ``hlg``."""

_FRONT = re.compile(r"---\n(.*?)\n---\n(.*)", re.DOTALL)
_SECTION = re.compile(r"^# (system|user)[ \t]*$", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PLACE = re.compile(r"\{\{(\w+)\}\}|\[\[(\w+)\]\]")

Message = tuple[str, str]
"""A role (``system``, ``user``, ``assistant``) and what it says."""


class _Front(BaseModel):
    """What stands before the text of a prompt."""

    model_config = ConfigDict(extra="forbid")

    version: int = Field(ge=1)
    about: str
    answer_tokens: int = Field(1024, ge=1)
    """The most that an answer may have."""
    temperature: float | None = Field(None, ge=0, le=2)
    """None is the model's own, which hlg sets to 0."""


@dataclass(frozen=True)
class Prompt:
    """A prompt as it is in its file; ``place`` says where that is, for messages, and ``is_own``
    that it is not hlg's."""

    name: str
    version: int
    about: str
    answer_tokens: int
    temperature: float | None
    system: str
    user: str
    place: str
    is_own: bool = False

    @cached_property
    def fingerprint(self) -> str:
        """Name, version and a hash of all that it says: what it was asked with."""
        told = content_id(self.system, self.user, str(self.answer_tokens), str(self.temperature))
        return f"{self.name}/{self.version}/{told[:12]}"

    @cached_property
    def parameters(self) -> frozenset[str]:
        """Names of its parameters."""
        return _names(self.system + self.user, group=1)

    @cached_property
    def material(self) -> frozenset[str]:
        """Names of its material."""
        return _names(self.user, group=2)

    def render(
        self, material: Mapping[str, str], parameters: Mapping[str, object], boundary: str
    ) -> list[Message]:
        """The messages that are sent, all material fenced.

        :raises UsageError: the prompt lacks a place for something that it is given, or wants
            something that it isn't.
        """
        self._check(self.material, material, "[[{}]]")
        self._check(self.parameters, parameters, "{{{{{}}}}}")

        def filled(found: re.Match[str]) -> str:
            if found[1]:
                return str(parameters[found[1]])
            return fenced(found[2], material[found[2]], boundary)

        system, user = (_PLACE.sub(filled, text) for text in (self.system, self.user))
        told = f"{system}\n\n{rule(boundary)}" if material else system
        return [("system", told), ("user", user)]

    def _check(self, wanted: frozenset[str], given: Mapping[str, object], mark: str) -> None:
        for name in sorted(given.keys() ^ wanted):
            what = "there is nothing for" if name in wanted else "it has no"
            raise UsageError(f"{self.place}: {what} {mark.format(name)}")


Exchange = tuple[Mapping[str, str], str]
"""What a prompt was filled with earlier in a conversation, and what was answered."""


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt with what is filled into it.

    ``schema`` is what the answer is to be of, or None for text; ``key`` is what the answer is
    kept under; ``boundary`` is that of all calls which begin alike, else empty; ``history`` what
    was said before.
    """

    prompt: Prompt
    material: Mapping[str, str]
    parameters: Mapping[str, object]
    schema: type[BaseModel] | None
    key: str
    boundary: str = ""
    history: Sequence[Exchange] = ()

    def messages(self) -> list[Message]:
        """The messages that are sent."""
        boundary = self.boundary or new_boundary()
        system, user = self.prompt.render(self.material, self.parameters, boundary)
        said = [system]
        for material, answer in self.history:
            said += self.prompt.render(material, self.parameters, boundary)[1:]
            said.append(("assistant", answer))
        return [*said, user]


class PromptBook:
    """All prompts by name: those in a folder of one's own first, then hlg's.

    :param folder: may be empty: then there are only hlg's.
    """

    def __init__(self, folder: str = "") -> None:
        self._folder = Path(folder).expanduser() if folder else None
        self._read: dict[str, Prompt] = {}

    def names(self) -> list[str]:
        """The names of hlg's prompts, which are all that it asks with."""
        return sorted(
            each.name.removesuffix(".md")
            for each in (files("hlg") / FOLDER).iterdir()
            if each.name.endswith(".md")
        )

    def load(self, name: str) -> Prompt:
        """The prompt of that name.

        :raises UsageError: there is none, or its file is wrong; says where. One of one's own is
            wrong as well where its places are not those that hlg fills.
        """
        if name not in self._read:
            text, place = self.source(name)
            prompt = parse_prompt(name, text, place)
            if place != _place(name):
                _check_places(prompt, parse_prompt(name, _shipped(name), _place(name)))
                prompt = replace(prompt, is_own=True)
            self._read[name] = prompt
        return self._read[name]

    def check(self) -> None:
        """See that every file in the folder of one's own can be asked with.

        :raises UsageError: one can't; it is nearly named as a prompt is, but not quite.
        """
        known = self.names()
        for path in sorted(self._folder.glob("*.md")) if self._folder else ():
            if path.stem in known:
                self.load(path.stem)
            elif near := get_close_matches(path.stem, known, n=1):
                raise UsageError(
                    f"{path}: there is no prompt of that name; is it {near[0]}.md?",
                    option="prompts",
                    known=known,
                )

    def source(self, name: str) -> tuple[str, str]:
        """The text of a prompt's file, and where that is.

        :raises UsageError: there is none of that name, or it can't be read.
        """
        known = self.names()
        if not _NAME.fullmatch(name) or name not in known:
            raise UsageError(f"no prompt {name!r}; there are {', '.join(known)}", known=known)
        own = self._folder / f"{name}.md" if self._folder else None
        try:
            if own is not None and own.is_file():
                return own.read_text("utf-8"), str(own)
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{own}: can't be read: {error}") from error
        return _shipped(name), _place(name)


def parse_prompt(name: str, text: str, place: str) -> Prompt:
    """A prompt from the text of its file.

    :raises UsageError: it is no prompt; says what is wrong, and where.
    """
    found = _FRONT.fullmatch(text.replace("\r\n", "\n"))
    if found is None:
        raise UsageError(f"{place}: it should begin with '---', version: 1, about: …, '---'")
    try:
        front = _Front.model_validate(_front_lines(found[1], place))
    except ValidationError as error:
        raise UsageError(f"{place}: {first_fault(error, 'its front')}") from error
    sections = _sections(found[2], place)
    if material := _names(sections["system"], group=2):
        raise UsageError(f"{place}: [[{min(material)}]] is material: it belongs under '# user'")
    return Prompt(name=name, place=place, **front.model_dump(), **sections)


def _shipped(name: str) -> str:
    """The text of hlg's own prompt of that name."""
    return (files("hlg") / FOLDER / f"{name}.md").read_text("utf-8")


def _check_places(own: Prompt, shipped: Prompt) -> None:
    """See that one's own prompt has a place for each thing that hlg fills in, and no other.

    :raises UsageError: it hasn't; says which there are.
    """
    wanted, has = _marked(shipped), _marked(own)
    if wanted != has:
        missing, unknown = sorted(wanted - has), sorted(has - wanted)
        wrong = [f"{place} is missing" for place in missing]
        wrong += [f"nothing is filled into {place}" for place in unknown]
        raise UsageError(
            f"{own.place}: {', '.join(wrong)}; this prompt has {', '.join(sorted(wanted))}"
        )


def _marked(prompt: Prompt) -> frozenset[str]:
    """The places of a prompt as they are written."""
    return frozenset(found[0] for found in _PLACE.finditer(f"{prompt.system}\n{prompt.user}"))


def _place(name: str) -> str:
    """Where hlg's own prompt of that name is said to be."""
    return f"prompt {name}"


def _front_lines(text: str, place: str) -> dict[str, str]:
    """``name: value`` a line; a value may hold colons."""
    values = {}
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise UsageError(f"{place}: between --- and --- each line is a name: value")
        if colon:
            values[name.strip()] = value.strip()
    return values


def _sections(text: str, place: str) -> dict[str, Any]:
    before, *parts = _SECTION.split(text)
    if before.strip() or parts[::2] != ["system", "user"]:
        raise UsageError(f"{place}: it should have '# system' and then '# user', and no more")
    return {name: said.strip() for name, said in zip(parts[::2], parts[1::2], strict=True)}


def _names(text: str, group: int) -> frozenset[str]:
    return frozenset(found[group] for found in _PLACE.finditer(text) if found[group])
