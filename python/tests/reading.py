"""Reads everything that the package can read of a results file, and finds the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import larmor
import numpy as np

# Attributes by which HDF5 and NeXus join datasets with their axes, and units, which errors share with their values.
OF_AXES = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "NX_class", "signal", "axes", "unit"}
# Methods that read datasets, and their arguments.
CALLS = {
    (larmor.Fit, "errors"): lambda fit: fit.kinds,
    (larmor.Fit, "parity"): lambda fit: fit.kinds,
    (larmor.Scan, "binder_crossings"): lambda scan: scan.summary,
    (larmor.Scan, "stage_points"): lambda scan: scan.summary,
}


def unread(path: Path) -> set[str]:
    """Names of the datasets, and GROUP@NAME of the attributes, that no reader of the package has read."""
    read: set[str] = set()
    with larmor.open(path) as results, recorded(read):
        walk(results)
    stored: set[str] = set()

    def add(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            stored.add(item.name)
        stored.update(f"{item.name}@{key}" for key in item.attrs if key not in OF_AXES)

    with h5py.File(path) as file:
        add("/", file)
        file.visititems(add)
    return stored - read


@contextmanager
def recorded(read: set[str]) -> Iterator[None]:
    """Adds the name of each dataset and attribute whose values are read."""
    dataset, attribute = h5py.Dataset.__getitem__, h5py.AttributeManager.__getitem__

    def of_dataset(self: h5py.Dataset, *arguments: Any, **options: Any) -> Any:
        read.add(self.name)
        return dataset(self, *arguments, **options)

    def of_attribute(self: h5py.AttributeManager, name: str) -> Any:
        read.add(f"{h5py.h5i.get_name(self._id).decode()}@{name}")
        return attribute(self, name)

    h5py.Dataset.__getitem__, h5py.AttributeManager.__getitem__ = of_dataset, of_attribute
    try:
        yield
    finally:
        h5py.Dataset.__getitem__, h5py.AttributeManager.__getitem__ = dataset, attribute


def walk(value: Any) -> None:
    """Reads all public properties, fields and entries of a value, and of their values."""
    if isinstance(value, Mapping):
        for name in value:
            walk(value[name])
    elif isinstance(value, (list, tuple, larmor.Stages)):
        for entry in value:
            walk(entry)
    elif type(value).__module__.startswith("larmor."):
        for name in readers(value):
            try:
                found = getattr(value, name)
            except larmor.NotInResults:
                continue
            walk(found)
        for (kind, name), arguments in CALLS.items():
            if isinstance(value, kind):
                for argument in arguments(value):
                    walk(getattr(value, name)(argument))


def readers(value: Any) -> list[str]:
    """Names of the public properties and fields of a value. The group itself does not count."""
    names = [name for name in dir(type(value)) if isinstance(getattr(type(value), name), property)]
    fields = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    own = [name for name, entry in vars(value).items() if not isinstance(entry, (np.ndarray, h5py.Group))]
    return [name for name in {*names, *fields, *own} if not name.startswith("_") and name != "group"]
