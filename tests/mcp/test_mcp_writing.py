"""What builds and deletes: only where that is allowed, and only what lies in the folder."""

from pathlib import Path
from threading import Event

import anyio
import pytest

from hlg.errors import UsageError
from hlg.mcp.writing import Folder
from support.command_line import refused
from support.mcp_client import connected, server_of

TEXT = "# {0}\n\n{0} was a cartwright in Sandby. {0} built the mail coach in 1841.\n"
OTHERS = ("Anke", "Arne", "Arno", "Asta")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of texts."""
    folder = tmp_path / "notes"
    (folder / "old").mkdir(parents=True)
    (folder / "anna.md").write_text(TEXT.format("Anna Thole"))
    for name in OTHERS:
        (folder / f"{name.lower()}.md").write_text(TEXT.format(f"{name} Moor"))
    (folder / "old" / "berta.md").write_text(TEXT.format("Berta Quist"))
    (tmp_path / "secret.md").write_text(TEXT.format("Carl Geheim"))
    return folder


def test_what_lies_in_the_folder_is_built_and_deleted(notes: Path, tmp_path: Path) -> None:
    with connected(server_of(tmp_path / "g.lbug", folder=notes)) as client:
        tools = {each.name: each for each in client.do("list_tools").tools}
        for name in ("build", "delete"):
            hints = tools[name].annotations
            assert (hints.read_only_hint, hints.destructive_hint) == (False, True)
            assert (hints.idempotent_hint, hints.open_world_hint) == (True, False)
        assert "no graph" in client.refusal("search", query="Anna Thole")
        told: list[str | None] = []

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            told.append(message)

        built = client.do("call_tool", "build", {}, progress_callback=on_progress)
        assert built.structured_content == {"added": 6, "changed": 0, "unchanged": 0}
        assert told
        found = client.call("search", query="Who built the mail coach?")["results"]
        assert {each["title"] for each in found} >= {"Anna Thole", "Berta Quist"}
        # A named file, in any spelling, alone.
        again = client.call("build", path=str(notes / "old" / ".." / "anna.md"))
        assert again == {"added": 0, "changed": 0, "unchanged": 1}
        (gone,) = client.call("delete", path="old")["deleted"]
        assert gone.endswith("old/berta.md")
        assert "nothing was read from 'old'" in client.refusal("delete", path="old")
        assert "Berta" not in client.text("search", query="Who built the mail coach?")
        assert (notes / "old" / "berta.md").exists()
        for path in ("../secret.md", str(tmp_path / "secret.md"), "old/../../secret.md", "/", ".."):
            for tool in ("build", "delete"):
                assert "is outside the folder" in client.refusal(tool, path=path)
        (notes / "away.md").symlink_to(tmp_path / "secret.md")
        assert "is outside the folder" in client.refusal("build", path="away.md")
        (notes / "old" / "out").symlink_to(tmp_path)
        for path in (".", "old"):
            assert "leads out of the folder" in client.refusal("build", path=path)
        assert "there is no 'none.md'" in client.refusal("build", path="none.md")
        assert "is no path" in client.refusal("build", path="a\0b")
        assert "there is no '-'" in client.refusal("build", path="-")
        # A caller that goes away ends the build.
        (notes / "new.md").write_text(TEXT.format("Dora Vale"))
        (notes / "away.md").unlink()
        (notes / "old" / "out").unlink()
        begun = Event()

        async def leaving() -> None:
            async def on_progress(*_: object) -> None:
                begun.set()
                scope.cancel()

            with anyio.CancelScope() as scope:
                await client.client.call_tool("build", {}, progress_callback=on_progress)

        client.portal.call(leaving)
        assert begun.is_set()
        assert client.call("sources")["total"] == 5
        assert client.call("build") == {"added": 2, "changed": 0, "unchanged": 5}


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        Folder(tmp_path / "none")
    assert "no such folder" in refused("mcp", "--write", str(tmp_path / "none"))
