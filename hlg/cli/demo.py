"""``hlg demo``: a small graph, and three questions that need two documents each."""

import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hlg.cli.command import Shown, opened
from hlg.cli.console import Styled, print_line, progress_reporter
from hlg.cli.query import print_hit
from hlg.reports import BuildReport, SearchResult


def demo(store: str | None = None, graph: str | None = None) -> Shown:
    """Build a graph of twelve short texts and ask it three questions, in seconds.

    The texts are about one invented town. Each question needs two of them; the evidence
    is printed with the path through the graph that led to it.

    \b
    Examples:
      hlg demo
      hlg demo --store demo.lbug && hlg query --store demo.lbug "Who kept Skarn Light?"

    :param PATH|URI store: Keep the graph there [default: a file that is deleted at the end].
    """
    from hlg.demo import run_demo
    from hlg.settings import load_settings

    started = time.perf_counter()
    with TemporaryDirectory(prefix="hlg-demo-") as folder:
        place = store or str(Path(folder) / "graph.lbug")
        if "://" not in place:
            place = str(Path(place).absolute())
        settings = load_settings(store=place, graph=graph)
        with opened(settings, read_only=False) as made, progress_reporter() as show:
            report, results = run_demo(made, show)
    seconds = time.perf_counter() - started
    yield {
        "build": report,
        "questions": [replace(result, explanation=None) for result in results],
        "seconds": round(seconds, 3),
    }
    _print_demo(report, results, seconds)
    print_line(_next(store, graph))


def _print_demo(report: BuildReport, results: list[SearchResult], seconds: float) -> None:
    counts = report.counts
    print_line(
        f"{counts['Source']} texts became {counts['Statement']} statements, "
        f"{counts['Fact']} facts, {counts['Entity']} entities and {counts['Topic']} topics"
    )
    for result in results:
        print_line()
        print_line(Styled(f"? {result.query}", bold=True))
        for hit in result.hits:
            print_hit(hit)
    print_line()
    print_line(f"done in {seconds:.1f} s, with no server, no key and no network")


def _next(store: str | None, graph: str | None) -> str:
    if store is None:
        return "next: hlg build PATH with documents of yours, or hlg demo --store demo.lbug"
    place = f"--store {store}" + (f" --graph {graph}" if graph else "")
    return f'next: hlg query {place} "Who kept Skarn Light?"'
