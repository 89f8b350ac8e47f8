"""Arrays that users give."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import InputError


def unmasked(values: Any, key: str) -> npt.NDArray[Any]:
    """An array of these values. Raises InputError if an entry is masked, since the number below a mask means nothing.
    @param key path of the key or name of the array, for messages"""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        first = [int(index) + 1 for index in np.argwhere(np.ma.getmaskarray(values))[0]]
        raise InputError("the array has masked entries", key=".".join(map(str, [key, *first])).lstrip("."),
                         remedy="give numbers for them, for instance by array.filled(0), or leave them out by "
                                "array.compressed()")
    return np.asarray(values)
