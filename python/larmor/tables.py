"""Tables of pandas, and arrays of xarray, from columns and arrays with units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from .errors import MissingPackage
from .estimate import Estimate
from .hdf5_values import Array

# Numbers with their unit.
WithUnit = tuple[Any, str]


def package(name: str, purpose: str) -> Any:
    """An optional package. Raises MissingPackage with the command that installs it.

    @param purpose the function that needs it, for the message"""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise MissingPackage(f"{purpose} needs the package {name}: pip install {name}", name=name) from error


def data_frame(columns: Mapping[str, WithUnit | Estimate]) -> Any:
    """A table whose columns are these, in order. An estimate also has a column NAME_error. Units are in
    `frame.attrs["units"]`, by the name of a column."""
    pandas = package("pandas", "to_pandas()")
    numbers: dict[str, Any] = {}
    units: dict[str, str] = {}
    for name, column in columns.items():
        if isinstance(column, Estimate):
            numbers[name], numbers[f"{name}_error"] = column
            units[name] = units[f"{name}_error"] = column.unit
        else:
            numbers[name], units[name] = column
    frame = pandas.DataFrame({name: _column(values) for name, values in numbers.items()})
    frame.attrs["units"] = units
    return frame


def _column(values: Any) -> Any:
    """Rows of one axis. A table has each list of several numbers as one entry."""
    array = np.asarray(values)
    return array if array.ndim == 1 else list(array)


# Attributes by which NeXus finds the axes of a group.
_OF_NEXUS = ("NX_class", "signal")


class DataSet:
    """Collects arrays with named axes for one Dataset of xarray."""

    def __init__(self, **details: Any):
        """@param details attributes of the data set; only texts and numbers are kept"""
        self._variables: dict[str, Any] = {}
        self._coordinates: dict[str, Any] = {}
        self._details = {name: value for name, value in details.items()
                         if isinstance(value, (str, int, float)) and name not in _OF_NEXUS}

    def add(self, name: str, axes: Sequence[str], numbers: Any, unit: str = "") -> DataSet:
        """Adds an array. An estimate also adds NAME_error."""
        if isinstance(numbers, Estimate):
            self.add(name, axes, numbers.value, numbers.unit)
            return self.add(f"{name}_error", axes, numbers.error, numbers.unit)
        self._variables[name] = (tuple(axes), numbers, _unit(unit))
        return self

    def along(self, name: str, axis: str | Sequence[str], numbers: Any, unit: str = "") -> DataSet:
        """Adds a coordinate of an axis or of several axes."""
        self._coordinates[name] = (axis, numbers, _unit(unit))
        return self

    def made(self) -> Any:
        """The Dataset of xarray. Raises MissingPackage without xarray."""
        return package("xarray", "to_xarray()").Dataset(self._variables, self._coordinates, self._details)


def _unit(unit: str) -> dict[str, str]:
    return {"units": unit} if unit else {}


def middles(edges: Array) -> Array:
    """[B] middles of bins from their [B + 1] edges."""
    return np.asarray((edges[1:] + edges[:-1]) / 2)
