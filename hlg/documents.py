"""Records as plain documents: what JSON has, for the command line and for programs.

One function, :func:`document_of`, for every record. A dataclass is an object of its fields;
where its JSON is another, the kind says so below, or beside its definition::

    @document_of.register
    def _(record: Kind) -> dict[str, Any]: ...
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import partial, singledispatch
from pathlib import PurePath
from typing import Any

import numpy as np

from hlg.errors import HlgError, ModelError, StoreError, UsageError
from hlg.records import Community, Hit, Passage
from hlg.reports import BuildReport, ImportReport, SearchResult


@singledispatch
def document_of(record: object) -> Any:
    """A record, or any nesting of records, as dicts, lists, strings, numbers, booleans and None.

    :raises TypeError: there is something in it that JSON has no form for.
    """
    if record is None or isinstance(record, str | bool | int | float):
        return record
    if isinstance(record, np.generic | np.ndarray):
        return record.tolist()
    if is_dataclass(record) and not isinstance(record, type):
        return fields_of(record)
    if isinstance(record, Mapping):
        return {str(key): document_of(value) for key, value in record.items()}
    if isinstance(record, tuple) and hasattr(record, "_asdict"):
        return document_of(record._asdict())
    if isinstance(record, Set):
        return sorted(document_of(each) for each in record)
    if isinstance(record, Sequence) and not isinstance(record, bytes | bytearray):
        return [document_of(each) for each in record]
    if isinstance(record, PurePath):
        return str(record)
    raise TypeError(f"a {type(record).__name__} is nothing that JSON has")


def fields_of(
    record: Any, *, without: Set[str] = frozenset(), unless_empty: Set[str] = frozenset()
) -> dict[str, Any]:
    """A dataclass's fields as a document.

    :param without: fields that are left out.
    :param unless_empty: fields that are left out where they are None or have nothing in them.
    """
    told = {each.name: getattr(record, each.name) for each in fields(record)}
    return {
        name: document_of(value)
        for name, value in told.items()
        if name not in without and not (name in unless_empty and value in (None, "", ()))
    }


for _kind, _unless_empty in (
    (Passage, {"page"}),
    (SearchResult, {"explanation", "answer", "notes"}),
    (BuildReport, {"batch", "model", "relations", "stopped"}),
):
    document_of.register(_kind, partial(fields_of, unless_empty=_unless_empty))


@document_of.register
def _(hit: Hit) -> dict[str, Any]:
    """The passage's fields are the hit's own: what is cited is what was found."""
    return {
        "rank": hit.rank,
        "score": document_of(hit.score),
        **document_of(hit.passage),
        "confidence": document_of(hit.confidence),
        **({"sentence": list(hit.sentence)} if hit.sentence else {}),
        "signals": document_of(hit.signals),
        "path": document_of(hit.path),
    }


@document_of.register
def _(report: ImportReport) -> dict[str, Any]:
    """With all that was left out, of triples and of documents, in one list."""
    return {
        **fields_of(report, unless_empty={"documents", "relations"}),
        "failed": document_of(report.failed),
    }


@document_of.register
def _(community: Community) -> dict[str, Any]:
    """Without its members, who can be thousands, and the fingerprint of its summary."""
    return fields_of(community, without={"entity_ids", "content_hash"})


@document_of.register
def _(error: HlgError) -> dict[str, Any]:
    """What was wrong, and what a program needs to act on it."""
    document: dict[str, Any] = {
        "error": type(error).__name__,
        "message": str(error),
        "exit_code": error.exit_code,
        "retryable": error.retryable,
    }
    match error:
        case UsageError():
            document |= {"option": error.option, "known": list(error.known)}
        case StoreError():
            document["address"] = error.address
        case ModelError():
            document["model"] = error.model
    return document
