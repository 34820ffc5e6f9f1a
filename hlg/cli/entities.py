"""``hlg entities``: the things that the graph knows, and which of them are the same."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.command import Commands, Shown, opened
from hlg.cli.console import one_line, print_line, say
from hlg.cli.options import GraphSettings, ShownSettings
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.entities.resolution import EntityView
    from hlg.records import SameAs

app = Commands()
_SHOWN = 10

Limit = Annotated[int, typer.Option(min=1)]


@app.callback()
def entities() -> None:
    """Look at entities, and say which of them are the same thing.

    A merge joins entities for every search and walk, but changes neither: it is kept with
    its evidence, survives builds, and a split undoes it for good.

    \b
    Examples:
      hlg entities duplicates          what would be merged, and why
      hlg entities merge               merge it
      hlg entities merge "SEC" "Securities and Exchange Commission"
      hlg entities split "SEC"         undo, and never propose it again
      hlg entities show "Ada Thorne"
    """


@app.command()
def duplicates(settings: GraphSettings, limit: Limit = 20, dry_run: bool = False) -> Shown:
    """List the entities that merge would join, with the evidence, strongest first.

    \b
    Examples:
      hlg entities duplicates --dry-run
      hlg entities duplicates --json | jq '.duplicates[].evidence.rule'

    :param dry_run: Only list them; it never does more.
    """
    with opened(settings) as graph:
        found = graph.entities.duplicates()
    yield {"total": len(found), "duplicates": found[:limit]}
    _print_merges(found[:limit])
    rest = f", {limit} shown (--limit)" if len(found) > limit else ""
    told = f"{len(found)} duplicate{'s' * (len(found) > 1)}{rest}; next: hlg entities merge"
    say(told if found else "no duplicates; hlg entities merge NAME INTO merges by hand")


@app.command()
def merge(
    settings: GraphSettings,
    name: Annotated[str | None, typer.Argument(show_default=False)] = None,
    into: Annotated[str | None, typer.Argument(show_default=False)] = None,
) -> Shown:
    """Merge all duplicates, or one entity into another.

    A name stands for all entities that have it, whatever their class; an id for one.

    \b
    Examples:
      hlg entities merge
      hlg entities merge "IBM" "International Business Machines"

    :arg [NAME name: Only this entity …
    :arg INTO] into: … into this one.
    """
    if name is not None and into is None:
        raise UsageError(
            'into what? hlg entities merge "NAME" "INTO", or no names to merge all', option="into"
        )
    with opened(settings, read_only=False) as graph:
        if name is None or into is None:
            made = graph.entities.merge()
        else:
            made = graph.entities.merge_into(name, into)
    yield {"merged": len(made), "merges": made}
    _print_merges(made[:_SHOWN])
    if len(made) > _SHOWN:
        print_line(f"… {len(made) - _SHOWN} more; --json has them all")
    groups = len({each.canonical_id for each in made})
    print_line(f"merged {'1 entity' if len(made) == 1 else f'{len(made)} entities'} into {groups}")
    if made:
        example = made[0].evidence["name"]
        say(f'next: hlg entities show "{one_line(example)}"; hlg entities split undoes a merge')


@app.command()
def split(
    name: str,
    settings: GraphSettings,
    other: Annotated[str | None, typer.Argument(show_default=False)] = None,
) -> Shown:
    """Undo the merges of an entity, and never propose them again.

    \b
    Examples:
      hlg entities split "SEC"
      hlg entities split "Charles Schwab" "Schwab"

    :arg [OTHER] other: Keep it apart from this one alone.
    :arg NAME name: An entity's name, alias or id.
    """
    with opened(settings, read_only=False) as graph:
        undone = graph.entities.split(name, other)
    yield {"undone": len(undone), "merges": undone}
    _print_merges(undone, "split ")
    print_line(f"undid {len(undone)} merges; they will not be proposed again")


@app.command()
def show(name: str, settings: ShownSettings, limit: Limit = _SHOWN) -> Shown:
    """Show what the graph knows of an entity: names, merges, facts, statements, neighbours.

    \b
    Examples:
      hlg entities show "Ada Thorne"
      hlg entities show "Ada Thorne" --min-confidence 0
      hlg entities show "Ada Thorne" --json | jq '.[0].facts[].text'

    :arg NAME name: An entity's name, alias or id.
    """
    with opened(settings) as graph:
        views = graph.entities.show(name)
    yield views
    for i, view in enumerate(views):
        if i:
            print_line()
        _print_view(view, limit)


@app.command("list")
def list_entities(settings: GraphSettings, limit: Limit = 20, merged: bool = False) -> Shown:
    """List the most mentioned entities: mentions, name and class.

    Those that are less sure than min_confidence are left out.

    \b
    Examples:
      hlg entities list --limit 50
      hlg entities list --merged

    :param merged: Count what is merged as one.
    """
    with opened(settings) as graph:
        found = graph.entities.most_mentioned(limit, merged=merged)
    yield found
    for entity in found:
        print_line(f"{entity.degree:>8,}  {one_line(entity.name, 60)}  {entity.entity_class}")
    further = 'next: hlg entities show "NAME", or hlg entities duplicates'
    nothing = "no entities; next: hlg build PATH, or --set min_confidence=0 for what is unsure"
    say(further if found else nothing)


def _print_merges(merges: "Sequence[SameAs]", word: str = "") -> None:
    for line in _merge_lines(merges):
        print_line(word + line)


def _merge_lines(merges: "Sequence[SameAs]") -> list[str]:
    from hlg.entities.resolution import merge_line

    return [merge_line(each) for each in merges]


def _print_view(view: "EntityView", limit: int) -> None:
    print_line(f"{one_line(view.name)} ({view.entity_class}){_sureness(view.confidence)}")
    print_line(f"id          {view.id}")
    classes = ", ".join(f"{name} {count:,}" for name, count in view.classes.items())
    print_line(f"mentions    {view.mentions:,} ({classes})")
    if view.aliases:
        print_line(f"aliases     {one_line(', '.join(view.aliases), 200)}")
    if view.neighbours:
        near = [f"{one_line(name, 40)} {count}" for name, count in view.neighbours.items()]
        print_line(f"neighbours  {', '.join(near[:limit])}")
    _print_part("merged", _merge_lines(view.members), limit)
    facts = [f"{one_line(each.text, 100)}{_sureness(each.confidence)}" for each in view.facts]
    _print_part("facts", facts, limit)
    sayings = [f"{one_line(x.text, 100)}  [{one_line(x.uri, 40)}]" for x in view.statements]
    _print_part("statements", sayings, limit)
    if view.unsure:
        from hlg.pictures.picture import counted_labels

        say(f"less sure and left out (--min-confidence): {counted_labels(view.unsure)}")


def _sureness(confidence: float) -> str:
    return "" if confidence == 1 else f"  [{confidence:.2f}]"


def _print_part(title: str, lines: Sequence[str], limit: int) -> None:
    if lines:
        print_line(title)
    for line in lines[:limit]:
        print_line(f"  {line}")
    if len(lines) > limit:
        print_line(f"  … {len(lines) - limit} more (--limit)")
