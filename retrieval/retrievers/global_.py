"""GraphRAG's global search: communities by their summaries, and the statements behind them.

Communities of a level are ranked by the similarity of question and summary. Where there is
a language model, it says of each how much it helps and what it tells (map), which ranks
them anew, and writes one answer of that (reduce). The hits are statements of facts about
the communities' entities, each with the path community → entity → statement.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from annotated_types import Ge, Le
from pydantic import BaseModel

from hlg.errors import ModelError, UsageError
from hlg.records import Community
from hlg.retrieval.base import COMMUNITY, ENTITY, STATEMENT, Candidate, Step
from hlg.retrieval.fusion import best_first
from hlg.retrieval.options import Count, StatementOptions
from hlg.retrieval.view.base import GraphView
from hlg.store.records import FactSupport

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

Level = Annotated[int, Ge(0), Le(64)]

MOST_POINTS = 100
"""What the language model gives a summary that answers the question."""

MAP = "global-map"
REDUCE = "global-answer"
"""Names of prompts."""


class _Judgement(BaseModel):
    """How much a summary helps, as a language model says it."""

    score: float
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalOptions(StatementOptions):
    """GraphRAG's global search.

    :param level: only communities of this level, and those above it that have no parts;
        of all levels by default.
    :param communities: how many of them are looked at.
    :param statements: how many statements of each.
    """

    level: Level | None = None
    communities: Count = 50
    statements: Count = 10


@dataclass(frozen=True, slots=True)
class RatedCommunity:
    """A community with the similarity of its summary, and what a language model made of it."""

    community: Community
    cosine: float
    score: float
    points: str = ""


def global_search(view: GraphView, options: GlobalOptions, top_k: int) -> list[Candidate]:
    """Statements of the communities that are nearest to the question.

    :raises UsageError: the graph has no communities.
    """
    rated = nearest_communities(view, options.communities, options.level)
    door = view.session.door()
    if door is not None and rated:
        rated = _mapped(view, door, rated)
        _reduce(view, door, rated)
    return _statements(view, rated, options.statements)


def nearest_communities(view: GraphView, count: int, level: int | None) -> list[RatedCommunity]:
    """The communities nearest to the question that have members, best first.

    :raises UsageError: the graph has entities, but no communities, or none of that level; only
        some of its sources are to be searched.
    """
    session = view.session
    if session.is_restricted:
        raise UsageError(
            "communities span sources: global and drift can't be asked with --where", option="where"
        )
    vector = view.query.vector
    with session.trace.stage("communities"):
        found = session.store.nearest_communities(vector, count, level)
    rated = [RatedCommunity(each, cosine, cosine) for each, cosine in found if each.entity_ids]
    if not rated and (counts := session.store.counts())["Entity"]:
        if counts["Community"]:
            raise UsageError(
                "no community can be searched; hlg communities status says more",
                option="level" if level is not None else "retriever",
            )
        raise UsageError(
            "the graph has no communities; find them: hlg communities build", option="retriever"
        )
    return rated


def _mapped(
    view: GraphView, door: "ModelDoor", rated: Sequence[RatedCommunity]
) -> list[RatedCommunity]:
    """Communities by how much the model says that they help; those it gives nothing are left
    out, unless it gives nothing to any. Where it fails, the similarity stands."""

    def judge(each: RatedCommunity) -> RatedCommunity | None:
        community = each.community
        summary = f"{community.title}\n{community.summary}"
        try:
            answer = door.ask_json(
                MAP, _Judgement, {"question": view.query.text, "summary": summary}
            ).value
        except ModelError:
            return None
        share = min(max(answer.score, 0.0), MOST_POINTS) / MOST_POINTS
        return replace(each, score=share, points=answer.points.strip())

    with view.session.trace.stage("map"):
        judged = list(door.map(judge, rated))
    failed = sum(each is None for each in judged)
    if failed:
        view.session.trace.warn(
            f"the language model judged {len(rated) - failed} of {len(rated)} communities"
        )
    helpful = [each for each in judged if each is not None and each.score > 0]
    if not helpful:
        return list(rated)
    return sorted(helpful, key=lambda each: (-each.score, -each.cosine, each.community.id))


def _reduce(view: GraphView, door: "ModelDoor", rated: Sequence[RatedCommunity]) -> None:
    points = [f"- {each.points}" for each in rated if each.points]
    if not points:
        return
    with view.session.trace.stage("reduce"):
        try:
            material = {"question": view.query.text, "points": "\n".join(points)}
            view.session.trace.answer = door.ask(REDUCE, material).text
        except ModelError as error:
            view.session.trace.warn(str(error))


def _statements(view: GraphView, rated: Sequence[RatedCommunity], count: int) -> list[Candidate]:
    """The statements of facts about the members of communities: scored by the mean of their
    own similarity and their community's score, each by the best of its communities."""
    ids = list(dict.fromkeys(id_ for each in rated for id_ in each.community.entity_ids))
    if not ids:
        return []
    with view.session.trace.stage("facts"):
        supports = view.session.store.fact_supports(ids)
    by_subject: dict[str, list[FactSupport]] = defaultdict(list)
    for support in supports:
        by_subject[support.subject_id].append(support)
    told = sorted({support.statement_id for support in supports})
    cosine_of = dict(zip(told, view.similarities(STATEMENT, told).tolist(), strict=True))
    found: dict[str, Candidate] = {}
    for each in rated:
        about = (by_subject[id_] for id_ in each.community.entity_ids if id_ in by_subject)
        statements = {support.statement_id: support for of in about for support in of}
        nearest = sorted(statements, key=lambda id_: (-cosine_of[id_], id_))[:count]
        for id_ in nearest:
            candidate = _candidate(each, id_, statements[id_], cosine_of[id_])
            if id_ not in found or candidate.score > found[id_].score:
                found[id_] = candidate
    return best_first(found.values())


def _candidate(
    rated: RatedCommunity, statement: str, support: FactSupport, cosine: float
) -> Candidate:
    community = rated.community
    signals = {"cosine": cosine, "community": rated.cosine}
    if rated.points:
        signals["helpful"] = rated.score
    path = (
        Step(COMMUNITY, community.id, name=community.title),
        Step(ENTITY, support.subject_id, name=support.subject_name),
        Step(STATEMENT, statement),
    )
    return Candidate(STATEMENT, statement, (cosine + rated.score) / 2, signals, path)
