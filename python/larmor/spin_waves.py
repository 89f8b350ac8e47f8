"""Linear spin-wave theory of a stage: frequencies and intensities at its wave vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .hdf5_values import attributes, unit_of
from .structure_factor import StructureFactor
from .wave_vectors import WaveVectors

# Wave vectors, or points of a path, count as equal if they differ by less than this, in
# reciprocal-lattice units.
_SAME = 1e-6


@dataclass(frozen=True, repr=False)
class DensityOfStates:
    """density [F] of modes per spin, with int dw g(w) = 1, at the angular frequencies [F] in `unit`."""

    frequency: np.ndarray
    density: np.ndarray
    unit: str

    def __repr__(self) -> str:
        return f"<DensityOfStates: {len(self.frequency)} frequencies>"


class SpinWaves(WaveVectors):
    """Spin waves at Q wave vectors, with n modes each, one per spin of the magnetic cell. Arrays are read on access; a
    missing one raises NotInResults."""

    _what = "the spin waves"

    @property
    def frequency(self) -> np.ndarray:
        """[Q, n] angular frequencies w_n(q) in `frequency_unit`, in rising order."""
        return self._dataset("frequency")[()]

    @property
    def mirror_frequency(self) -> np.ndarray:
        """[Q, n] w_n(-q). S(q, w) also has lines at -w_n(-q)."""
        return self._dataset("mirror_frequency")[()]

    @property
    def intensity(self) -> np.ndarray:
        """[Q, n] int dw / (2 pi) S(q, w) of the lines at w_n(q); NaN if the intensity is not
        known."""
        return self._dataset("intensity")[()]

    @property
    def mirror_intensity(self) -> np.ndarray:
        """[Q, n] int dw / (2 pi) S(q, w) of the lines at -w_n(-q)."""
        return self._dataset("mirror_intensity")[()]

    @property
    def amplitude(self) -> np.ndarray:
        """[Q, n, 3] complex vectors f. The component S^ab of a line is f_a conj(f_b)."""
        parts = self._dataset("amplitude")[()]
        return parts[..., 0] + 1j * parts[..., 1]

    @property
    def growth(self) -> np.ndarray | None:
        """[Q, n] growth rates of deviations; None if the state is a minimum."""
        return self._group["growth"][()] if "growth" in self._group else None

    @property
    def frequency_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._dataset("frequency"))

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of the calculation, such as normalisation."""
        return attributes(self._group)

    def follows(self, factor: StructureFactor) -> bool:
        """Are these the wave vectors of a structure factor, or do they at least lie on the path of
        one?"""
        if self.q.shape == factor.q.shape:
            return bool(np.allclose(self.q, factor.q, atol=_SAME))
        ours, theirs = self.labels, factor.labels
        if len(ours) < 2 or [text for _, text in ours] != [text for _, text in theirs]:
            return False
        return all(np.allclose(self.q[i], factor.q[j], atol=_SAME)
                   for (i, _), (j, _) in zip(ours, theirs))

    def __repr__(self) -> str:
        modes = "x".join(str(extent) for extent in self.frequency.shape)
        path = "-".join(text for _, text in self.labels)
        return f"<SpinWaves: {modes} (q, mode){', path ' + path if path else ''}>"
