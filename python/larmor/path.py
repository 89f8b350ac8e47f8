"""Minimum-energy paths."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import h5py
import numpy as np

from .estimate import Estimate
from .hdf5_values import Array, attributes, optional_values, unit_of, values_of
from .html_table import table
from .tables import data_frame


@dataclass(frozen=True, repr=False, eq=False)
class Path:
    """A minimum-energy path through M images of the system.

    coordinate, energy   [M] distance from the first image in `coordinate_unit` (rad for spins, Å for atoms),
                         total energy in `unit`;
    slope, force         [M] derivative of the energy along the path, and largest force across the path, in
                         `slope_unit`; None: not stored;
    curve_coordinate, curve_energy  [P] distance and energy between the images, by cubic interpolation;
    saddle               number of the image of highest energy, from 0;
    barrier_forward, barrier_backward  energy of the saddle minus that of the first and of the last image;
    converged            are the forces of the whole path, or at least at its saddle, within the tolerance?
    details              climbing_image, saddle_image, saddle_energy, ...
    """

    coordinate: Array
    energy: Array
    curve_coordinate: Array
    curve_energy: Array
    saddle: int
    barrier_forward: float
    barrier_backward: float
    unit: str
    converged: bool
    coordinate_unit: str = "rad"
    slope: Array | None = None
    force: Array | None = None
    slope_unit: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    def to_pandas(self) -> Any:
        """One row for each image. Raises MissingPackage without pandas."""
        columns: dict[str, Any] = {"coordinate": (self.coordinate, self.coordinate_unit), "energy": (self.energy, self.unit)}
        for name, numbers in (("slope", self.slope), ("force", self.force)):
            if numbers is not None:
                columns[name] = (numbers, self.slope_unit)
        return data_frame(columns)

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        of = "" if self.converged else "not converged, "
        return (f"<Path: {of}{len(self.energy)} images, barrier {self.barrier_forward:.6g}{unit} "
                f"forward, {self.barrier_backward:.6g}{unit} backward>")

    def _repr_html_(self) -> str:
        unit = f" ({self.unit})" if self.unit else ""
        return table(["images", f"barrier forward{unit}", f"barrier backward{unit}", "converged"],
                     [[str(len(self.energy)), f"{self.barrier_forward:.6g}", f"{self.barrier_backward:.6g}",
                       "yes" if self.converged else "no"]])


@dataclass(frozen=True, repr=False, eq=False)
class Saddle:
    """The refined saddle of a path of N atoms.

    frequency      [3N - 3] of the vibrations there, in THz; negative: imaginary
    lowest_mode    [N, 3] unit vector of the unstable vibration
    configuration  [N, 3] positions in Å
    details        energy, largest_force, steps, unstable_modes
    """

    frequency: Array
    lowest_mode: Array
    configuration: Array
    details: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Saddle: {len(self.configuration)} atoms, {self.details.get('unstable_modes')} unstable mode(s)>"


@dataclass(frozen=True, repr=False)
class LoopNumber(Estimate):
    """A number that describes a magnetisation loop, and its error, in `unit`; NaN: not known."""


def read_path(group: h5py.Group, converged: bool) -> Path:
    """Reads the group `path` of a stage."""
    curve, energy, coordinate = group["interpolation"], group["energy"], group["reaction_coordinate"]
    details = attributes(group)
    return Path(values_of(coordinate), values_of(energy), values_of(curve["reaction_coordinate"]),
                values_of(curve["energy"]), int(details["saddle_image"]),
                float(details.get("barrier_forward", np.nan)), float(details.get("barrier_backward", np.nan)),
                unit_of(energy), converged, unit_of(coordinate) or "rad", optional_values(group, "slope"),
                optional_values(group, "force"), unit_of(group["slope"]) if "slope" in group else "", details)


def read_saddle(group: h5py.Group) -> Saddle:
    """Reads the group `saddle` of a stage."""
    return Saddle(values_of(group["frequency"]), values_of(group["lowest_mode"]), values_of(group["configuration"]),
                  attributes(group))


def read_loop(group: h5py.Group) -> dict[str, LoopNumber]:
    """Reads the group `loop` of a stage."""
    return {name: LoopNumber(float(of["value"][0]), float(of["error"][0]), unit_of(of["value"]), name)
            for name, of in group.items()}
