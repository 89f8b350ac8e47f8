"""Studies as TOML text."""

from __future__ import annotations

import json
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
    """The text of a study, with a heading for each table at its top. Its values are those of `study_values`."""
    tables = {key: value for key, value in study.items() if isinstance(value, dict) or _is_list_of_tables(value)}
    parts = [_lines({key: value for key, value in study.items() if key not in tables})]
    for key, value in tables.items():
        if isinstance(value, dict):
            parts.append(f"[{_key(key)}]\n{_lines(value)}")
        else:
            parts += [f"[[{_key(key)}]]\n{_lines(table)}" for table in value]
    return "\n".join(part for part in parts if part)


def toml_value(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {toml_value(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, str):
        # Texts of JSON are texts of TOML, except for the character DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)


def _lines(table: Mapping[str, Any]) -> str:
    """A line for each key, and for each entry of a list with tables."""
    lines = []
    for key, value in table.items():
        text = toml_value(value)
        if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
            text = "[\n" + "".join(f"  {toml_value(entry)},\n" for entry in value) + "]"
        lines.append(f"{_key(key)} = {text}\n")
    return "".join(lines)
