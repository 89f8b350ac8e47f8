"""Linear spin-wave theory of a stage: frequencies and intensities at its wave vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import h5py
import numpy as np

from .hdf5_values import Array, attributes, complex_of, optional_values, plain, unit_of, values_of
from .structure_factor import StructureFactor
from .tables import DataSet
from .wave_vectors import WaveVectors

# Wave vectors, or points of a path, count as equal if they differ by less than this, in
# reciprocal-lattice units.
_SAME = 1e-6


@dataclass(frozen=True, repr=False, eq=False)
class MagneticCell:
    """The cell of n spins that spin waves repeat.

    vectors  [3, 3] rows are its vectors, in cells of the crystal
    sites    [n] canonical indices of its spins
    spins    [n, 3] unit vectors of its spins
    """

    vectors: Array
    sites: Array
    spins: Array

    @classmethod
    def read(cls, group: h5py.Group) -> MagneticCell:
        """Reads the group `magnetic-cell` of a stage."""
        return cls(values_of(group["vectors"]), values_of(group["sites"]).astype(int), values_of(group["spins"]))

    def __repr__(self) -> str:
        return f"<MagneticCell: {len(self.sites)} spins>"


@dataclass(frozen=True, repr=False, eq=False)
class LongWaves:
    """Spin waves of long wavelengths.

    gap        lowest energy of a spin wave; NaN: not computed
    stiffness  [3] D of w = D k^2 along x, y and z, in `stiffness_unit`; NaN: the branch has none; None: none has one
    velocity   [3] c of w = c k along x, y and z, in `velocity_unit`; NaN and None as for the stiffness
    """

    gap: float
    stiffness: Array | None
    stiffness_unit: str
    velocity: Array | None
    velocity_unit: str

    def __repr__(self) -> str:
        return f"<LongWaves: gap {self.gap:.6g}>"


@dataclass(frozen=True, repr=False, eq=False)
class DensityOfStates:
    """density [F] of modes per spin, with int dw g(w) = 1, at the angular frequencies [F] in `unit`."""

    frequency: Array
    density: Array
    unit: str
    details: dict[str, Any] = field(default_factory=dict)

    def to_xarray(self) -> Any:
        """A Dataset with the axis frequency. Raises MissingPackage without xarray."""
        made = DataSet(**self.details).along("frequency", "frequency", self.frequency, self.unit)
        return made.add("density", ["frequency"], self.density).made()

    def __repr__(self) -> str:
        return f"<DensityOfStates: {len(self.frequency)} frequencies>"


class SpinWaves(WaveVectors):
    """Spin waves at Q wave vectors, with n modes each, one per spin of the magnetic cell. Arrays are read on access; a
    missing one raises NotInResults."""

    _what = "the spin waves"

    @property
    def frequency(self) -> Array:
        """[Q, n] angular frequencies w_n(q) in `frequency_unit`, in rising order."""
        return values_of(self._dataset("frequency"))

    @property
    def mirror_frequency(self) -> Array:
        """[Q, n] w_n(-q). S(q, w) also has lines at -w_n(-q)."""
        return values_of(self._dataset("mirror_frequency"))

    @property
    def intensity(self) -> Array:
        """[Q, n] int dw / (2 pi) S(q, w) of the lines at w_n(q); NaN if the intensity is not
        known."""
        return values_of(self._dataset("intensity"))

    @property
    def mirror_intensity(self) -> Array:
        """[Q, n] int dw / (2 pi) S(q, w) of the lines at -w_n(-q)."""
        return values_of(self._dataset("mirror_intensity"))

    @property
    def amplitude(self) -> Array:
        """[Q, n, 3] complex vectors f. The component S^ab of a line is f_a conj(f_b)."""
        return complex_of(self._dataset("amplitude"))

    @property
    def mirror_amplitude(self) -> Array:
        """[Q, n, 3] complex vectors f of the lines at -w_n(-q)."""
        return complex_of(self._dataset("mirror_amplitude"))

    @property
    def growth(self) -> Array | None:
        """[Q, n] growth rates of deviations; None if the state is a minimum."""
        return optional_values(self._group, "growth")

    @property
    def frequency_unit(self) -> str:
        """Empty in reduced units."""
        return unit_of(self._dataset("frequency"))

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of the calculation, such as normalisation."""
        return attributes(self._group)

    def to_xarray(self) -> Any:
        """A Dataset with the axes q, mode and component: frequencies, intensities and amplitudes. Coordinates of q are
        h, k, l, and path_distance and label of a path. Raises MissingPackage without xarray."""
        made = self.add_to(DataSet(**self.settings)).along("component", "component", ["x", "y", "z"])
        for prefix in ("", "mirror_"):
            made.add(f"{prefix}frequency", ["q", "mode"], getattr(self, f"{prefix}frequency"), self.frequency_unit)
            made.add(f"{prefix}intensity", ["q", "mode"], getattr(self, f"{prefix}intensity"))
            made.add(f"{prefix}amplitude", ["q", "mode", "component"], getattr(self, f"{prefix}amplitude"))
        if self.growth is not None:
            made.add("growth", ["q", "mode"], self.growth, self.frequency_unit)
        return made.made()

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


def read_density_of_states(group: h5py.Group) -> DensityOfStates:
    """Reads the group `density-of-states` of a stage."""
    return DensityOfStates(values_of(group["frequency"]), values_of(group["density"]), unit_of(group["frequency"]),
                           attributes(group))


def read_long_waves(stage: h5py.Group) -> LongWaves:
    """Reads the numbers of long waves of a stage."""

    def numbers(name: str) -> tuple[Array | None, str]:
        return optional_values(stage, name), unit_of(stage[name]) if name in stage else ""

    return LongWaves(float(plain(stage.attrs.get("gap", np.nan))), *numbers("stiffness"), *numbers("velocity"))
