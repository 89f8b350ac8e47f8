"""Reads one stage of a study and its measurements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import h5py
import numpy as np

from .atom_curves import AtomCurves, read_atom_curves
from .errors import not_in_results
from .hdf5_values import attributes, plain, unit_of
from .lifetimes import Lifetimes, read_lifetimes
from .overlap import Overlap, read_overlap
from .pair_correlations import PairCorrelations, PairCorrelationsInTime
from .spin_waves import DensityOfStates, SpinWaves
from .structure_factor import StructureFactor

Entry = TypeVar("Entry")

# The first structure factor of a stage has no number in its name, and each other one ends with its
# number.
_STRUCTURE_FACTOR = re.compile(r"structure-factor(-\d+)?")
_PAIR_CORRELATIONS = re.compile(r"pair-correlations(-\d+)?")


@dataclass(frozen=True, repr=False)
class Average:
    """An average at each point of a stage; `value, error = average` unpacks it.

    value, error          [P] mean and standard error, in `unit`; an error that is not known is NaN
    autocorrelation_time  [P] integrated, in samples; 1/2 for independent samples
    samples               [P] number of samples
    """

    name: str
    value: np.ndarray
    error: np.ndarray
    autocorrelation_time: np.ndarray | None
    samples: np.ndarray | None
    unit: str

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter((self.value, self.error))

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        if len(self.value) == 1:
            error = f" +- {self.error[0]:.2g}{unit}" if np.isfinite(self.error[0]) else (
                f"{unit}, no error bar")
            return f"<Average {self.name}: {self.value[0]:.6g}{error}>"
        return (f"<Average {self.name}: {len(self.value)} points, "
                f"{np.min(self.value):.4g} to {np.max(self.value):.4g}{unit}>")


@dataclass(frozen=True, repr=False)
class Series:
    """Samples in the order in which they were taken.

    value  [n, R] or [n, R, 3], R replicas, in `unit`
    step   [n] sweeps or time steps since the stage began, in Monte Carlo and hysteresis since its
           point began; thermalisation is not counted; None: not stored
    time   [n] in `time_unit`, or None if there is no time
    point  [n] index of the stage's point (temperature), or None
    """

    name: str
    value: np.ndarray
    step: np.ndarray | None
    time: np.ndarray | None
    point: np.ndarray | None
    unit: str
    time_unit: str

    def __repr__(self) -> str:
        return f"<Series {self.name}: {len(self.value)} samples of shape {self.value.shape[1:]}>"


@dataclass(frozen=True, repr=False)
class Trajectory:
    """Configurations along a stage.

    value  [n, k, N, 3] unit vectors of k replicas, canonical order of sites; positions for atoms. If replicas have
           unequal numbers of atoms: [n, atoms of these replicas, 3], see `Model.atoms_of`;
    step   [n] counted as in a Series, or None;
    time   [n] in `time_unit`, or None if there is no time; in Monte Carlo the number of sweeps at
           all temperatures so far, in hysteresis the number of the field;
    velocities  [n, k, N, 3] for atoms, else None;
    box    [n, k, 3, 3] vectors of the boxes for atoms, else None
    """

    value: np.ndarray
    step: np.ndarray | None
    time: np.ndarray | None
    time_unit: str
    velocities: np.ndarray | None = None
    box: np.ndarray | None = None

    def __repr__(self) -> str:
        frames, replicas, sites = self.value.shape[:3]
        if self.box is not None and self.value.ndim == 3:
            return f"<Trajectory: {frames} frames of {self.box.shape[1]} replicas, {replicas} atoms together>"
        return f"<Trajectory: {frames} frames of {replicas} replicas, {sites} sites>"


class LoopNumber(NamedTuple):
    """A number that describes a magnetisation loop, and its error, in `unit`; NaN: not known."""

    value: float
    error: float
    unit: str


@dataclass(frozen=True, repr=False)
class Path:
    """A minimum-energy path through M images of the system.

    coordinate, energy   [M] distance from the first image in `coordinate_unit` (rad for spins, Å for atoms),
                         total energy in `unit`;
    curve_coordinate, curve_energy  [P] distance and energy between the images, by cubic interpolation;
    saddle               number of the image of highest energy, from 0;
    barrier_forward, barrier_backward  energy of the saddle minus that of the first and of the last image;
    converged            are the forces of the whole path, or at least at its saddle, within the tolerance?
    """

    coordinate: np.ndarray
    energy: np.ndarray
    curve_coordinate: np.ndarray
    curve_energy: np.ndarray
    saddle: int
    barrier_forward: float
    barrier_backward: float
    unit: str
    converged: bool
    coordinate_unit: str = "rad"

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        of = "" if self.converged else "not converged, "
        return (f"<Path: {of}{len(self.energy)} images, barrier {self.barrier_forward:.6g}{unit} "
                f"forward, {self.barrier_backward:.6g}{unit} backward>")


class Parameter(NamedTuple):
    """Abscissa of averages: its name (temperature, field or kappa), values [P] and unit."""

    name: str
    values: np.ndarray
    unit: str


@dataclass(frozen=True, repr=False)
class Ladder:
    """Motion of replicas along R rungs of a tempering stage.

    name         name of the values: temperature, field, or a coupling such as kappa;
    values       [R] values of the rungs while samples were taken;
    acceptance, acceptance_error  [R - 1] accepted fraction of the exchanges between a rung and the next;
    flow, flow_error              [R] fraction of the replicas at a rung that visited the first rung more recently
                                  than the last rung;
    diffusivity  [R - 1] diffusion constant of replicas between a rung and the next, rungs^2 per sweep;
    stuck        [R - 1] do replicas seldom pass between a rung and the next?
    round_trips  [L] number of round trips of all replicas of each ladder;
    round_trip_time, round_trip_time_error  sweeps that a replica needs for one round trip; NaN if there was none;
    tried        [n, R] values before each round of tuning, or None

    If there is only one ladder, its errors are not known and are NaN.
    """

    name: str
    values: np.ndarray
    acceptance: np.ndarray
    acceptance_error: np.ndarray
    flow: np.ndarray
    flow_error: np.ndarray
    diffusivity: np.ndarray
    stuck: np.ndarray
    round_trips: np.ndarray
    round_trip_time: float
    round_trip_time_error: float
    tried: np.ndarray | None

    def __repr__(self) -> str:
        return (f"<Ladder: {len(self.values)} rungs, {self.round_trips.sum():.0f} round trips in "
                f"{len(self.round_trips)} ladder(s)>")


class Entries(Mapping[str, Entry]):
    """Read-only mapping from names to stored values, which are read on access. A missing name raises NotInResults."""

    def __init__(self, what: str, where: str, group: h5py.Group | None,
                 read: Callable[[str, h5py.Group], Entry]):
        self._what = what
        self._where = where
        self._group = group if group is not None else {}
        self._read = read

    def __getitem__(self, name: str) -> Entry:
        if name not in self._group:
            raise not_in_results(self._what, name, self._where, self._group)
        return self._read(name, self._group[name])

    def __contains__(self, name: object) -> bool:
        return name in self._group

    def __iter__(self) -> Iterator[str]:
        return iter(self._group)

    def __len__(self) -> int:
        return len(self._group)

    def __repr__(self) -> str:
        return f"<{self._what}: {', '.join(self) or 'none'}>"


def _optional(group: h5py.Group, name: str) -> np.ndarray | None:
    return np.atleast_1d(group[name][()]) if name in group else None


def _value_of(group: h5py.Group) -> h5py.Dataset:
    if "value" not in group:
        raise not_in_results("dataset", "value", group.name, group)
    return group["value"]


def _time_unit(group: h5py.Group) -> str:
    return unit_of(group["time"]) if "time" in group else ""


def _read_average(name: str, group: h5py.Group) -> Average:
    dataset = _value_of(group)
    value = np.atleast_1d(dataset[()]).astype(float)
    error = _optional(group, "error")
    return Average(name, value, np.full_like(value, np.nan) if error is None else error,
                   _optional(group, "autocorrelation_time"), _optional(group, "samples"),
                   unit_of(group) or unit_of(dataset))


def _read_series(name: str, group: h5py.Group) -> Series:
    dataset = _value_of(group)
    return Series(name, dataset[()], _optional(group, "step"), _optional(group, "time"),
                  _optional(group, "point"), unit_of(group) or unit_of(dataset),
                  _time_unit(group))


class Stage:
    """One stage: `averages`, `series`, `structure_factor`, `configuration`, `trajectory`."""

    def __init__(self, group: h5py.Group):
        self._group = group
        self.name: str = group.name.rsplit("/", 1)[-1]

    def _attribute(self, name: str, default: Any) -> Any:
        return plain(self._group.attrs.get(name, default))

    @property
    def number(self) -> int:
        """Number in the study, from 1."""
        return int(self.name.split("-", 1)[0])

    @property
    def kind(self) -> str:
        """monte-carlo, anneal, dynamics, ..."""
        return str(self._attribute("kind", self.name.split("-", 1)[-1]))

    @property
    def title(self) -> str:
        """Name that the user gave; empty if none was given."""
        return str(self._attribute("title", ""))

    @property
    def completed(self) -> bool:
        """False if the run stopped before the end of this stage."""
        return bool(self._attribute("completed", 0))

    @property
    def note(self) -> str:
        """Notes that the run made about this stage, one per line; empty: none."""
        return str(self._attribute("note", ""))

    @property
    def details(self) -> dict[str, Any]:
        """All attributes of the stage: wall_seconds, rate, rate_unit, ..."""
        return attributes(self._group)

    @property
    def group(self) -> h5py.Group:
        """The group of the stage in the results."""
        return self._group

    def _dataset(self, name: str) -> h5py.Dataset:
        if name not in self._group:
            raise not_in_results("dataset", name, f"stage {self.name}", self._group)
        return self._group[name]

    def __contains__(self, name: str) -> bool:
        """Does the stage hold the group or dataset `name` of the results format?"""
        return name in self._group

    @property
    def temperature(self) -> np.ndarray:
        """[P] temperatures of the points, in `temperature_unit`. Raises NotInResults if there are none."""
        return np.atleast_1d(self._dataset("temperature")[()])

    @property
    def temperature_unit(self) -> str:
        """K; empty in reduced units, where it is k_B T."""
        return unit_of(self._dataset("temperature"))

    @property
    def field(self) -> np.ndarray:
        """[P] in `field_unit`: the fields of a hysteresis stage in the order of the sweep, or those of the rungs of a
        tempering stage with a ladder of fields. Raises NotInResults if there are none."""
        return np.atleast_1d(self._dataset("field")[()])

    @property
    def field_unit(self) -> str:
        """T; empty in reduced units."""
        return unit_of(self._dataset("field"))

    @property
    def kappa(self) -> np.ndarray:
        """[P] hopping parameters kappa of the points, for phi^4 fields. Raises NotInResults if there are none."""
        return np.atleast_1d(self._dataset("kappa")[()])

    @property
    def parameter(self) -> Parameter:
        """Abscissa of averages: temperature, field or kappa. Raises NotInResults if they have none."""
        if "temperature" in self:
            return Parameter("temperature", self.temperature, self.temperature_unit)
        if self.kind == "tempering" and "field" in self:
            return Parameter("field", self.field, self.field_unit)
        return Parameter("kappa", self.kappa, "")

    @property
    def ladder(self) -> Ladder:
        """Ladder of a finished tempering stage. Raises NotInResults if there is none."""
        if "ladder" not in self._group:
            raise not_in_results("group", "ladder", f"stage {self.name}", self._group)
        group = self._group["ladder"]
        name = str(plain(group.attrs["of"]))
        return Ladder(name, np.atleast_1d(self._dataset(name)[()]),
                      *(group[of][()] for of in ("acceptance", "acceptance_error", "flow", "flow_error",
                                                 "diffusivity")),
                      group["stuck"][()] != 0, group["round_trips"][()],
                      float(group["round_trip_time"][0]), float(group["round_trip_time_error"][0]),
                      group["tried"][()] if "tried" in group else None)

    @property
    def population(self) -> dict[str, np.ndarray]:
        """[P] by name, at each temperature of a population-annealing stage: size, families, largest_family,
        mean_square_family_size, entropic_family_size, overlap. Raises NotInResults if there is none."""
        if "population" not in self._group:
            raise not_in_results("group", "population", f"stage {self.name}", self._group)
        return {name: values[()] for name, values in self._group["population"].items()}

    @property
    def overlap(self) -> Overlap:
        """Overlaps of copies. Raises NotInResults if the stage compared no copies."""
        if "overlap" not in self._group:
            raise not_in_results("group", "overlap", f"stage {self.name}", self._group)
        return read_overlap(self._group["overlap"])

    @property
    def loop(self) -> dict[str, LoopNumber]:
        """Numbers of a finished hysteresis stage: coercive_field, coercive_field_falling, coercive_field_rising,
        saturation_field, remanence and, if the volume is known, energy_product. Raises NotInResults if there are
        none."""
        if "loop" not in self._group:
            raise not_in_results("group", "loop", f"stage {self.name}", self._group)
        return {name: LoopNumber(float(of["value"][0]), float(of["error"][0]), unit_of(of["value"]))
                for name, of in self._group["loop"].items()}

    @property
    def path(self) -> Path:
        """Minimum-energy path. Raises NotInResults if the stage has none."""
        if "path" not in self._group:
            raise not_in_results("group", "path", f"stage {self.name}", self._group)
        group = self._group["path"]
        curve = group["interpolation"]
        return Path(group["reaction_coordinate"][()], group["energy"][()],
                    curve["reaction_coordinate"][()], curve["energy"][()],
                    int(group.attrs["saddle_image"]), float(group.attrs.get("barrier_forward", np.nan)),
                    float(group.attrs.get("barrier_backward", np.nan)), unit_of(group["energy"]),
                    any(bool(self._group.attrs.get(name, default))
                        for name, default in (("converged", 1), ("saddle_converged", 0))),
                    unit_of(group["reaction_coordinate"]) or "rad")

    @property
    def lifetimes(self) -> Lifetimes:
        """Lifetimes of both ends of a path. Raises NotInResults if there are none."""
        if "lifetime/temperature" not in self._group:
            raise not_in_results("group", "lifetime", f"stage {self.name}", self._group)
        return read_lifetimes(self._group["lifetime"])

    @property
    def averages(self) -> Entries[Average]:
        """Average by name: energy, magnetisation, specific_heat, susceptibility, ..."""
        return Entries("average", f"stage {self.name}", self._group.get("averages"), _read_average)

    @property
    def series(self) -> Entries[Series]:
        """Series by name: energy, magnetisation, ..."""
        return Entries("series", f"stage {self.name}", self._group.get("series"), _read_series)

    @property
    def structure_factor(self) -> StructureFactor:
        """The first structure factor. Raises NotInResults if the stage measured none."""
        if "structure-factor" not in self._group:
            raise not_in_results("group", "structure-factor", f"stage {self.name}", self._group)
        return self.structure_factors[0]

    @property
    def structure_factors(self) -> list[StructureFactor]:
        """All structure factors that the stage measured, in the order of the study's `measure`; empty: none."""
        return [StructureFactor(group, f"stage {self.name}")
                for group in self._numbered(_STRUCTURE_FACTOR)]

    def _numbered(self, name: re.Pattern[str]) -> list[h5py.Group]:
        names = sorted(filter(name.fullmatch, self._group), key=lambda found: (len(found), found))
        return [self._group[found] for found in names]

    @property
    def spin_waves(self) -> SpinWaves:
        """Spin waves of linear theory. Raises NotInResults if the stage computed none."""
        if "dispersion" not in self._group:
            raise not_in_results("group", "dispersion", f"stage {self.name}", self._group)
        return SpinWaves(self._group["dispersion"], f"stage {self.name}")

    @property
    def density_of_states(self) -> DensityOfStates:
        """Density of states of spin waves. Raises NotInResults if the stage computed none."""
        if "density-of-states" not in self._group:
            raise not_in_results("group", "density-of-states", f"stage {self.name}", self._group)
        group = self._group["density-of-states"]
        return DensityOfStates(group["frequency"][()], group["density"][()],
                               unit_of(group["frequency"]))

    @property
    def pair_correlations(self) -> PairCorrelations:
        """Correlations of a pair-correlations stage. Access to sums that it did not compute raises NotInResults."""
        return PairCorrelations(self._group, f"stage {self.name}")

    @property
    def pair_correlations_in_time(self) -> list[PairCorrelationsInTime]:
        """All correlations that a dynamics stage measured, in the order of the study's `measure`; empty: none."""
        return [PairCorrelationsInTime(group, f"stage {self.name}")
                for group in self._numbered(_PAIR_CORRELATIONS)]

    @property
    def atom_curves(self) -> list[AtomCurves]:
        """Radial distributions, displacements, velocities and vibrations of atoms, by name; empty: none."""
        return read_atom_curves(self._group)

    @property
    def configuration(self) -> np.ndarray:
        """[k, N, 3] final unit vectors of the first k replicas, in the canonical order of sites. Ising models have
        [k, N] spins 1 and -1, Potts models [k, N] states 0 to q - 1, atoms [k, N, 3] positions. If replicas have
        unequal numbers of atoms: [atoms of these replicas, 3], see `Model.atoms_of`."""
        return self._dataset("configuration")[()]

    @property
    def velocities(self) -> np.ndarray:
        """[k, N, 3] final velocities of the atoms of the first k replicas."""
        return self._dataset("velocities")[()]

    @property
    def box(self) -> np.ndarray:
        """[k, 3, 3] final boxes of the first k replicas of atoms; rows are the vectors."""
        return self._dataset("box")[()]

    @property
    def trajectory(self) -> Trajectory:
        """Configurations along the stage. Raises NotInResults if the stage wrote none."""
        if "trajectory" not in self._group:
            raise not_in_results("group", "trajectory", f"stage {self.name}", self._group)
        group = self._group["trajectory"]
        return Trajectory(_value_of(group)[()], _optional(group, "step"),
                          _optional(group, "time"), _time_unit(group),
                          _optional(group, "velocities"), _optional(group, "box"))

    def __repr__(self) -> str:
        holds = ", ".join(self._group) or "nothing yet"
        state = "" if self.completed else ", unfinished"
        return f"<Stage {self.name}{state}: {holds}>"
