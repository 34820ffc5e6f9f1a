"""``hlg communities``: what a person types, sees, and pipes."""

from pathlib import Path

import pytest

from support.command_line import done, ran, refused

TEXT = """# Marrow Yard

Marrow Yard built the Petrel in 1911. Edith Vale founded Marrow Yard.
Edith Vale studied with Bela Kovacs. Bela Kovacs invented the tidal lamp.
The Petrel carried mail to Skerry Island. Port Ellery lies on the Tarn river.
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("communities")
    (folder / "yard.md").write_text(TEXT)
    path = str(folder / "g.lbug")
    ran("build", str(folder / "yard.md"), "--store", path)
    return path


def test_without_communities_it_says_what_to_do(store: str) -> None:
    place = ("--store", store)
    assert "hlg communities build" in ran("communities", "status", *place).stdout
    assert ran("communities", "list", *place).stdout == ""
    assert "hlg communities build" in refused("query", "Vale?", *place, "--retriever", "global")


def test_they_are_built_listed_shown_and_searched(store: str, tmp_path: Path) -> None:
    place = ("--store", store)
    report = done("communities", "build", *place)
    assert report["communities"] == report["new"] == sum(report["levels"]) > 0
    again = ran("communities", "build", *place).stdout
    assert f"{report['communities']} communities kept, 0 new, 0 gone" in again
    listed = done("communities", "list", "--level", "0", *place)
    assert len(listed) == report["levels"][0]
    assert listed[0]["id"] in ran("communities", "list", *place).stdout
    (shown,) = done("communities", "show", listed[0]["id"], *place)
    assert shown["title"] == listed[0]["title"]
    member = shown["members"][0]["name"]
    assert listed[0]["id"] in ran("communities", "show", member, *place).stdout
    assert "as it is now" in ran("communities", "status", *place).stdout
    question = ("query", "Who founded Marrow Yard?", *place)
    for retriever in ("local", "global", "drift"):
        assert done(*question, "--retriever", retriever)["hits"][0]["path"]
    assert done(*question, "--retriever", "local", "--hops", "0")["hits"]
    (tmp_path / "more.md").write_text("Oro trades with Tamm. Tamm lies near Kesh.")
    ran("build", str(tmp_path / "more.md"), *place)
    assert not done("communities", "status", *place)["is_current"]
    assert "has changed since" in ran("communities", "status", *place).stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("build", "--algorithm", "louvain"), "louvain"),
        (("build", "--resolution", "0"), "resolution"),
        (("build", "--max-size", "1"), "max_size"),
        (("show", "Nobody at all"), "no community 'Nobody at all'"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    store: str, arguments: tuple[str, ...], problem: str
) -> None:
    assert problem in refused("communities", *arguments, "--store", store)
