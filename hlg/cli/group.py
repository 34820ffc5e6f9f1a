"""Commands below a name, and what was meant where there is none of that name."""

from difflib import get_close_matches
from typing import Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from hlg.errors import UsageError

_WHOLE_SENTENCE = 200
"""Characters, which the first sentence of no help has."""


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
            raise UsageError(
                f"no command {name!r}; {nearest(name, known)}{ctx.command_path} --help lists them",
                known=known,
            )
        return super().resolve_command(ctx, args)


def nearest(name: str, known: list[str]) -> str:
    """``did you mean 'build'? ``, where one of the known names is near; else nothing."""
    found = get_close_matches(name, known, n=1)
    return f"did you mean {found[0]!r}? " if found else ""


def usage_line(error: TyperException) -> str:
    """What Typer says of a wrong command line, in one line; empty where it prints a help."""
    text = error.format_message().strip()
    if "\n" in text:
        return ""
    context = getattr(error, "ctx", None)
    where = f"see {context.command_path} --help" if context is not None else ""
    option, possible = getattr(error, "option_name", ""), getattr(error, "possibilities", None)
    if possible is not None or text == f"No such option: {option}":
        guess = f"did you mean {sorted(possible)[0]}? " if possible else ""
        return f"no option {option}; {guess}{where}".rstrip("; ")
    return f"{text[0].lower()}{text[1:].rstrip('.')}; {where}".rstrip("; ")
