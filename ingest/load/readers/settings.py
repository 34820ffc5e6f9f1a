"""YAML and TOML: records where they hold such, else what they say, a line a value."""

from collections.abc import Iterator

from hlg.errors import InputError
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.ingest.load.readers.records import parse_json, read_json_file, read_records, read_value
from hlg.ingest.load.values import toml_value, yaml_values
from hlg.records import Document
from hlg.reports import Failure

LONGEST = 2**20
"""Characters of a text that is taken apart; a longer one is given as it stands."""


def read_settings(file: File) -> Iterator[Document | Failure]:
    """A YAML or TOML file; one that isn't valid, such as a template, is given as it stands."""
    text = decode(file.data)
    try:
        if len(text) > LONGEST:
            raise InputError("longer than is taken apart")
        values = [toml_value(text)] if file.suffix == ".toml" else yaml_values(text)
    except InputError:
        yield from one(file, text, media_type="text/plain")
        return
    value = values[0] if len(values) == 1 else values
    yield from read_value(file, text, value, "text/plain")


def read_geojson(file: File) -> Iterator[Document | Failure]:
    """A document a feature: its properties, and where it is if it is a point."""
    value = parse_json(decode(file.data))
    features = value.get("features") if isinstance(value, dict) else None
    found = [_record(each) for each in features or () if isinstance(each, dict)]
    if records := [record for record in found if record]:
        yield from read_records(records, file.uri)
    else:
        yield from read_json_file(file)


def _record(feature: dict[str, object]) -> dict[str, object]:
    properties = feature.get("properties")
    record = dict(properties) if isinstance(properties, dict) else {}
    names = (record[key] for key in record if key.lower() in ("title", "name"))
    if title := next((name for name in names if isinstance(name, str)), ""):
        record.setdefault("title", title)
    identity = feature.get("id")
    if isinstance(identity, str | int):
        record["id"] = identity
    geometry = feature.get("geometry")
    if isinstance(geometry, dict) and geometry.get("type") == "Point":
        coordinates = geometry.get("coordinates")
        if isinstance(coordinates, list):
            record["coordinates"] = coordinates[:3]
    return record
