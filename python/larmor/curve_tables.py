"""Tables of curves with names, units and errors, and their text as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .estimate import Estimate
from .hdf5_values import Array
from .labels import with_unit


@dataclass
class Table:
    """Columns of equal length, in order. `name` is empty for the main table of a kind of curves, else the end of the
    name of its file."""

    name: str = ""
    columns: list[tuple[str, Array]] = field(default_factory=list)

    def add(self, name: str, values: Any, unit: str = "") -> Table:
        """Adds a column NAME (UNIT). An estimate also adds NAME_error (UNIT)."""
        if isinstance(values, Estimate):
            return self.add(name, values.value, values.unit or unit).add(f"{name}_error", values.error,
                                                                         values.unit or unit)
        self.columns.append((with_unit(name, unit), np.ravel(values)))
        return self

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [name for name, _ in self.columns]

    def text(self) -> str:
        """The table as CSV. Numbers have all their digits, and unknown numbers are nan."""
        output = io.StringIO()
        writer = csv.writer(output, lineterminator="\n")
        writer.writerow(self.names)
        writer.writerows(zip(*(map(_entry, values.tolist()) for _, values in self.columns), strict=True))
        return output.getvalue()


def _entry(value: Any) -> Any:
    return int(value) if isinstance(value, (bool, np.bool_)) else value


def with_axes(table: Table, axes: Sequence[tuple[str, Any, str]]) -> Table:
    """Adds a column for each axis (name, values, unit): one row for each combination, the last axis fastest."""
    values = [np.asarray(axis[1]) for axis in axes]
    places = np.meshgrid(*(np.arange(len(each)) for each in values), indexing="ij")
    for (name, _, unit), each, place in zip(axes, values, places):
        table.add(name, each[place.ravel()], unit)
    return table
