"""Names have one normal form, and ids depend on content alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg import ids
from hlg.names import normalize_name


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("The  Federal Trade\nCommission", "federal trade commission"),
        ("Amazon’s", "amazon"),
        ("“American Splendor”", "american splendor"),
        ("A", "a"),
        ("U.S.", "u.s"),
        ("the", "the"),
        ("…", "..."),
        ("ＡＢＣ Corp", "abc corp"),
        ("Hesse- Marburg", "hesse-marburg"),
        ("Acme - Paris", "acme - paris"),
    ],
)
def test_names_that_mean_the_same_have_the_same_key(name: str, key: str) -> None:
    assert normalize_name(name) == key


@given(st.text())
def test_normalising_twice_changes_nothing(name: str) -> None:
    key = normalize_name(name)
    assert normalize_name(key) == key


@given(st.text(min_size=1).filter(lambda text: text.strip() != ""))
def test_a_name_never_normalises_to_nothing(name: str) -> None:
    assert normalize_name(name)


@given(st.lists(st.text()), st.lists(st.text()))
def test_ids_are_equal_exactly_when_their_parts_are(left: list[str], right: list[str]) -> None:
    assert (ids.content_id(*left) == ids.content_id(*right)) == (left == right)


def test_an_entity_is_its_normalised_name_and_class() -> None:
    assert ids.entity_id("The FTC", "Organization") == ids.entity_id("ftc", "organization")
    assert ids.entity_id("FTC", "Organization") != ids.entity_id("FTC", "Person")
