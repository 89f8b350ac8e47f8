"""Reads the structure factor of a stage: S(q, w) = int dt exp(+i w t) S(q, t) for dynamics, S(q) at equal
times for a stage that samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from .hdf5_values import attributes, unit_of
from .wave_vectors import WaveVectors

COMPONENTS = ("xx", "yy", "zz")


class StructureFactor(WaveVectors):
    """Arrays are read from the file on access; a missing one raises NotInResults."""

    _what = "the structure factor"

    @property
    def intensity(self) -> np.ndarray:
        """[Q, F] S(q, w), summed over the components."""
        return self._dataset("intensity")[()]

    @property
    def error(self) -> np.ndarray:
        """[Q, F] standard error of the intensity."""
        return self._dataset("error")[()]

    @property
    def components(self) -> np.ndarray:
        """[Q, F, 3] the diagonal components xx, yy, zz."""
        return self._dataset("components")[()]

    @property
    def frequency(self) -> np.ndarray:
        """[F] angular frequencies in `frequency_unit`."""
        return self._dataset("frequency")[()]

    @property
    def frequency_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._dataset("frequency"))

    @property
    def time(self) -> np.ndarray:
        """[T] time lags of `intermediate`."""
        return self._dataset("time")[()]

    @property
    def intermediate(self) -> np.ndarray:
        """[Q, T] complex S(q, t)."""
        return self._complex("intermediate")

    @property
    def intermediate_error(self) -> np.ndarray:
        """[Q, T] standard error of the real part of S(q, t)."""
        return self._dataset("intermediate_error")[()]

    @property
    def static(self) -> np.ndarray:
        """[Q] S(q) at equal times, averaged over all samples; in real space from the first, S(q, t = 0).
        [P, Q] for a stage that samples, at each of P temperatures."""
        return self._dataset("static")[()]

    @property
    def static_error(self) -> np.ndarray:
        """Standard error of S(q)."""
        return self._dataset("static_error")[()]

    @property
    def temperature(self) -> np.ndarray:
        """[P] of a stage that samples, in `temperature_unit`."""
        return self._dataset("temperature")[()]

    @property
    def temperature_unit(self) -> str:
        """K; empty in reduced units, where it is k_B T."""
        return unit_of(self._dataset("temperature"))

    @property
    def autocorrelation_time(self) -> np.ndarray:
        """[P, Q] autocorrelation times of the sampled S(q), in samples; 1/2 for independent
        samples."""
        return self._dataset("autocorrelation_time")[()]

    @property
    def reliable(self) -> np.ndarray:
        """[P, Q] False if the error of a sampled S(q) is not reliable. Then it comes from too few
        samples. If it is an error over replicas (settings["errors"]), it comes from fewer than 20
        replicas."""
        return self._dataset("reliable")[()] != 0

    @property
    def samples(self) -> np.ndarray:
        """[P] number of samples over all replicas, of a stage that samples."""
        return self._dataset("samples")[()].astype(int)

    @property
    def tensor(self) -> np.ndarray:
        """[P, Q, 3, 3] complex S^ab(q) of a sampling stage with `components = true`."""
        return self._complex("tensor")

    @property
    def tensor_error(self) -> np.ndarray:
        """[P, Q, 3, 3] standard errors of the real and imaginary parts of the tensor, as complex
        numbers."""
        return self._complex("tensor_error")

    @property
    def settings(self) -> dict[str, Any]:
        """Settings by name: window, origins, every, method, connected, detailed_balance,
        normalisation, ..."""
        return attributes(self._group)

    def _complex(self, name: str) -> np.ndarray:
        parts = self._dataset(name)[()]
        return parts[..., 0] + 1j * parts[..., 1]

    def __repr__(self) -> str:
        extents = f"{self._group['q'].shape[0]} q" if "q" in self._group else "no q"
        if "frequency" in self._group:
            extents += f" x {self._group['frequency'].shape[0]} frequencies"
        if "temperature" in self._group:
            extents += f" x {self._group['temperature'].shape[0]} temperatures"
        path = "-".join(text for _, text in self.labels)
        return f"<StructureFactor: {extents}{', path ' + path if path else ''}>"
