"""Reads the structure factor of a stage: S(q, w) = int dt exp(+i w t) S(q, t) for dynamics, S(q) at equal
times for a stage that samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from .estimate import Estimate
from .hdf5_values import Array, attributes, complex_of, unit_of, values_of
from .tables import DataSet
from .wave_vectors import WaveVectors

COMPONENTS = ("xx", "yy", "zz")
# Names in a Dataset where those of the results do not tell their quantity.
_NAMES = {"error": "intensity_error"}


class StructureFactor(WaveVectors):
    """Arrays are read from the file on access; a missing one raises NotInResults."""

    _what = "the structure factor"

    @property
    def intensity(self) -> Array:
        """[Q, F] S(q, w), summed over the components."""
        return values_of(self._dataset("intensity"))

    @property
    def error(self) -> Array:
        """[Q, F] standard error of the intensity."""
        return values_of(self._dataset("error"))

    @property
    def estimate(self) -> Estimate:
        """[Q, F] S(q, w) and its error; for a stage that samples [P, Q] S(q). Unknown errors are NaN."""
        name, error = ("intensity", "error") if "intensity" in self else ("static", "static_error")
        dataset = self._dataset(name)
        value = values_of(dataset)
        errors = values_of(self._dataset(error)) if error in self else np.full(value.shape, np.nan)
        return Estimate(value, errors, unit_of(dataset), name)

    @property
    def components(self) -> Array:
        """[Q, F, 3] the diagonal components xx, yy, zz."""
        return values_of(self._dataset("components"))

    @property
    def frequency(self) -> Array:
        """[F] angular frequencies in `frequency_unit`."""
        return values_of(self._dataset("frequency"))

    @property
    def frequency_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._dataset("frequency"))

    @property
    def time(self) -> Array:
        """[T] time lags of `intermediate`, in `time_unit`."""
        return values_of(self._dataset("time"))

    @property
    def time_unit(self) -> str:
        """ps; empty in reduced units."""
        return unit_of(self._dataset("time"))

    @property
    def intermediate(self) -> Array:
        """[Q, T] complex S(q, t)."""
        return self._complex("intermediate")

    @property
    def intermediate_error(self) -> Array:
        """[Q, T] standard error of the real part of S(q, t)."""
        return values_of(self._dataset("intermediate_error"))

    @property
    def static(self) -> Array:
        """[Q] S(q) at equal times, averaged over all samples; in real space from the first, S(q, t = 0).
        [P, Q] for a stage that samples, at each of P temperatures."""
        return values_of(self._dataset("static"))

    @property
    def static_error(self) -> Array:
        """Standard error of S(q)."""
        return values_of(self._dataset("static_error"))

    @property
    def temperature(self) -> Array:
        """[P] of a stage that samples, in `temperature_unit`."""
        return values_of(self._dataset("temperature"))

    @property
    def temperature_unit(self) -> str:
        """K; empty in reduced units, where it is k_B T."""
        return unit_of(self._dataset("temperature"))

    @property
    def autocorrelation_time(self) -> Array:
        """[P, Q] autocorrelation times of the sampled S(q), in samples; 1/2 for independent
        samples."""
        return values_of(self._dataset("autocorrelation_time"))

    @property
    def reliable(self) -> Array:
        """[P, Q] False if the error of a sampled S(q) is not reliable. Then it comes from too few
        samples. If it is an error over replicas (settings["errors"]), it comes from fewer than 20
        replicas."""
        return np.asarray(values_of(self._dataset("reliable")) != 0)

    @property
    def samples(self) -> Array:
        """[P] number of samples over all replicas, of a stage that samples."""
        return values_of(self._dataset("samples")).astype(int)

    @property
    def tensor(self) -> Array:
        """[P, Q, 3, 3] complex S^ab(q) of a sampling stage with `components = true`."""
        return self._complex("tensor")

    @property
    def tensor_error(self) -> Array:
        """[P, Q, 3, 3] standard errors of the real and imaginary parts of the tensor, as complex
        numbers."""
        return self._complex("tensor_error")

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name: window, origins, every, method, connected, detailed_balance,
        normalisation, ..."""
        return attributes(self._group)

    def _complex(self, name: str) -> Array:
        return complex_of(self._dataset(name))

    def to_xarray(self) -> Any:
        """A Dataset with the axes q, frequency, time, temperature and component, as far as the stage has them, and with
        the errors. Coordinates of q are h, k, l, and path_distance and label of a path. Raises MissingPackage without
        xarray."""
        made = self.add_to(DataSet(**self.settings))
        for axis in ("frequency", "time", "temperature"):
            if axis in self:
                made.along(axis, axis, getattr(self, axis), getattr(self, f"{axis}_unit"))
        points = ["temperature"] if "temperature" in self else []
        for name, axes in (("intensity", ["q", "frequency"]), ("error", ["q", "frequency"]),
                           ("components", ["q", "frequency", "component"]), ("intermediate", ["q", "time"]),
                           ("intermediate_error", ["q", "time"]), ("static", [*points, "q"]),
                           ("static_error", [*points, "q"]), ("autocorrelation_time", [*points, "q"]),
                           ("reliable", [*points, "q"]), ("samples", points),
                           ("tensor", [*points, "q", "row", "column"]), ("tensor_error", [*points, "q", "row", "column"])):
            if name in self:
                made.add(_NAMES.get(name, name), axes, getattr(self, name), unit_of(self._dataset(name)))
        if "components" in self:
            made.along("component", "component", list(COMPONENTS))
        return made.made()

    def __repr__(self) -> str:
        extents = f"{self._group['q'].shape[0]} q" if "q" in self._group else "no q"
        if "frequency" in self._group:
            extents += f" x {self._group['frequency'].shape[0]} frequencies"
        if "temperature" in self._group:
            extents += f" x {self._group['temperature'].shape[0]} temperatures"
        path = "-".join(text for _, text in self.labels)
        return f"<StructureFactor: {extents}{', path ' + path if path else ''}>"
