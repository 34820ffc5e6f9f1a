"""Two sources about one firm: they share an entity and a fact, and each has its own."""

from hlg.records import SourceGraph
from support.graphs import source_graph

A = "file:///a.txt"
B = "file:///b.txt"
SHARED = ("Ada Thorne", "founded", "Helix Instruments")
OWN_A = ("Helix Instruments", "moved to", "Port Ellery")
OWN_B = ("Quarry Bank", "bought", "Helix Instruments")


def graph_a() -> SourceGraph:
    return source_graph(
        A,
        [
            ("Ada Thorne founded Helix.", [SHARED]),
            ("It moved to Port Ellery in 1921.", [OWN_A, ("Ada Thorne", "born in", "=1890")]),
            ("Nothing is known of the rest.", []),
        ],
        aliases={"Helix Instruments": ["Helix", "HI"]},
    )


def graph_b() -> SourceGraph:
    return source_graph(
        B,
        [
            ("Helix was founded by Ada Thorne.", [SHARED]),
            ("Ada founded Helix, and Quarry Bank bought it.", [SHARED, OWN_B]),
        ],
        aliases={"Helix Instruments": ["Helix Ltd", "HI"]},
    )
