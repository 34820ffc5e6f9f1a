"""What commands that listen share: their options, the token, and going on until they are ended."""

import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hlg.cli.command import option
from hlg.cli.console import print_line, say
from hlg.errors import UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HERE = "127.0.0.1"
HostOption = Annotated[str, option("HOST", "What to listen on; this machine alone.")]
PortOption = Annotated[int, option("PORT", "0 takes a free one.", min=0, max=65_535)]
TokenFileOption = Annotated[
    Path | None,
    option("FILE", "A file with the token that everybody has to show."),
]


def token_in(path: Path | None) -> str:
    """The token that a file holds; empty without a file.

    :raises UsageError: it can't be read.
    """
    try:
        return path.read_text("utf-8").strip() if path is not None else ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"no token can be read from {path}: {error}", option="token_file"
        ) from error


def serve_until_ended(app: "ASGIApp", host: str, port: int, path: str = "") -> None:
    """Serve an application until Ctrl-C or a signal to end; prints its address.

    :param path: is put behind the address.
    :raises HlgError: as :func:`hlg.serving.listening.running`.
    """
    from hlg.serving.listening import running

    try:
        with running(app, host, port) as address:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            print_line(address + path)
            say("Ctrl-C ends it")
            while True:
                time.sleep(3600)
    except KeyboardInterrupt:
        say("nothing is served any more")
