"""YAML and TOML as the values that JSON has."""

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from hlg.errors import InputError
from hlg.ingest.load.blocks import one_line


def toml_value(text: str) -> dict[str, Any]:
    """What a TOML text says.

    :raises InputError: it is none.
    """
    import tomllib

    try:
        return _plain_mapping(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(str(error)) from error


def yaml_values(text: str) -> list[Any]:
    """What each document of a YAML text says.

    :raises InputError: it is none, or has aliases.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        """Without aliases: a few lines of them would stand for gigabytes."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("aliases are not followed")
            return super().compose_node(parent, index)

    try:
        return [_plain(each) for each in yaml.load_all(text, Loader)]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(one_line(str(error))) from error


def _plain_mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): _plain(each) for key, each in value.items() if each is not None}


def _plain(value: object) -> object:
    """A value that JSON has."""
    if isinstance(value, Mapping):
        return _plain_mapping(value)
    if isinstance(value, list | tuple | set):
        return [_plain(each) for each in value]
    if isinstance(value, date | time):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool | None) else str(value)
