"""A small data set of shipyards whose graph is built once for all tests of commands."""

from contextlib import chdir
from pathlib import Path

import pytest

from hlg.evaluation.corpus import build_corpus
from hlg.evaluation.data.datasets import load_dataset
from hlg.graph import LexicalGraph
from hlg.settings import load_settings
from support.datasets import write_dataset

TOWNS = ("Aldry", "Brenn", "Corven", "Dask", "Elm", "Fenn", "Garth", "Hale", "Irsk", "Jorn")


@pytest.fixture(scope="session")
def shipyards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data set ``shipyards`` and, where ``hlg eval`` has it, its graph."""
    folder = tmp_path_factory.mktemp("work")
    (folder / ".hlg" / "eval").mkdir(parents=True)
    documents, questions = [], []
    for i, town in enumerate(TOWNS):
        river = TOWNS[(i + 3) % len(TOWNS)]
        text = (
            f"{town} Yard was founded by Anna {town}. Anna {town} was born in Port {river}. "
            f"{town} Yard built the {town} Star. The {town} Star visited Port {town}. "
            f"Anna {town} married Jan {river}. Jan {river} sold {300 + i} boats."
        )
        documents.append({"_id": town.lower(), "title": f"{town} Yard", "text": text})
        for type_, asked, answer in (
            ("single", f"Who founded {town} Yard?", f"Anna {town}"),
            ("single", f"Where was Anna {town} born?", f"Port {river}"),
            ("number", f"How many boats did Jan {river} sell in {town}?", str(300 + i)),
            ("bridge", f"Whom did the founder of {town} Yard marry?", f"Jan {river}"),
        ):
            questions.append(
                {
                    "_id": f"q{len(questions)}",
                    "text": asked,
                    "type": type_,
                    "gold": [town.lower()],
                    "answer": answer,
                }
            )
    write_dataset(folder / "shipyards", corpus=documents, queries=questions)
    # Sources are named as they are seen from where a command runs.
    with chdir(folder):
        settings = load_settings(store=".hlg/eval/shipyards.lbug", workers=1)
        with LexicalGraph.open(settings=settings) as graph:
            build_corpus(graph, load_dataset("shipyards"), Path(".hlg/eval"))
    return folder
