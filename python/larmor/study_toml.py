"""Studies as TOML text."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

from .errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(text: str, file: str | None = None) -> dict[str, Any]:
    """The tables of a TOML text. @param file its file, for messages. Raises InputError for a text that is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))
        raise InputError(f"this is not TOML: {error}", file=file or "study",
                         line=int(place[1]) if place else None) from error


def toml_of(study: Mapping[str, Any]) -> str:
    """The text of a study, with a heading for each table at its top."""
    import tomlkit

    document = tomlkit.document()
    for key, value in study.items():
        if not isinstance(value, Mapping) and not _is_list_of_tables(value):
            document.add(key, _item(value))
    for key, value in study.items():
        if isinstance(value, Mapping):
            document.add(key, _table(value))
        elif _is_list_of_tables(value):
            tables = tomlkit.aot()
            for entry in value:
                tables.append(_table(entry))
            document.add(key, tables)
    return tomlkit.dumps(document)


def toml_value(value: Any) -> str:
    """A value as TOML on one line."""
    return str(_item(value, lines=False).as_string())


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _table(values: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.table()
    for key, value in values.items():
        table.add(key, _item(value))
    return table


def _item(value: Any, lines: bool = True) -> Any:
    """@param lines may a list of tables be written on several lines?"""
    import tomlkit

    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        for key, entry in value.items():
            inline.append(key, _item(entry, lines=False))
        return inline
    if isinstance(value, list):
        array = tomlkit.array()
        for entry in value:
            array.append(_item(entry, lines=False))
        return array.multiline(lines and any(isinstance(entry, Mapping) for entry in value))
    return tomlkit.item(value)
