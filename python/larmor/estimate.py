"""A value with its error: the form of every number of the results that has one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .hdf5_values import Array
from .labels import with_error
from .html_table import table


@dataclass(frozen=True, repr=False, eq=False)
class Estimate:
    """A number, or an array of numbers, with its standard error; `value, error = estimate` unpacks it.

    value, error  numbers, or arrays of one shape, in `unit`; an error that is not known is NaN
    unit          empty for pure numbers and in reduced units
    name          name in the results; empty if it has none

    NumPy takes an estimate as its values: `np.log(estimate)`. `float(estimate)` is the value of a single number.
    """

    value: Any
    error: Any
    unit: str = ""
    name: str = ""

    def __iter__(self) -> Iterator[Any]:
        return iter((self.value, self.error))

    def __getitem__(self, index: Any) -> Any:
        """As the pair (value, error): `estimate[0]` is the value."""
        return (self.value, self.error)[index]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        values = np.asarray(self.value, dtype)
        return values.copy() if copy else values

    def __float__(self) -> float:
        if np.size(self.value) != 1:
            raise TypeError(f"{self.name or 'the estimate'} has {np.size(self.value)} numbers, not one; choose one "
                            "with at()")
        return float(np.reshape(self.value, -1)[0])

    def at(self, *index: Any) -> Estimate:
        """The part at an index, such as `average.at(0)` for the first point. Raises IndexError if there is none."""
        return Estimate(np.asarray(self.value)[index], np.asarray(self.error)[index], self.unit, self.name)

    def __str__(self) -> str:
        """"1.443(20) K" for one number; the range of the values for several."""
        values, errors = np.reshape(self.value, -1), np.reshape(self.error, -1)
        unit = f" {self.unit}" if self.unit else ""
        if len(values) == 1:
            return _number(values[0], errors[0]) + unit
        shape = " x ".join(map(str, np.shape(self.value)))
        known = np.flatnonzero(np.isfinite(values))
        if not len(known):
            return f"{shape} values, none known"
        if np.iscomplexobj(values):
            return f"{shape} complex values{unit}"
        low, high = (known[find(values[known])] for find in (np.argmin, np.argmax))
        return f"{shape} values, {_number(values[low], errors[low])} to {_number(values[high], errors[high])}{unit}"

    def __repr__(self) -> str:
        has_bar = np.size(self.value) != 1 or np.all(np.isfinite(self.error))
        head = " ".join(filter(None, (type(self).__name__, self.name)))
        return f"<{head}: {self}{'' if has_bar else ', no error bar'}>"

    def _repr_html_(self) -> str:
        values, errors = np.asarray(self.value), np.asarray(self.error)
        if values.ndim > 1:
            return table(["", "value"], [[self.name, str(self)]])
        unit = f" ({self.unit})" if self.unit else ""
        numbers = zip(np.atleast_1d(values), np.atleast_1d(errors))
        return table(["point", f"{self.name or 'value'}{unit}"],
                     [[str(point), _number(*number)] for point, number in enumerate(numbers)])


def _number(value: Any, error: Any) -> str:
    return str(value) if np.iscomplexobj(value) else with_error(float(value), float(error))
