"""``hlg serve``: a page to ask in."""

import signal
import time
from pathlib import Path
from typing import Annotated

from hlg.cli.command import option
from hlg.cli.console import print_line, say
from hlg.cli.options import SearchSettings
from hlg.errors import UsageError
from hlg.extras import how_to_install


def serve(
    settings: SearchSettings,
    host: Annotated[str, option("HOST", "What to listen on; this machine alone.")] = "127.0.0.1",
    port: Annotated[int, option("PORT", "0 takes a free one.", min=0, max=65_535)] = 8000,
    token_file: Annotated[
        Path | None,
        option("FILE", "A file with the token that everybody has to show."),
    ] = None,
    write: Annotated[
        Path | None,
        option("FOLDER", "Let people send files into this folder, build them, and delete."),
    ] = None,
) -> None:
    """Serve a page to ask in, and a JSON API, until Ctrl-C.

    The answer with its sources beside it, the evidence with its paths and as a picture, two
    retrievers side by side, entities, communities and sources. It listens on this machine
    alone; on another interface it wants a token. /api/v1/openapi.json documents the API.
    Needs the extra "serve".

    \b
    Examples:
      hlg serve
      hlg serve --store town.lbug --port 8080
      hlg serve --write inbox/
      hlg serve --host 0.0.0.0 --token-file token.txt
    """
    try:
        from hlg.serve.app import application
        from hlg.serve.server import running
        from hlg.serve.service import opened
    except ImportError as error:
        raise UsageError(
            f"hlg serve needs {error.name}, which is not installed: {how_to_install('serve')}"
        ) from error

    token = _token(token_file) if token_file is not None else ""
    app = application(
        lambda: opened(settings, write), host=host, token=token, can_write=write is not None
    )
    try:
        with running(app, host, port) as address:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            print_line(address)
            say("Ctrl-C ends it")
            while True:
                time.sleep(3600)
    except KeyboardInterrupt:
        say("nothing is served any more")


def _token(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"no token can be read from {path}: {error}", option="token_file"
        ) from error
