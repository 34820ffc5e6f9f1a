"""Nine scenarios, each on a small data set, by a scripted model over a socket."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.positions import Given, ModelRun
from hlg.evaluation.scenarios import run
from hlg.evaluation.scenarios.report import ScenarioReport
from hlg.evaluation.scenarios.rows import NAMES, ROWS, Scenario, rows_of
from hlg.evaluation.scenarios.worlds import Worlds
from support.command_line import done, hlg, ran, refused
from support.language_model_server import Asked, Says, ScriptedServer, Turn

TOWN = re.compile("Aldry|Brenn|Corven|Dask|Elm|Fenn|Garth|Hale|Irsk|Jorn")
MODEL_SETTINGS = ("--set", "llm=tiny", "--set", "llm_cache=off")


def behaves(asked: Asked) -> Turn:
    """Searches for the yard that the question names, and selects what speaks of it."""
    system = asked.messages[0]["content"]
    question = asked.text[asked.text.index("[BEGIN question") :]
    name = TOWN.search(question)[0]  # type: ignore[index]
    yard = f"{name} Yard"
    if "tools" in asked.body:
        said, calls = _agent(asked, yard)
        return Says(said, tokens=None, calls=calls)
    if system.startswith("You list what one would look up"):
        told: object = {"keywords": [yard]}
    elif system.startswith("You turn a question"):
        told = yard
    elif system.startswith("You put"):
        count = int(re.search(r"put (\d+) numbered", system)[1])  # type: ignore[index]
        told = {"order": list(range(count, 0, -1))}
    elif system.startswith("You plan"):
        is_first = "(nothing yet)" in question
        told = {"enough": not is_first, "queries": [yard] * is_first}
    else:
        found = re.findall(rf"(?m)^(\d+)\. .*\b{yard}\b", asked.material("found"))
        told = {"final_answer": "So it is.", "entity_ids_for_final_answer": [*map(int, found)][:1]}
    return Says(told if isinstance(told, str) else json.dumps(told), tokens=None)


def _agent(asked: Asked, yard: str) -> tuple[str, list[Any]]:
    """Calls each tool, the search twice, and names what speaks of the yard."""
    offered = {each["function"]["name"] for each in asked.body["tools"]}
    done = asked.text.count("[BEGIN search")
    found = re.findall(rf"\[(turn1search\d+)\] [^\n]*\b{yard}\b", asked.text)
    calls: list[Any] = []
    if done < 2:
        calls.append(("search", {"queries": [yard] if done else [yard, f"{yard} again"]}))
    if not done:
        given = {
            "subgraph": {"entities": [yard]},
            "reformulate": {"question": yard},
            "think": {"thought": "a yard is meant"},
            "rerank": {"question": yard, "reference_ids": ["turn1search0", "turn1search1"]},
        }
        calls += [each for each in given.items() if each[0] in offered]
    said = "" if calls else f"Said [{found[0]}].\nRelevance: {found[0]}=0.9"
    return said, calls


@pytest.fixture
def here(shipyards: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(shipyards)
    monkeypatch.setenv("HLG_WORKERS", "1")
    monkeypatch.setenv("HLG_LLM_API_KEY", "s3cret")
    (shipyards / ".hlg/eval/shipyards.scenarios/runs.jsonl").unlink(missing_ok=True)
    return shipyards


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(behaves) as opened:
        yield opened


def command(server: ScriptedServer, *more: str) -> list[str]:
    given = ["eval", "scenarios", "shipyards", "--questions", "1", "--no-build"]
    return [*given, *MODEL_SETTINGS, "--set", f"llm_url={server.url}", *more]


def test_the_rows_are_those_of_the_paper() -> None:
    counts = [len(rows_of([number])) for number in NAMES]
    assert counts == [2, 2, 1, 2, 9, 3, 1, 6, 5]
    names = {(row.number, row.name) for row in ROWS}
    assert len(names) == len(ROWS)
    assert {(row.number, row.baseline) for row in ROWS if row.baseline} <= names
    assert [row.label for row in rows_of(with_model=False)] == [
        "1 retrieval only",
        "2 retrieval only",
        "4 retrieval only",
    ]


Rows = dict[tuple[int, str], dict[str, Any]]


def rows_and_tables(server: ScriptedServer, scenarios: str) -> tuple[Rows, list[Any]]:
    """Every row of these scenarios, run and each right; and the paper's tables of them."""
    told = done(*command(server, "--scenario", scenarios))
    wanted = rows_of([*map(int, scenarios.split(","))])
    assert [row["name"] for row in told["rows"]] == [row.name for row in wanted]
    assert all(row["problems"] == 0 for row in told["rows"])
    assert all(row["hits@1"] == row["mrr@100"] == row["both"] == 1 for row in told["rows"])
    return {(row["scenario"], row["name"]): row for row in told["rows"]}, told["tables"]


