"""Which entities are taken for one thing, and which never are, whatever speaks for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlg.ids import entity_id
from hlg.ingest.resolve.duplicates import find_duplicates
from hlg.ingest.resolve.names import differ_by_one, name_parts
from hlg.ingest.resolve.table import EntityTable, incidence
from hlg.records import Merges, SameAs
from hlg.store.merges import groups, joined

PERSON, ORGANIZATION, PLACE, THING, EVENT = "Person", "Organization", "Place", "Thing", "Event"
WORLDS = 4


@dataclass(frozen=True)
class Named:
    """An entity, what it is written about (things of one world are alike), and how often."""

    name: str
    entity_class: str = THING
    world: int = 0
    mentions: int = 3
    aliases: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return entity_id(self.name, self.entity_class)


def table(entities: Iterable[Named], order: Sequence[int] = ()) -> EntityTable:
    """Entities with statements of their own, each in company of one of their world's two."""
    company = [Named(f"Companion {w}{x}", world=w) for w in "abcd"[:WORLDS] for x in "vw"]
    rows = list({each.id: each for each in [*entities, *company]}.values())
    rows = [rows[i] for i in order] if order else sorted(rows, key=lambda each: each.id)
    row_of = {each.id: i for i, each in enumerate(rows)}
    contexts = np.zeros((len(rows), WORLDS), np.float32)
    mentions = []
    for i, each in enumerate(rows):
        if isinstance(each.world, int):
            contexts[i, each.world] = each.mentions
            for k in range(each.mentions):
                companion = company[2 * each.world + k % 2]
                mentions += [(i, i * 100 + k), (row_of[companion.id], i * 100 + k)]
    pairs = np.array(mentions, np.int64).reshape(-1, 2)
    in_sources = np.stack([pairs[:, 0], pairs[:, 1] // 100], axis=1)
    return EntityTable(
        ids=[each.id for each in rows],
        names=[each.name for each in rows],
        classes=[each.entity_class for each in rows],
        aliases=[each.aliases for each in rows],
        degrees=np.array([each.mentions for each in rows], np.int64),
        embeddings=np.ones((len(rows), 1), np.float32),
        contexts=contexts,
        statements=incidence(pairs, (len(rows), 100 * len(rows))),
        sources=incidence(in_sources, (len(rows), len(rows))),
    )


def merged(*entities: Named) -> dict[Named, Named]:
    """What goes into what."""
    by_id = {each.id: each for each in entities}
    return {
        by_id[each.entity_id]: by_id[each.canonical_id] for each in find_duplicates(table(entities))
    }


SAME = {
    "another class": (Named("OpenAI", PLACE, mentions=1), Named("OpenAI", ORGANIZATION)),
    "accents": (Named("Jose Mourinho", PERSON, mentions=1), Named("José Mourinho", PERSON)),
    "a space": (Named("Exxon Mobil", ORGANIZATION, mentions=1), Named("ExxonMobil", THING)),
    "a sign": (Named("Disney+", mentions=1), Named("Disney Plus")),
    "a numeral": (Named("World War 2", EVENT, mentions=1), Named("World War II", EVENT)),
    "an ending": (Named("Alphabet Inc.", ORGANIZATION, mentions=1), Named("Alphabet", THING)),
    "a title": (Named("President Ada Thorne", PERSON, mentions=9), Named("Ada Thorne", PERSON)),
    "an acronym": (
        Named("UAW", ORGANIZATION, mentions=9),
        Named("United Auto Workers", ORGANIZATION, aliases=("UAW",)),
    ),
    "an alias": (
        Named("Big Apple", PLACE, mentions=2),
        Named("New York City", PLACE, aliases=("the Big Apple",)),
    ),
    "a surname": (
        Named("Bankman-Fried", PERSON, mentions=9),
        Named("Sam Bankman-Fried", PERSON, aliases=("Bankman-Fried",)),
    ),
    "an initial": (Named("J. Alvarez", PERSON, mentions=9), Named("Julian Alvarez", PERSON)),
    "a slip": (
        Named("Jorge Polance", PERSON, mentions=1),
        Named("Jorge Polanco", PERSON, mentions=9),
    ),
}
DIFFERENT = {
    "wars": ("World War I", "World War II", EVENT),
    "missions": ("Apollo 11", "Apollo 13", THING),
    "models": ("iPhone 14", "iPhone 15", THING),
    "a model and its line": ("iPhone", "iPhone 15", THING),
    "versions": ("GPT-3.5", "GPT-35", THING),
    "numerals": ("Super Bowl LVII", "Super Bowl LVIII", EVENT),
    "years": ("2018 World Cup", "2022 World Cup", EVENT),
    "seasons": ("2022-23 season", "2023-24 season", EVENT),
    "ages": ("England U19", "England U21", ORGANIZATION),
    "given names": ("Joan Smith", "John Smith", PERSON),
    "initials": ("J. Smith", "K. Smith", PERSON),
    "initial and name": ("J. Smith", "Karl Smith", PERSON),
    "a middle name": ("Michael Jordan", "Michael B. Jordan", PERSON),
    "generations": ("Ken Griffey", "Ken Griffey Jr.", PERSON),
    "parent and child": ("Google", "Google Cloud", ORGANIZATION),
    "siblings": ("Manchester United", "Manchester City", ORGANIZATION),
    "letters": ("Xbox Series X", "Xbox Series S", THING),
    "directions": ("North Carolina", "South Carolina", PLACE),
    "countries": ("Austria", "Australia", PLACE),
    "a letter": ("Colombia", "Columbia", PLACE),
    "a short word": ("Iran", "Iraq", PLACE),
    "a people": ("Jamaica", "Jamaican", PLACE),
    "teams": ("Spain women", "Spain men", ORGANIZATION),
    "editions": ("MacBook Pro", "MacBook Air", THING),
    "remarks": ("Heat (film)", "Heat (album)", THING),
    "signs": ("C++", "C#", THING),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=list(SAME))
def test_one_thing_is_merged_into_its_canonical_entity(pair: tuple[Named, Named]) -> None:
    one, other = pair
    assert merged(one, other) == {one: other}


@pytest.mark.parametrize("pair", SAME.values(), ids=list(SAME))
def test_names_alone_are_not_enough(pair: tuple[Named, Named]) -> None:
    one, other = pair
    elsewhere = Named(other.name, other.entity_class, 1, other.mentions, other.aliases)
    assert merged(one, elsewhere) == {}


@pytest.mark.parametrize("names", DIFFERENT.values(), ids=list(DIFFERENT))
@pytest.mark.parametrize("mentions", [3, 60])
def test_two_things_are_never_one_however_alike(names: tuple[str, str, str], mentions: int) -> None:
    one, other, class_ = names
    assert merged(Named(one, class_), Named(other, class_, 0, mentions)) == {}


def test_a_person_and_a_firm_of_one_name_are_two_where_they_are_written_about_apart() -> None:
    firm, person = Named("Charles Schwab", ORGANIZATION), Named("Charles Schwab", PERSON, 1)
    assert merged(firm, person) == {}


def test_a_short_form_of_several_names_is_none_of_them() -> None:
    smiths = [Named("John Smith", PERSON), Named("Jane Smith", PERSON), Named("Smith", PERSON)]
    assert merged(*smiths) == {}
    longs = [
        Named("Securities and Exchange Commission", ORGANIZATION),
        Named("Statistics and Elections Council", ORGANIZATION),
        Named("SEC", ORGANIZATION),
    ]
    assert merged(*longs) == {}
    assert merged(*longs[1:]) == {longs[2]: longs[1]}


def test_groups_do_not_chain() -> None:
    """ "Bo Ann" and "BoAnn" are one, but what is like only one of them stays out."""
    names = [
        Named("World War II", EVENT, 0, 9),
        Named("World-War II", EVENT),
        Named("World War", EVENT),
    ]
    assert merged(*names) == {names[1]: names[0]}


def test_the_class_with_most_mentions_is_the_groups() -> None:
    spellings = (
        Named("Open-AI Labs", ORGANIZATION, mentions=4),
        Named("OpenAI Labs", PLACE, mentions=5),
        Named("OpenAI Labs", ORGANIZATION, mentions=3),
    )
    found = find_duplicates(table(spellings))
    assert {each.canonical_id for each in found} == {spellings[1].id}
    assert {each.evidence["canonical_class"] for each in found} == {ORGANIZATION}


def test_what_was_split_stays_apart_with_all_of_its_group() -> None:
    one, other, third = (
        Named("OpenAI", PLACE, mentions=1),
        Named("OpenAI", ORGANIZATION, mentions=9),
        Named("Open AI", THING, mentions=4),
    )
    apart = Merges(different_from=(tuple(sorted((one.id, other.id))),))  # type: ignore[arg-type]
    found = find_duplicates(table((one, other, third)), apart)
    into = {each.entity_id: each.canonical_id for each in found}
    assert into == {third.id: other.id}


def test_nothing_is_found_in_nothing() -> None:
    empty = table([])
    assert find_duplicates(empty) == []
    arrays = ("degrees", "embeddings", "contexts", "statements", "sources")
    none = {name: getattr(empty, name)[:0] for name in arrays}
    bare = replace(empty, ids=[], names=[], classes=[], aliases=[], **none)
    assert find_duplicates(bare) == []


def test_without_vectors_shared_company_decides() -> None:
    entities = table([Named("Jose Mourinho", PERSON), Named("José Mourinho", PERSON)])
    none = {name: getattr(entities, name)[:, :0] for name in ("embeddings", "contexts")}
    assert len(find_duplicates(replace(entities, **none))) == 1


POOL = [each for pair in SAME.values() for each in pair] + [
    Named(name, class_) for one, other, class_ in DIFFERENT.values() for name in (one, other)
]
worlds = st.lists(
    st.builds(
        lambda each, class_, world, mentions: Named(
            each.name, class_ or each.entity_class, world, mentions, each.aliases
        ),
        st.sampled_from(POOL),
        st.sampled_from(["", PERSON, ORGANIZATION]),
        st.integers(0, 1),
        st.integers(1, 20),
    ),
    max_size=30,
    unique_by=lambda each: each.id,
)


@settings(max_examples=15, deadline=None)
@given(entities=worlds, data=st.data())
def test_laws(entities: list[Named], data: st.DataObject) -> None:
    """A second run finds nothing; order doesn't matter; groups are stars without a conflict."""
    rows = table(entities)
    found = find_duplicates(rows)
    known = Merges(tuple(sorted(joined((), found), key=lambda each: each.entity_id)))
    assert find_duplicates(rows, known) == []
    order = data.draw(st.permutations(range(len(rows))))
    assert find_duplicates(table(entities, order)) == found
    canonical = known.canonical()
    assert not canonical.keys() & set(canonical.values())
    names = dict(zip(rows.ids, rows.names, strict=True))
    for root, members in groups(canonical).items():
        numbers = {name_parts(names[id_]).numbers for id_ in (root, *members)}
        assert len(numbers) == 1


def test_joining_keeps_stars_and_evidence() -> None:
    known = [SameAs("b", "a", 0.5), SameAs("d", "c", 0.6)]
    assert joined(known, [SameAs("a", "c", 0.9)]) == [SameAs("a", "c", 0.9), SameAs("b", "c", 0.5)]
    assert joined(known, [SameAs("b", "d", 0.9)]) == [SameAs("a", "c", 0.9), SameAs("b", "c", 0.9)]
    assert joined(known, [SameAs("a", "b", 0.9)]) == [SameAs("a", "b", 0.9)]
    assert joined(known, [SameAs("b", "a", 0.5)]) == []


@given(word=st.text("abc", min_size=1, max_size=6), other=st.text("abc", min_size=1, max_size=6))
def test_one_slip_is_one_edit(word: str, other: str) -> None:
    edits = {word[:i] + word[i + 1 :] for i in range(len(word))}
    for i in range(len(word) + 1):
        edits |= {word[:i] + c + rest for c in "abc" for rest in (word[i:], word[i + 1 :])}
        edits.add(word[:i] + word[i + 1 : i + 2] + word[i : i + 1] + word[i + 2 :])
    assert differ_by_one(word, other) == (other in edits - {word})
