"""Attributes and datasets as plain Python and numpy values."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np


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
    return {name: plain(value) for name, value in item.attrs.items()}


def unit_of(item: h5py.HLObject) -> str:
    """The `unit` attribute. It is empty for pure numbers and in reduced units."""
    return str(plain(item.attrs.get("unit", "")))


def text_of(item: h5py.Dataset) -> str:
    """A dataset that holds one string."""
    return str(plain(item[()]))


def texts_of(item: h5py.Dataset) -> list[str]:
    """A dataset of strings."""
    return [str(plain(text)) for text in np.atleast_1d(item[()])]