def calls(row: dict[str, Any]) -> tuple[int, int]:
    return row["model calls"], row["tool calls"]


def numbers(tables: list[Any]) -> list[int]:
    found = [re.match(r"Table (\d)", table["title"]) for table in tables]
    return [int(each[1]) for each in found if each]


def test_documents_graphs_and_modules_in_a_fixed_order(
    here: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    rows, tables = rows_and_tables(server, "1,2,3,4,6")
    assert numbers(tables) == [1, 3, 4, 6, 7, 8]
    assert calls(rows[1, "retrieval only"]) == (0, 1)
    assert calls(rows[1, "answer"]) == (1, 1)
    assert calls(rows[3, "100 paths"]) == (2, 1)
    assert calls(rows[6, "reformatter, retriever, reranker"]) == (3, 3)
    assert rows[3, "100 paths"]["documents"] == 0
    found = [asked.material("found") for asked in server.asked if "[BEGIN found" in asked.text]
    # Of the second scenario documents have the relations that belong to them.
    assert [re.search(r"Yard .*(built|founded).*: ", each) is not None for each in found][:2] == [
        False,
        True,
    ]


def test_triplets_are_flat_and_optimised_paths_are_grouped(
    here: Path, server: ScriptedServer
) -> None:
    rows, tables = rows_and_tables(server, "5")
    assert numbers(tables) == [1, 2, 3, 4, 6, 7, 8]
    assert {calls(row) for row in rows.values()} == {(1, 2)}
    found = [asked.material("found") for asked in server.asked]
    assert [re.search(r"(?m)^\d+\. <.+, .+, .+>$", each) is not None for each in found] == [
        name.split(",")[0] != "optimised" for _, name in rows
    ]
    assert all(re.search(r"(?m)^\d+\. [^<\n]+ - [^\n]+ - ", each) for each in found[4:])


def test_places_are_told_of_the_widest_optimised_row_where_there_is_one() -> None:
    computed, subgraphs = rows_of([4])[-1], rows_of([5])
    runs = {
        row: [ModelRun("q", ("a",), (Given(("a",), 30 if row.grouped else 90),))]
        for row in subgraphs
    }
    runs[computed] = [ModelRun("q", ("a",), (Given(("a",), 900),))]
    widest = next(row for row in subgraphs if row.label.startswith("5 optimised, 500"))
    question = Question("q", "Where?", gold=("a",))
    for known, row in ((runs, widest), ({computed: runs[computed]}, computed)):
        tables = ScenarioReport("set", (question,), known, "", "a graph", str).tables()
        told = [each.title for each in tables if each.title.startswith(("Table 3", "Table 6"))]
        assert len(told) == sum(title.endswith(f", {row.label}") for title in told) == 2


def test_the_time_of_a_question_leaves_out_making_what_its_row_searches(
    here: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Scenario] = []
    ready = Worlds.ready
    monkeypatch.setattr(Worlds, "ready", lambda self, row: (made.append(row), ready(self, row)))
    # A clock that goes on with each world that is made, and stands still else.
    monkeypatch.setattr(run, "time", SimpleNamespace(perf_counter=lambda: float(len(made))))
    told = done(*command(server, "--scenario", "1,2"))
    assert len(made) == len(told["rows"]) == 4
    assert {row["seconds"] for row in told["rows"]} == {0}


def test_agents_save_what_was_given_and_a_second_run_asks_nothing(
    here: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    rows, tables = rows_and_tables(server, "7,8,9")
    assert numbers(tables) == [1, 2, 4, 5]
    assert calls(rows[7, "reformatter, retriever, reranker"]) == (5, 4)
    assert calls(rows[8, "search, whole history"]) == (3, 2)
    assert calls(rows[8, "search, thinking"]) == (3, 3)
    assert calls(rows[8, "optimised, batch"]) == (3, 1)
    assert calls(rows[9, "optimised, 100 paths"]) == (3, 3)
    assert rows[9, "optimised, 100 paths"]["graph"] == 1
    # What was given is not given again.
    for number, base, saving in (
        (8, "search, whole history", "optimised"),
        (9, "100 paths, whole history", "optimised, 100 paths"),
    ):
        assert rows[number, saving]["tokens"] < rows[number, base]["tokens"]
    share = rows[8, "optimised"]["tokens"] / rows[8, "search, whole history"]["tokens"] - 1
    cells = {row[0]: row[-1] for row in tables[1]["rows"]}
    assert cells["8 optimised"].endswith(f"({share:+.0%})")
    asked, out = len(server.asked), tmp_path / "scenarios.json"
    told = done(*command(server, "--scenario", "7,8,9", "--out", str(out)))
    assert told["rows"] == json.loads(out.read_text())["rows"] == [*rows.values()]
    assert len(server.asked) == asked


def test_with_other_limits_nothing_is_paid_twice(
    here: Path, server: ScriptedServer, tmp_path: Path
) -> None:
    cache = f"llm_cache={tmp_path / 'answers.sqlite'}"
    given = command(server, "--scenario", "1,7", "--set", cache)
    first = done(*given)["rows"]
    asked = len(server.asked)
    assert asked == 6
    again = done(*given, "--window", "64000")["rows"]
    assert len(server.asked) == asked  # the agent's tools among them
    assert [each["tokens"] for each in again] == [each["tokens"] for each in first]
    journal = here / ".hlg/eval/shipyards.scenarios/runs.jsonl"
    kept = journal.read_text()
    assert len(kept.splitlines()) == 1 + 2 * len(first)  # both are kept
    assert done(*given)["rows"] == first
    assert journal.read_text() == kept


@pytest.mark.parametrize("said", ["no JSON at all", ""])
def test_a_model_that_answers_rubbish_or_nothing_selects_nothing(here: Path, said: str) -> None:
    with ScriptedServer([said]) as server:
        told = done(*command(server, "--scenario", "1,6,8"))
    rows = {(row["scenario"], row["name"]): row for row in told["rows"]}
    assert rows[1, "retrieval only"]["hits@1"] == 1
    assert rows[1, "answer"]["hits@1"] == 0
    assert rows[1, "answer"]["problems"] == 1
    assert rows[8, "optimised"]["hits@1"] == 0


def test_without_a_model_only_retrieval_is_run(here: Path) -> None:
    given = ("eval", "scenarios", "shipyards", "--questions", "1", "--no-build")
    told = ran(*given)
    assert "no language model: set llm and llm_url" in told.stderr
    assert "Table 1" in told.stdout
    assert "need a language model" in ran(*given, "--scenario", "3", code=2).stderr
    assert "no scenario 12" in refused(*given, "--scenario", "12")
    assert "'x'" in refused(*given, "--scenario", "x")


def test_a_budget_ends_a_run_that_goes_on_with_a_larger_one(
    here: Path, server: ScriptedServer
) -> None:
    prices = ("--set", 'prices={"tiny": {"input": 1000, "output": 1000}}')
    stopped = hlg(*command(server, "--scenario", "1", *prices, "--budget", "0.0001"))
    assert stopped.exit_code != 0
    assert "budget" in stopped.stderr
    assert not server.asked
    ran(*command(server, "--scenario", "1", *prices, "--budget", "100"))
    assert len(server.asked) == 1


def test_a_budget_that_ends_later_shows_the_questions_that_every_row_was_asked(
    here: Path, server: ScriptedServer
) -> None:
    prices = ("--set", 'prices={"tiny": {"input": 1000, "output": 1000}}')
    given = [*command(server, "--scenario", "1,6", *prices), "--questions", "3"]
    whole = done(*given, "--budget", "100")
    assert whole["questions"] == 3
    (here / ".hlg/eval/shipyards.scenarios/runs.jsonl").unlink()
    a_question = sum(row["US$"] for row in whole["rows"])
    told = hlg(*given, "--budget", f"{1.9 * a_question}", "--json")
    assert "ended early" in told.stderr
    assert json.loads(told.stdout)["questions"] == 1


def test_the_rows_of_a_question_begin_with_the_same_text(
    here: Path, server: ScriptedServer
) -> None:
    done(*command(server, "--scenario", "1,5,8"), "--questions", "2")
    system = [asked.messages[0]["content"] for asked in server.asked]
    fences = [re.search(r"\[BEGIN name (\w+)\]", each)[1] for each in system]  # type: ignore[index]
    assert len(set(fences)) == 1
    questions = [TOWN.search(asked.material("question"))[0] for asked in server.asked]  # type: ignore[index]
    assert len(set(questions)) == 2
    assert questions == sorted(questions, key=questions.index)  # one after the other
    answers = [asked.text for asked in server.asked if "tools" not in asked.body]
    alone, with_graph = (each.rsplit("[END found", 1)[0] for each in answers[:2])
    assert with_graph.startswith(alone.rstrip())


def test_a_search_gives_as_many_documents_as_one_asks_for(
    here: Path, server: ScriptedServer
) -> None:
    done(*command(server, "--scenario", "1,3", "--documents", "3"))
    found = [asked.material("found") for asked in server.asked if "[BEGIN found" in asked.text]
    assert [len(each.splitlines()) for each in found][:1] == [3]


def test_a_predefined_graph_is_walked_where_there_is_one(
    here: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    triples = here / "shipyards" / "triples.csv"
    rows = [f"{name} Yard,employs,Bo {name}\n" for name in TOWN.pattern.split("|")]
    triples.write_text("subject,predicate,object\n" + "".join(rows))
    try:
        told = done(*command(server, "--scenario", "3"))
    finally:
        triples.unlink()
    assert told["graph"] == "the predefined graph"
    assert "employs" in server.asked[-1].material("found")
    assert (told["rows"][0]["graph"], told["rows"][0]["hits@1"]) == (1, 1)
