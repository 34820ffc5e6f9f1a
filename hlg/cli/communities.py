"""``hlg communities``: groups of entities, and what each is about."""

from typing import TYPE_CHECKING

from hlg.cli.command import Commands, Shown, opened
from hlg.cli.console import Styled, one_line, print_line, progress_reporter, say, say_usage
from hlg.cli.ending import stopping
from hlg.cli.options import Budget, GraphSettings

if TYPE_CHECKING:
    from hlg.entities.communities import CommunityView
    from hlg.records import Community
    from hlg.reports import CommunityReport

app = Commands()
_SHOWN = 50
_MEMBERS_SHOWN = 20


@app.callback()
def communities() -> None:
    """Find, list and show communities: entities that relate to each other, summarised.

    \b
    Examples:
      hlg communities build
      hlg communities list --level 0
      hlg communities show "Edith Vale"
      hlg query "What are the main themes?" --retriever global
    """


@app.command()
def build(
    settings: GraphSettings,
    algorithm: str = "hierarchical",
    quality: str = "modularity",
    resolution: float = 1.0,
    max_size: int = 10,
    level: int | None = None,
    summary_tokens: int = 300,
    budget: Budget = None,
) -> Shown:
    """Bring the communities up to date; only those that changed are summarised again.

    \b
    Examples:
      hlg communities build
      hlg communities build --max-size 20 --level 2
      hlg communities build --algorithm leiden --quality cpm --resolution 0.05

    :param hierarchical|leiden algorithm: Levels (GraphRAG), or one flat partition.
    :param modularity|cpm quality: What Leiden maximises.
    :param X resolution: Higher gives more and smaller communities.
    :param N max_size: A larger community is split again (hierarchical).
    :param N level: The last level that is kept.
    :param N summary_tokens: Tokens of a summary, at most.
    """
    with (
        progress_reporter() as show,
        opened(settings, read_only=False, budget=budget) as graph,
        stopping(lambda: "the graph keeps the communities that it had"),
    ):
        report = graph.build_communities(
            algorithm=algorithm,
            quality=quality,
            resolution=resolution,
            max_size=max_size,
            max_level=level,
            summary_tokens=summary_tokens,
            on_progress=show,
        )
    say_usage(graph)
    yield report
    _print_report(report)


@app.command("list")
def list_communities(settings: GraphSettings, level: int | None = None) -> Shown:
    """List communities by level, the largest first: id, level, size and title.

    :param N level: Only this level.
    """
    with opened(settings) as graph:
        found = graph.communities(level)
    yield found
    for community in found[:_SHOWN]:
        print_line(_line(community))
    if not found:
        say("no communities; next: hlg communities build")
    elif len(found) > _SHOWN:
        say(f"… and {len(found) - _SHOWN} more; --level N narrows it, --json lists them all")
    else:
        say(f"{len(found)} communities; next: hlg communities show ID")


@app.command()
def show(community: str, settings: GraphSettings) -> Shown:
    """Show a community, or those that an entity is in: summary, members, parts.

    :arg ID|ENTITY community: A community's id, or an entity's name.
    """
    from hlg.entities.communities import community_views

    with opened(settings) as graph:
        found = community_views(graph.store, community)
    yield found
    for each in found:
        _print_community(each)


@app.command()
def status(settings: GraphSettings) -> Shown:
    """Say how many communities there are, and whether the graph has changed since."""
    with opened(settings) as graph:
        found = graph.communities_status()
    yield found
    if not found.communities:
        print_line("no communities; next: hlg communities build")
        return
    levels = ", ".join(f"{count} on level {level}" for level, count in enumerate(found.levels))
    print_line(f"{found.communities} communities: {levels}")
    if found.is_current:
        print_line("they are those of the graph as it is now; next: hlg communities list")
    else:
        since = f" since revision {found.revision}" if found.revision else ""
        print_line(f"the graph has changed{since}; next: hlg communities build")


def _line(community: "Community") -> str:
    title = one_line(community.title, 80)
    return f"{community.id}  {community.level}  {community.size:>6}  {title}"


def _print_community(view: "CommunityView") -> None:
    found, names = view.community, list(view.members.values())
    heading = f"{one_line(found.title)}  (level {found.level}, {found.size} entities)"
    print_line(Styled(heading, bold=True))
    print_line(f"  id       {found.id}")
    if found.parent_id:
        print_line(f"  part of  {found.parent_id}")
    shown = ", ".join(one_line(name, 60) for name in names[:_MEMBERS_SHOWN])
    more = f" … and {len(names) - _MEMBERS_SHOWN} more" if len(names) > _MEMBERS_SHOWN else ""
    print_line(f"  members  {shown}{more}")
    print_line(f"  {one_line(found.summary)}")
    for part in view.parts:
        print_line(f"  part     {_line(part)}")


def _print_report(report: "CommunityReport") -> None:
    if not report.communities:
        print_line(
            f"no communities: no entity relates to another ({report.unrelated} entities, "
            f"{report.gone} communities gone)"
        )
        return
    levels = ", ".join(f"{count} on level {level}" for level, count in enumerate(report.levels))
    print_line(
        f"{report.communities} communities in {report.seconds:.1f} s: {levels}; "
        f"modularity {report.modularity:.3f}"
    )
    print_line(
        f"{report.entities} entities are in one, {report.unrelated} relate to nothing; "
        f"{report.kept} communities kept, {report.new} new, {report.gone} gone"
    )
    if report.not_summarized:
        say(
            f"hlg: the language model gave no summary of {report.not_summarized} communities; "
            "those were extracted, and the next build asks again"
        )
    print_line("next: hlg communities list --level 0, or hlg query … --retriever global")
