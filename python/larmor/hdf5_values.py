"""Attributes and datasets as plain Python and numpy values."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

# An array of numbers of any type and shape. The docstring of a property tells its shape.
Array = npt.NDArray[Any]

# Attributes by which HDF5 joins datasets with their axes.
_OF_SCALES = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST")


def plain(value: Any) -> Any:
    """Converts bytes to text, an array of one element to this element, and numpy scalars to those
    of Python."""
    if isinstance(value, h5py.Empty):
        return ""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(-1)[0]
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    if isinstance(value, np.generic):
        return value.item()
    return value


def attributes(item: h5py.HLObject) -> dict[str, Any]:
    """All attributes by name."""
    return {name: plain(value) for name, value in item.attrs.items() if name not in _OF_SCALES}


def unit_of(item: h5py.HLObject) -> str:
    """The `unit` attribute. It is empty for pure numbers and in reduced units."""
    return str(plain(item.attrs.get("unit", "")))


def values_of(item: h5py.Dataset) -> Array:
    """All values of a dataset, with its shape and type."""
    return np.asarray(item[()])


def truths_of(item: h5py.Dataset) -> Array:
    """A dataset of the truth values 0 and 1, as booleans."""
    return np.asarray(item[()] == 1)


def complex_of(item: h5py.Dataset) -> Array:
    """Complex numbers of a dataset whose last axis is their real and imaginary part."""
    parts = values_of(item)
    return np.asarray(parts[..., 0] + 1j * parts[..., 1])


def optional_values(group: h5py.Group, name: str) -> Array | None:
    """Values of a dataset, with one axis or more; None if the group has no such dataset."""
    return np.asarray(np.atleast_1d(values_of(group[name]))) if name in group else None


def text_of(item: h5py.Dataset) -> str:
    """A dataset that holds one string."""
    return str(plain(item[()]))


def texts_of(item: h5py.Dataset) -> list[str]:
    """A dataset of strings."""
    return [str(plain(text)) for text in np.atleast_1d(item[()])]
