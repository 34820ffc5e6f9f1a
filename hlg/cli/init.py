"""``hlg init``: a commented settings file, and in it what a model is told of a collection."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.cli.command import Shown, opened
from hlg.cli.console import print_line, say, say_usage
from hlg.cli.options import GraphFlags
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.settings import Domain


def init(
    given: GraphFlags,
    domain: list[str] | None = None,
    dry_run: bool = False,
    force: bool = False,
) -> Shown:
    """Write hlg.toml, with every setting, its default and what it does.

    With --domain the language model is asked about five chunks, and what it says is kept
    under [domain], to be edited: the next build with --extractor llm extracts by it. A file
    that is there already keeps all but its [domain].

    \b
    Examples:
      hlg init && $EDITOR hlg.toml
      hlg init --domain notes/
      hlg init --domain notes/ --dry-run

    :param PATH domain: Ask the language model what classes of entities and topics these documents
        have; may be given again.
    :param dry_run: Write nothing.
    :param force: Write over the file that is there.
    """
    from hlg.settings import SETTINGS_FILE, settings_template, with_domain
    from hlg.whole_file import write_whole_text

    path = Path(SETTINGS_FILE)
    is_kept = os.path.lexists(path) and not force
    if is_kept and not domain:
        raise UsageError(f"{path} is there already; --force writes over it", option="force")
    text = path.read_text("utf-8") if is_kept else settings_template()
    found = _domain_of(domain, given) if domain else None
    if not dry_run:
        write_whole_text(path, text if found is None else with_domain(text, found))
    yield {"wrote": None if dry_run else str(path), "domain": found and dict(found)}
    if found is not None:
        print_line(f"classes: {', '.join(found.classes)}")
        print_line(f"topics: {', '.join(found.topics)}")
    if dry_run:
        say(f"{path} was not written")
    elif found is not None:
        print_line(f"kept in {path}, [domain]; change it there as you like")
    else:
        print_line(f"wrote {path}; take the # off what you want to change, hlg doctor shows it all")


def _domain_of(paths: list[str], given: dict[str, object]) -> "Domain":
    from hlg.settings import load_settings

    with opened(load_settings(**given), read_only=False) as graph:
        found = graph.infer_domain(paths)
        say_usage(graph)
    return found
