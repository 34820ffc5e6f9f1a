"""A graph from one store into another, as it is: nothing is extracted or embedded again."""

from dataclasses import dataclass

from hlg.errors import StoreError, UsageError
from hlg.reports import OnProgress, Progress
from hlg.store import GraphStore
from hlg.store.merges import contradicted, joined

FIRST_BATCH = 16
"""Sources in the first batch; later ones are sized by how many statements those had."""
STATEMENTS_A_BATCH = 2_000
SOURCES_A_BATCH = 500


@dataclass(frozen=True, slots=True)
class CopyReport:
    """How many sources were copied, and how many were there already as they are."""

    copied: int
    skipped: int


def copy_graph(
    origin: GraphStore, target: GraphStore, *, on_progress: OnProgress | None = None
) -> CopyReport:
    """Copy every source that the target doesn't hold as it is; sources only it has stay.

    Merges of entities are copied as well, and pairs that were split; communities take the
    place of the target's.

    Each batch is a transaction, so a copy that was stopped goes on when it is run again.

    :raises UsageError: both are the same graph.
    :raises StoreMismatch: the target holds vectors of another embedder or dimension.
    :raises StoreError: there is no graph at the origin, or a store fails.
    """
    info = origin.info()
    if info is None:
        raise StoreError(f"no graph in {origin.address}; hlg build makes one")
    # Named graphs of one server have its address, but never each other's revision.
    if (origin.address, info) == (target.address, target.info()):
        raise UsageError(f"the copy would go onto itself: {target.address}", option="to")
    target.set_up(info.embedder, info.dimensions)
    known = {source.id: source.text_hash for source in target.sources()}
    sources = origin.sources()
    waiting = [source.id for source in sources if known.get(source.id) != source.text_hash]
    done = skipped = len(sources) - len(waiting)
    size = FIRST_BATCH
    while waiting:
        batch, waiting = waiting[:size], waiting[size:]
        graphs = origin.read(batch)
        target.write(graphs)
        done += len(batch)
        statements = sum(len(graph.statements) for graph in graphs)
        size = min(SOURCES_A_BATCH, max(1, STATEMENTS_A_BATCH * len(batch) // max(1, statements)))
        if on_progress is not None:
            on_progress(Progress("copy", done, len(sources), f"{statements} statements written"))
    _copy_merges(origin, target)
    _copy_communities(origin, target)
    return CopyReport(copied=len(sources) - skipped, skipped=skipped)


def _copy_communities(origin: GraphStore, target: GraphStore) -> None:
    """Put the origin's communities in place of the target's, where it has any of its own."""
    communities = origin.communities()
    if not communities or communities == target.communities():
        return
    vectors = origin.embeddings("Community", [community.id for community in communities])
    # They are those of the target as well where both hold the same entities and relations.
    is_same = _entity_tier(origin) == _entity_tier(target)
    is_found_now = origin.communities_revision() == origin.require().revision
    target.write_communities(communities, vectors, current=is_same and is_found_now)


def _entity_tier(store: GraphStore) -> tuple[int, int, int]:
    counts = store.counts()
    return counts["Entity"], counts["Fact"], counts["RELATES_TO"]


def _copy_merges(origin: GraphStore, target: GraphStore) -> None:
    """Make the origin's merges hold in the target, whose own stay where they don't contradict."""
    wanted, known = origin.merges(), target.merges()
    parted = set(wanted.different_from) - set(known.different_from)
    if parted:
        target.remove_merges(contradicted(known, parted), sorted(parted))
        known = target.merges()
    missing = joined(known.same_as, wanted.same_as)
    if missing:
        target.write_merges(missing)
