"""Values of a study: the values of Python that a key takes, and their form in TOML."""

from __future__ import annotations

import difflib
import enum
import functools
import inspect
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from .errors import InputError
from .evaluation import AseAtoms, Structure
from .given_arrays import unmasked
from .options import PathLike

# Types of values, as methods of studies accept them.
Whole = int | float | np.integer[Any]
Number = float | np.floating[Any] | np.integer[Any]
Quantity = Number | str
"""A number, or in material units a text with a number and its unit."""
List = Sequence[Any] | npt.NDArray[Any]
PathName = PathLike
Map = Mapping[str, Any]
File = PathName | Structure | AseAtoms | Sequence[Structure | AseAtoms]
"""Path of a file, or structures of atoms that a run writes to a file."""

_LARGEST = 2**63 - 1


@dataclass(frozen=True, repr=False)
class StructureText:
    """Structures of atoms that a key names as a file; a run or `Study.save` writes this file."""

    text: str
    """Extended XYZ."""
    frames: int

    def __repr__(self) -> str:
        return f"<{self.frames} structure{'' if self.frames == 1 else 's'} of atoms>"


class Table(dict[str, Any]):
    """A table of a study, a dictionary. NumPy values become values of Python when they are set.

    Raises InputError with the key for NaN and for values that TOML does not have.
    """

    __slots__ = ("_path",)

    def __init__(self, values: Map | Iterable[tuple[str, Any]] = (), path: str = ""):
        """@param path path of the table in its study, for messages"""
        self._path = path
        super().__init__()
        self.update(values)

    def __setitem__(self, key: str, value: Any) -> None:
        # A copied table gets its values before its path.
        path = getattr(self, "_path", "")
        if not isinstance(key, str):
            raise InputError(f"a key must be a text, not {key!r}", key=path)
        name = str.__str__(key)
        super().__setitem__(name, value_of(value, joined(path, name)))

    def update(self, *values: Any, **more: Any) -> None:
        """Sets several keys."""
        for key, value in dict(*values, **more).items():
            self[key] = value

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value of a key, which is set if the table lacks it."""
        if key not in self:
            self[key] = default
        return self[key]

    def __ior__(self, other: Any) -> Table:  # type: ignore[override,misc]
        self.update(other)
        return self


def joined(path: str, key: str | int) -> str:
    """The path of a key in a table or list, as the program counts it."""
    return f"{path}.{key}" if path else str(key)


def value_of(value: Any, key: str) -> Any:
    """The value as TOML holds it: a bool, int, float, str, list or Table, or a StructureText.
    @param key path of its key, for messages. Raises InputError for NaN and for other types."""
    if isinstance(value, enum.Enum):
        return value_of(value.value, key)
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return _whole(int(value), key)
    if isinstance(value, (float, np.floating)):
        return _number(float(value), key)
    if isinstance(value, str):
        return _text(str.__str__(value), key)
    if isinstance(value, StructureText):
        return value
    if isinstance(value, os.PathLike):
        return _text(os.fsdecode(value), key)
    if isinstance(value, Mapping):
        return Table(value, key)
    if (structure := _structure_of(value)) is not None:
        return StructureText(structure.text(), 1)
    return _other(value, key)


def _other(value: Any, key: str) -> Any:
    if isinstance(value, (bytes, bytearray)):
        raise _unsupported(value, key, "decode the bytes to a text")
    if isinstance(value, Sequence):
        return _list(value, key)
    if hasattr(value, "__array__"):
        return value_of(unmasked(value, key).tolist(), key)
    if value is None:
        raise _unsupported(value, key, "leave the key out")
    raise _unsupported(value, key, "give a number, a text, True or False, a list, an array or a dictionary")


def _list(values: Sequence[Any], key: str) -> Any:
    structures = [_structure_of(value) for value in values] if key.endswith("file") else []
    frames = [structure.text() for structure in structures if structure is not None]
    if frames and len(frames) == len(values):
        return StructureText("".join(frames), len(frames))
    return [value_of(value, joined(key, number)) for number, value in enumerate(values, 1)]


def _text(value: str, key: str) -> str:
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(f"{value!r} is not a text in Unicode", key=key,
                             remedy="give a name without bytes of another encoding") from None
    return value


def _whole(value: int, key: str) -> int:
    if not -_LARGEST - 1 <= value <= _LARGEST:
        raise InputError(f"{value} is outside the whole numbers of TOML", key=key,
                         remedy=f"give at most {_LARGEST}; a seed may also be a text of digits")
    return value


def _number(value: float, key: str) -> float:
    if math.isnan(value):
        raise InputError("the value is not a number (NaN)", key=key, remedy="give a number")
    return value


def _structure_of(value: Any) -> Structure | None:
    if isinstance(value, Structure):
        return value
    is_ase = hasattr(value, "get_chemical_symbols") and hasattr(value, "positions")
    return Structure.from_ase(value) if is_ase else None


def _unsupported(value: Any, key: str, remedy: str) -> InputError:
    return InputError(f"a study cannot hold {'None' if value is None else f'a value of type {type(value).__name__}'}",
                      key=key, remedy=remedy)


def require_keys(given: Iterable[str], names: Sequence[str], place: str) -> None:
    """Raises TypeError for a key that is not in `names`, with the closest of these. @param place where it is, for the message"""
    for key in given:
        if key not in names:
            close = difflib.get_close_matches(key, names, n=1)
            raise TypeError(f"{place} has no key '{key}'; "
                            + (f"did you mean '{close[0]}'?" if close else f"it has: {', '.join(names)}"))


_Method = TypeVar("_Method", bound=Callable[..., Any])


def of_table(place: str) -> Callable[[_Method], _Method]:
    """Marks a method whose arguments are the keys of a table. It raises TypeError for another name, with the closest
    key, and for values without a name. @param place the table, for the message"""
    def marked(method: _Method) -> _Method:
        _, *names = inspect.signature(method).parameters

        @functools.wraps(method)
        def checked(self: Any, *values: Any, **keys: Any) -> Any:
            if values:
                raise TypeError(f"{place} takes its keys by name, such as {names[0]}={values[0]!r}")
            require_keys(keys, names, place)
            return method(self, **keys)

        return cast("_Method", checked)

    return marked


class TableBuilder(Table):
    """A study whose tables are added one by one. The methods of its subclass are generated from the field tables."""

    __slots__ = ()

    def _set(self, keys: Map) -> None:
        """Sets keys of the study. Keys of the value None are left out."""
        self.update({key: value for key, value in keys.items() if value is not None})

    def _add_table(self, name: str, is_list: bool, keys: Map) -> Table:
        """Appends a table to a list of tables, or sets keys of a single table. Keys of the value None are left out."""
        given = Table({key: value for key, value in keys.items() if value is not None}, name)
        present: Any = self.setdefault(name, [] if is_list else Table())
        fits = isinstance(present, list if is_list else Table)
        if not fits:
            raise InputError(f"'{name}' is not a {'list of tables' if is_list else 'table'}", key=name,
                             remedy=f"remove it first: del study[{name!r}]")
        if not is_list:
            present.update(given)
            return cast("Table", present)
        added = Table(given, joined(name, len(present) + 1))
        present.append(added)
        return added

    def _add_stage(self, kind: str, keys: Map, known: Mapping[str, Sequence[str]]) -> Table:
        """@param known the keys of each kind of stage. Raises TypeError for another key of a known kind"""
        given = {key.removesuffix("_"): value for key, value in keys.items()}
        require_keys(given, known.get(kind, list(given)), f"a stage of kind '{kind}'")
        return self._add_table("stage", True, {"kind": kind, **given})
