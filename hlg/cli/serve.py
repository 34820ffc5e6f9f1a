"""``hlg serve``: a page to ask in."""

from pathlib import Path
from typing import Annotated

from hlg.cli.command import option
from hlg.cli.listening import (
    HERE,
    HostOption,
    PortOption,
    TokenFileOption,
    serve_until_ended,
    token_in,
)
from hlg.cli.options import SearchSettings
from hlg.extras import needing


def serve(
    settings: SearchSettings,
    host: HostOption = HERE,
    port: PortOption = 8000,
    token_file: TokenFileOption = None,
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
    with needing("serve", "hlg serve"):
        from hlg.serve.app import application
        from hlg.serve.service import opened

    app = application(
        lambda: opened(settings, write),
        host=host,
        token=token_in(token_file),
        can_write=write is not None,
    )
    serve_until_ended(app, host, port)
