"""What a docstring tells of a command's parameters is what its help says of them."""

from typing import Annotated

import typer
from typer.main import get_command
from typer.testing import CliRunner

from docs.commands import commands_below
from hlg.cli.command import Commands
from hlg.cli.main import app
from hlg.cli.parameters import taken_apart

greeter = Commands()


@greeter.command()
def greet(
    names: list[str],
    loud: bool = False,
    times: Annotated[int, typer.Option(min=1)] = 1,
    graph: str | None = None,
    queries: int = 0,
) -> None:
    """Greet people.

    Once each.

    :arg NAME... names: Whom.
    :param loud: Shout, as one does
        from afar.
    :param N times --repeat -r: So often: twice, say.
    :param N queries: Of its own: not the first.
    """
    typer.echo(" ".join((["HEY"] if loud else ["hey"]) * times + names + [str(graph)]))


def invoked(*words: str) -> str:
    result = CliRunner(env={"COLUMNS": "200"}).invoke(greeter, words, terminal_width=200)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_help_is_what_is_told_and_no_more() -> None:
    lines = [" ".join(line.split()) for line in invoked("--help").splitlines()]
    assert "NAME... <list[str]> Whom. [required]" in lines
    assert "--loud Shout, as one does from afar." in lines
    assert "-r, --repeat N So often: twice, say. [default: 1; x>=1]" in lines
    assert not any(":param" in line or "no-loud" in line for line in lines)


def test_what_several_commands_have_is_told_once_and_a_commands_own_word_goes_first() -> None:
    told = " ".join(invoked("--help").split())
    assert "--graph NAME A named graph, kept apart" in told
    assert "Of its own: not the first." in told
    assert "Only the first N questions." not in told


def test_parameters_are_given_as_they_are_told() -> None:
    assert invoked("Ada", "Bo", "--loud", "-r", "2", "--graph", "g") == "HEY HEY Ada Bo g\n"


def test_a_text_with_colons_is_no_name() -> None:
    text, told = taken_apart("Does it.\n\n:param x: either: this or that\n:arg A[:B] y: c: d: e")
    assert text == "Does it."
    assert {name: (each.metavar, each.help) for name, each in told.items()} == {
        "x": (None, "either: this or that"),
        "y": ("A[:B]", "c: d: e"),
    }


def test_every_parameter_of_every_command_is_told_of() -> None:
    untold = []
    for words in commands_below(get_command(app), ()):
        command = get_command(app)
        for word in words:
            command = command.get_command(None, word)  # type: ignore[attr-defined]
        untold += [(*words, each.name) for each in command.params if not getattr(each, "help", "")]
    assert untold == []
