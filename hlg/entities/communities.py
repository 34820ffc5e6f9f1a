"""A graph's communities as a person looks at them: with the names of their members."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hlg.documents import document_of
from hlg.errors import UsageError
from hlg.names import normalize_name
from hlg.records import Community
from hlg.store.base import GraphStore


@dataclass(frozen=True, slots=True)
class CommunityView:
    """A community, its members' names by id, and the communities that it has as parts."""

    community: Community
    members: Mapping[str, str]
    parts: tuple[Community, ...]


def community_views(store: GraphStore, wanted: str) -> list[CommunityView]:
    """The community of an id, or all that entities of a name are in.

    :raises UsageError: there is none.
    """
    everything = store.communities()
    found = [each for each in everything if each.id == wanted]
    if not found:
        entities = {each.id for each in store.entities_named([normalize_name(wanted)])}
        found = [each for each in everything if not entities.isdisjoint(each.entity_ids)]
    if not found:
        raise UsageError(
            f"no community {wanted!r} in {store.address}, nor an entity of that name that is in "
            "one; hlg communities list has them all",
            option="community",
            known=[each.id for each in everything],
        )
    members = {id_ for each in found for id_ in each.entity_ids}
    names = {
        str(row["id"]): str(row["name"])
        for rows in store.nodes("Entity")
        for row in rows
        if row["id"] in members
    }
    return [
        CommunityView(
            each,
            {id_: names[id_] for id_ in each.entity_ids},
            tuple(part for part in everything if part.parent_id == each.id),
        )
        for each in found
    ]


@document_of.register
def _(view: CommunityView) -> dict[str, Any]:
    """The community's fields are the view's own."""
    return {
        **document_of(view.community),
        "members": [{"id": id_, "name": name} for id_, name in view.members.items()],
        "parts": [part.id for part in view.parts],
    }
