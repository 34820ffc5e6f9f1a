"""The command line as tests run it: in this process, with what it prints held apart."""

import json
from typing import Any

from typer.testing import CliRunner, Result

from hlg.cli.main import app


def hlg(*arguments: str, stdin: str | None = None) -> Result:
    """Run hlg in this process."""
    return CliRunner().invoke(app, list(arguments), input=stdin, prog_name="hlg")


def ran(*arguments: str, code: int = 0, stdin: str | None = None) -> Result:
    """Run hlg in this process, which has to end with ``code``."""
    result = hlg(*arguments, stdin=stdin)
    assert result.exit_code == code, (arguments, result.output)
    return result


def done(*arguments: str, code: int = 0, stdin: str | None = None) -> Any:
    """The document that a ``--json`` command prints, once it ended with ``code``."""
    return json.loads(ran(*arguments, "--json", code=code, stdin=stdin).stdout)


def refused(*arguments: str, code: int = 2) -> str:
    """The one line that a command ends with where it does nothing."""
    result = ran(*arguments, code=code)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    (line,) = result.stderr.strip().splitlines()
    return line
