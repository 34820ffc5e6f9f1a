"""Commands as Typer takes them: a parameter that holds settings becomes the flags for them."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from hlg.cli.completion import setting_names
from hlg.cli.console import print_json
from hlg.cli.parameters import documented, taken_apart
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph
    from hlg.settings import Settings

_WHOLE_SENTENCE = 200
"""Characters, which the first sentence of no help has."""
_SAID_SHORTER = {
    r"^Missing (?:argument|option) '([^']+)'(?: / '.+')?$": r"\1 is missing",
    r"^Invalid value for '([^']+)'(?: / '.+')?: ": r"\1: ",
    r"Input should be a valid integer, .*": "it has to be a whole number",
    r"Input should be a valid number, .*": "it has to be a number",
    r"Input should be greater than or equal to (\S+)": r"it has to be \1 or more",
    r"Input should be less than or equal to (\S+)": r"it has to be \1 or less",
    r"path '(.*)' does not exist": r"there is no file \1",
    r"^Got unexpected extra arguments? ?(?:\(s\) )?\((.*)\)$": r"nothing more is taken: \1",
    r"^Option '(.+)' requires an argument$": r"\1 has no value",
}
"""Typer's words for a wrong command line, and those that say it shorter."""
Function = TypeVar("Function", bound=Callable[..., object])
Shown = Iterator[object]
"""What a command with ``--json`` is: it yields what that prints, and then, without it, goes on to
print the same for a person."""


_Sets = Annotated[list[str] | None, typer.Option(autocompletion=setting_names)]


@dataclass(frozen=True, slots=True)
class SettingFlags:
    """Marks the parameter of a command that holds its settings, by ``Annotated``.

    :param flags: the settings that have a flag of their own, each with its option; ``--set``
        is for all the others.
    :param as_given: the command gets what was given by name, and not all settings.
    :param told: what is to be said of flags here, as a docstring would.
    """

    flags: Mapping[str, object]
    as_given: bool = False
    told: str = ""

    def parameters(self) -> list[Parameter]:
        """What stands in the command's signature instead."""
        options = {**self.flags, "set_": _Sets}
        return [
            Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=option)
            for name, option in options.items()
        ]

    def taken_from(self, given: dict[str, Any]) -> Any:
        """The settings in force, with the flags taken out of what a command was given.

        :raises UsageError: as :func:`hlg.settings.load_settings`.
        """
        from hlg.settings import assigned, load_settings

        flags = {name: given.pop(name) for name in self.flags}
        texts = given.pop("set_") or ()
        if texts or not self.as_given:
            settings = load_settings(texts, **flags)
        if not self.as_given:
            return settings
        return {name: each for name, each in flags.items() if each is not None} | assigned(texts)


def _with_flags(function: Callable[..., object]) -> Callable[..., object]:
    """A command's function, with the flags of its settings for its parameter of them, and with what
    its docstring tells of the others."""
    text, told = taken_apart(function.__doc__ or "")
    parameters: list[Parameter] = []
    taken: dict[str, SettingFlags] = {}
    for parameter in inspect.signature(function).parameters.values():
        mark, *_ = getattr(parameter.annotation, "__metadata__", (None,))
        if isinstance(mark, SettingFlags):
            taken[parameter.name] = mark
            told = taken_apart(mark.told)[1] | told
            parameters += mark.parameters()
        else:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))

    is_shown = inspect.isgeneratorfunction(function)
    if is_shown:
        json_ = Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=bool)
        parameters.append(json_)
    parameters = [documented(each, told) for each in parameters]

    @wraps(function)
    def command(**given: Any) -> None:
        as_json = is_shown and given.pop("as_json")
        settings = {name: flags.taken_from(given) for name, flags in taken.items()}
        done: Any = function(**settings, **given)
        if is_shown:
            show_through(done, as_json=as_json)

    command.__doc__ = text
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


class CommandGroup(TyperGroup):
    """A group that answers a misspelt command with the nearest, and cuts no summary short."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None:
                rows.append((name, command.get_short_help_str(_WHOLE_SENTENCE)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            near = get_close_matches(name, known, n=1)
            guess = f"did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"no command {name!r}; {guess}{ctx.command_path} --help lists them", known=known
            )
        return super().resolve_command(ctx, args)


def usage_line(error: TyperException) -> str:
    """What Typer says of a wrong command line, in one line; empty where it prints a help."""
    text = error.format_message().strip().rstrip(".").replace("Value error, ", "")
    if "\n" in text:
        return ""
    for pattern, ours in _SAID_SHORTER.items():
        text = re.sub(pattern, ours, text)
    context = getattr(error, "ctx", None)
    where = f"see {context.command_path} --help" if context is not None else ""
    option, possible = getattr(error, "option_name", ""), getattr(error, "possibilities", None)
    if possible is not None or text == f"No such option: {option}":
        guess = f"did you mean {sorted(possible)[0]}? " if possible else ""
        return f"no option {option}; {guess}{where}".rstrip("; ")
    return f"{text}; {where}".rstrip("; ")


class Commands(typer.Typer):
    """Commands below a name, or a single one."""

    def __init__(self, **given: Any) -> None:
        more: dict[str, Any] = {
            "cls": CommandGroup,
            "no_args_is_help": True,
            "rich_markup_mode": None,
            "add_completion": False,
        } | given
        super().__init__(**more)

    def command(self, name: str | None = None, **more: Any) -> Callable[[Function], Function]:
        """As Typer's, with the flags of settings."""
        return _through(super().command(name, **more))

    def callback(self, **more: Any) -> Callable[[Function], Function]:
        """As Typer's, with the flags of settings."""
        return _through(super().callback(**more))


def _through(add: Callable[[Any], object]) -> Callable[[Function], Function]:
    def added(function: Function) -> Function:
        add(_with_flags(function))
        return function

    return added


def show_through(steps: Shown, *, as_json: bool) -> None:
    """See a command that yields through: see :data:`Shown`."""
    for document in steps:
        if as_json:
            print_json(document)
            break


@contextmanager
def opened(
    settings: "Settings", *, read_only: bool = True, budget: float | None = None
) -> "Iterator[LexicalGraph]":
    """The graph that the settings name, whose language model costs no more than the budget.

    :raises HlgError: as :meth:`hlg.graph.LexicalGraph.open` and ``spending``.
    """
    from hlg.graph import LexicalGraph

    with LexicalGraph.open(settings=settings, read_only=read_only) as graph, graph.spending(budget):
        yield graph
