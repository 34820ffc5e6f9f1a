"""hlg: a Hierarchical Lexical Graph of your documents, and retrievers that walk it.

What it offers is listed in ``__init__.pyi``, and imported when it is first asked for.
"""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
if (_HERE.parent / "pyproject.toml").is_file():
    # A checkout: cypher, ingest and retrieval lie beside this folder, browser in docker. Python
    # that is started there imports this hlg whatever is installed, and would find half a package.
    __path__ += [str(_HERE.parent), str(_HERE.parent / "docker")]

__version__ = "0.1.0"


@cache
def _homes() -> dict[str, str]:
    """By name the module that holds what this package offers."""
    import ast

    stub = ast.parse((_HERE / "__init__.pyi").read_text("utf-8"))
    imports = (each for each in stub.body if isinstance(each, ast.ImportFrom))
    return {alias.name: str(each.module) for each in imports for alias in each.names}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted([*_homes(), "__version__"])
    if name.startswith("_") or (home := _homes().get(name)) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted([*_homes(), "__version__"])
