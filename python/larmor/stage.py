"""Reads one stage of a study and its measurements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, NamedTuple

import h5py
import numpy as np

from .atom_curves import AtomCurves, read_atom_curves
from .errors import NotInResults, not_in_results
from .estimate import Estimate
from .hdf5_values import Array, attributes, plain, truths_of, unit_of, values_of
from .html_table import table
from .labels import with_error
from .ladder import Ladder, read_ladder
from .lattice_averages import (
    AxisCorrelations,
    ClusterSizes,
    SiteAverages,
    read_axis_correlations,
    read_cluster_sizes,
    read_site_averages,
)
from .lifetimes import Lifetimes, StationaryState, read_lifetimes, read_stationary_states
from .lowest_states import LowestState, LowestStates, read_lowest_state, read_lowest_states
from .model import Model
from .overlap import Overlap, read_overlap
from .pair_correlations import PairCorrelations, PairCorrelationsInTime
from .path import LoopNumber, Path, Saddle, read_loop, read_path, read_saddle
from .program import warn
from .quantities import Levels, Quantities, Sector, read_extrapolated, read_levels, read_quantities, read_sectors
from .samples import (
    COMPONENTS,
    Average,
    Entries,
    Series,
    Trajectory,
    configuration_axes,
    read_average,
    read_series,
    read_trajectory,
)
from .spin_waves import DensityOfStates, LongWaves, MagneticCell, SpinWaves, read_density_of_states, read_long_waves
from .structure_factor import StructureFactor
from .tables import DataSet, data_frame
from .transitions import Transitions, read_transitions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .panels import Panels

__all__ = ["Average", "Entries", "Ladder", "LoopNumber", "Parameter", "Path", "Series", "Stage", "Sweep", "Trajectory"]

# The first structure factor of a stage has no number in its name, and each other one ends with its
# number.
_STRUCTURE_FACTOR = re.compile(r"structure-factor(-\d+)?")
_PAIR_CORRELATIONS = re.compile(r"pair-correlations(-\d+)?")


class Parameter(NamedTuple):
    """Abscissa of averages: its name (temperature, field or kappa), values [P] and unit."""

    name: str
    values: Array
    unit: str


@dataclass(frozen=True, repr=False, eq=False)
class Sweep:
    """The fields of a hysteresis stage, in the order of the sweep.

    field      [P] in `unit`
    direction  [3] unit vector of the fields; zeros until the stage is done
    steps      [P] steps of the minimiser at each field
    converged  [P] booleans
    """

    field: Array
    direction: Array
    steps: Array
    converged: Array
    unit: str

    def __repr__(self) -> str:
        return f"<Sweep: {len(self.field)} fields, {np.sum(self.converged)} converged>"


class Stage:
    """One stage: `averages`, `series`, `structure_factor`, `configuration`, `trajectory`, ...

    A property whose data the stage does not have raises NotInResults.
    """

    def __init__(self, group: h5py.Group, path: FilePath | None = None):
        """@param path the file of the results, for the titles of pictures"""
        self._group = group
        self.file = path
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

    @property
    def model(self) -> Model:
        """The model of the study. Raises NotInResults if the file has none."""
        study = self._group.parent.parent
        if "model" not in study:
            raise not_in_results("group", "model", study.name, study)
        return Model.read(study["model"])

    @property
    def _where(self) -> str:
        return f"stage {self.name}"

    def _dataset(self, name: str) -> h5py.Dataset:
        if name not in self._group:
            raise not_in_results("dataset", name, self._where, self._group)
        return self._group[name]

    def _inner(self, name: str) -> h5py.Group:
        if name not in self._group:
            raise not_in_results("group", name.split("/", 1)[0], self._where, self._group)
        return self._group[name]

    def __contains__(self, name: str) -> bool:
        """Does the stage hold the group or dataset `name` of the results format?"""
        return name in self._group

    @property
    def temperature(self) -> Array:
        """[P] temperatures of the points, in `temperature_unit`. Raises NotInResults if there are none."""
        return np.atleast_1d(values_of(self._dataset("temperature")))

    @property
    def temperature_unit(self) -> str:
        """K; empty in reduced units, where it is k_B T."""
        return unit_of(self._dataset("temperature"))

    @property
    def field(self) -> Array:
        """[P] in `field_unit`: the fields of a hysteresis stage in the order of the sweep, or those of the rungs of a
        tempering stage with a ladder of fields. Raises NotInResults if there are none."""
        return np.atleast_1d(values_of(self._dataset("field")))

    @property
    def field_unit(self) -> str:
        """T; empty in reduced units."""
        return unit_of(self._dataset("field"))

    @property
    def kappa(self) -> Array:
        """[P] hopping parameters kappa of the points, for phi^4 fields. Raises NotInResults if there are none."""
        return np.atleast_1d(values_of(self._dataset("kappa")))

    @property
    def transverse_field(self) -> Array:
        """[T] transverse fields Gamma of the points of quantum Monte Carlo. Raises NotInResults if the stage has no
        list of them."""
        return values_of(self._dataset("Gamma"))

    @property
    def slices(self) -> Array:
        """[L] numbers of slices of quantum Monte Carlo; 0 for continuous time. Raises NotInResults elsewhere."""
        return values_of(self._dataset("slices")).astype(int)

    @property
    def imaginary_time(self) -> Array:
        """[K] imaginary times over beta, at which correlations were computed. Raises NotInResults if there are none."""
        return values_of(self._dataset("imaginary_time"))

    @property
    def exchange_acceptance(self) -> Array:
        """[L, T - 1] accepted fraction of exchanges between the points of quantum Monte Carlo. Raises NotInResults if
        there were none."""
        return values_of(self._dataset("exchange_acceptance"))

    @property
    def parameter(self) -> Parameter:
        """Abscissa of averages: temperature, field or kappa. Raises NotInResults if they have none."""
        if "temperature" in self:
            return Parameter("temperature", self.temperature, self.temperature_unit)
        if self.kind == "tempering" and "field" in self:
            return Parameter("field", self.field, self.field_unit)
        return Parameter("kappa", self.kappa, "")

    @property
    def abscissa(self) -> Parameter | None:
        """The points of `averages`: as `parameter`, or the fields of a hysteresis stage; None: there is one point."""
        if self.kind == "hysteresis":
            return Parameter("field", self.field, self.field_unit)
        try:
            return self.parameter
        except NotInResults:
            return None

    @property
    def ladder(self) -> Ladder:
        """Ladder of a finished tempering stage. Raises NotInResults if there is none."""
        group = self._inner("ladder")
        return read_ladder(group, self._dataset(str(plain(group.attrs["of"]))))

    @property
    def configuration_rung(self) -> Array:
        """[k] rung of each configuration of a tempering stage, from 0. Raises NotInResults if there are none."""
        return values_of(self._dataset("configuration_rung")).astype(int)

    @property
    def population(self) -> dict[str, Array]:
        """[P] by name, at each temperature of a population-annealing stage: size, families, largest_family,
        mean_square_family_size, entropic_family_size, overlap. Raises NotInResults if there is none."""
        return {name: values_of(values) for name, values in self._inner("population").items()}

    @property
    def overlap(self) -> Overlap:
        """Overlaps of copies. Raises NotInResults if the stage compared no copies."""
        return read_overlap(self._inner("overlap"))

    @property
    def lowest_state(self) -> LowestState:
        """The state of lowest energy of all replicas. Raises NotInResults if the stage kept none."""
        return read_lowest_state(self._inner("lowest-state"))

    @property
    def lowest_states(self) -> LowestStates:
        """For each disorder sample of a tempering stage, the state of lowest energy. Raises NotInResults if the stage
        kept none."""
        return read_lowest_states(self._inner("lowest-states"))

    @property
    def sites(self) -> SiteAverages:
        """Averages of every site. Raises NotInResults if the stage measured none."""
        return read_site_averages(self._inner("sites"))

    @property
    def axis_correlations(self) -> AxisCorrelations:
        """Correlations along the axes of a grid. Raises NotInResults if the stage measured none."""
        return read_axis_correlations(self._inner("axis-correlations"))

    @property
    def cluster_sizes(self) -> ClusterSizes:
        """Numbers of clusters by size. Raises NotInResults if the stage measured none."""
        return read_cluster_sizes(self._inner("cluster-sizes"))

    @property
    def quantities(self) -> Quantities:
        """Averages by name of a stage of kind transfer-matrix, spectrum, full-spectrum, typicality or
        quantum-monte-carlo; empty for other kinds, see `averages`."""
        return read_quantities(self._group, self.kind, self._where)

    @property
    def extrapolated(self) -> Quantities:
        """Averages of quantum Monte Carlo, extrapolated to infinitely many slices. Raises NotInResults if the stage has
        one number of slices."""
        return read_extrapolated(self._inner("extrapolated"), self.kind, self._where)

    @property
    def sectors(self) -> dict[str, Sector]:
        """Levels of a spectrum or of a transfer matrix, by sector; empty for other stages."""
        return read_sectors(self._group)

    @property
    def levels(self) -> Levels:
        """All levels of a stage of kind full-spectrum. Raises NotInResults for other stages."""
        self._dataset("level")
        return read_levels(self._group)

    @property
    def sweep(self) -> Sweep:
        """Fields of a hysteresis stage. Raises NotInResults for other stages."""
        field, steps, converged = (self._dataset(name) for name in ("field", "steps", "converged"))
        direction = values_of(self._group["direction"]) if "direction" in self else np.zeros(3)
        return Sweep(values_of(field), direction, values_of(steps).astype(int), truths_of(converged), unit_of(field))

    @property
    def loop(self) -> dict[str, LoopNumber]:
        """Numbers of a finished hysteresis stage: coercive_field, coercive_field_falling, coercive_field_rising,
        saturation_field, remanence and, if the volume is known, energy_product. Raises NotInResults if there are
        none."""
        return read_loop(self._inner("loop"))

    @property
    def path(self) -> Path:
        """Minimum-energy path. Raises NotInResults if the stage has none."""
        converged = any(bool(self._attribute(name, default))
                        for name, default in (("converged", 1), ("saddle_converged", 0)))
        return read_path(self._inner("path"), converged)

    @property
    def saddle(self) -> Saddle:
        """Refined saddle of a path of atoms. Raises NotInResults if the stage has none."""
        return read_saddle(self._inner("saddle"))

    @property
    def lifetimes(self) -> Lifetimes:
        """Lifetimes of both ends of a path. Raises NotInResults if there are none."""
        self._inner("lifetime/temperature")
        return read_lifetimes(self._group["lifetime"])

    @property
    def stationary_states(self) -> dict[str, StationaryState]:
        """The states first, saddle and last of a path with their eigenvalues or frequencies, which give the lifetimes.
        Raises NotInResults if no lifetimes were asked for."""
        return read_stationary_states(self._inner("lifetime"))

    @property
    def transitions(self) -> Transitions:
        """Trajectory from state to state of a finished stage `parsplice`. Raises NotInResults for other stages."""
        self._inner("rates")
        return read_transitions(self._group)

    @property
    def averages(self) -> Entries[Average]:
        """Average by name: energy, magnetisation, specific_heat, susceptibility, ..."""
        return Entries("average", self._where, self._group.get("averages"), read_average)

    @property
    def series(self) -> Entries[Series]:
        """Series by name: energy, magnetisation, ..."""
        return Entries("series", self._where, self._group.get("series"), read_series)

    @property
    def structure_factor(self) -> StructureFactor:
        """The first structure factor. Raises NotInResults if the stage measured none."""
        self._inner("structure-factor")
        return self.structure_factors[0]

    @property
    def structure_factors(self) -> list[StructureFactor]:
        """All structure factors that the stage measured, in the order of the study's `measure`; empty: none."""
        return [StructureFactor(group, self._where) for group in self._numbered(_STRUCTURE_FACTOR)]

    def _numbered(self, name: re.Pattern[str]) -> list[h5py.Group]:
        names = sorted(filter(name.fullmatch, self._group), key=lambda found: (len(found), found))
        return [self._group[found] for found in names]

    @property
    def spin_waves(self) -> SpinWaves:
        """Spin waves of linear theory. Raises NotInResults if the stage computed none."""
        return SpinWaves(self._inner("dispersion"), self._where)

    @property
    def magnetic_cell(self) -> MagneticCell:
        """Magnetic cell of the spin waves. Raises NotInResults if the stage computed none."""
        return MagneticCell.read(self._inner("magnetic-cell"))

    @property
    def long_waves(self) -> LongWaves:
        """Gap, stiffness and velocity of the spin waves of long wavelengths. Raises NotInResults if the stage computed
        no spin waves."""
        self._inner("magnetic-cell")
        return read_long_waves(self._group)

    @property
    def density_of_states(self) -> DensityOfStates:
        """Density of states of spin waves. Raises NotInResults if the stage computed none."""
        return read_density_of_states(self._inner("density-of-states"))

    @property
    def pair_correlations(self) -> PairCorrelations:
        """Correlations of a pair-correlations stage. Access to sums that it did not compute raises NotInResults."""
        return PairCorrelations(self._group, self._where)

    @property
    def pair_correlations_in_time(self) -> list[PairCorrelationsInTime]:
        """All correlations that a dynamics stage measured, in the order of the study's `measure`; empty: none."""
        return [PairCorrelationsInTime(group, self._where) for group in self._numbered(_PAIR_CORRELATIONS)]

    @property
    def atom_curves(self) -> list[AtomCurves]:
        """Mean squared displacements, vibrations, radial distributions and velocities of atoms, in this order; empty:
        none."""
        return read_atom_curves(self._group)

    @property
    def configuration(self) -> Array:
        """[k, N, 3] final unit vectors of the first k replicas, in the canonical order of sites. Ising models have
        [k, N] spins 1 and -1, Potts models [k, N] states 0 to q - 1, atoms [k, N, 3] positions. If replicas have
        unequal numbers of atoms: [atoms of these replicas, 3], see `Model.atoms_of`."""
        return values_of(self._dataset("configuration"))

    @property
    def velocities(self) -> Array:
        """[k, N, 3] final velocities of the atoms of the first k replicas, in Å/ps."""
        return values_of(self._dataset("velocities"))

    @property
    def box(self) -> Array:
        """[k, 3, 3] final boxes of the first k replicas of atoms, in Å; rows are the vectors."""
        return values_of(self._dataset("box"))

    @property
    def trajectory(self) -> Trajectory:
        """Configurations along the stage. Raises NotInResults if the stage wrote none."""
        return read_trajectory(self._inner("trajectory"))

    def to_pandas(self) -> Any:
        """A DataFrame with one row for each point: its temperature, field or kappa, and each average with its error.

        A stage that computes instead of sampling has one row for each disorder sample and temperature. A path has one
        row for each image, and a stage `parsplice` one for each state. Units are in `frame.attrs["units"]`. A stage that
        is not done gives a LarmorWarning, and `frame.attrs["completed"]` is False. Raises NotInResults if the stage has
        no such numbers, and MissingPackage without pandas.
        """
        columns = {} if "path" in self or "rates" in self else self.columns()
        if "path" in self:
            frame = self.path.to_pandas()
        elif "rates" in self:
            frame = self.transitions.to_pandas()
        elif columns:
            frame = data_frame(columns)
        else:
            raise not_in_results("dataset", "averages", f"{self._where}, which to_xarray() may read", self._group)
        frame.attrs["completed"] = self._is_complete()
        return frame

    def _is_complete(self) -> bool:
        """`completed`; if it is False, a LarmorWarning tells it."""
        if not self.completed:
            warn(f"stage {self.name} is unfinished; its numbers are those so far")
        return self.completed

    @property
    def has_table(self) -> bool:
        """Can `to_pandas` make a table of this stage?"""
        return "path" in self or "rates" in self or bool(self.columns())

    def columns(self) -> dict[str, Any]:
        """Columns of the table of averages, by name: the abscissa as (values, unit), and estimates. Empty: none."""
        if self.quantities:
            return self.quantities.columns()
        averages: dict[str, Any] = dict(self.averages.items())
        abscissa = self.abscissa
        if not averages or abscissa is None:
            return averages
        return {abscissa.name: (abscissa.values, abscissa.unit), **averages}

    def to_xarray(self) -> Any:
        """A Dataset of xarray with averages, averages of sites, and the final configuration.

        Structure factors, spin waves, pair correlations, series and trajectories have a `to_xarray()` of their own. A
        stage that is not done gives a LarmorWarning, and its attribute `completed` is 0.
        Raises MissingPackage without xarray.
        """
        details = {"stage": self.name, "completed": int(self._is_complete())}
        details |= {"title": self.title} if self.title else {}
        if self.quantities:
            return self.quantities.to_xarray(**details)
        made = DataSet(**details)
        abscissa = self.abscissa
        axis = "point" if abscissa is None else abscissa.name
        self._add_averages(made, axis)
        if "sites" in self:
            for name, axes, numbers, unit in (("site_energy", ["site"], self.sites.energy, self.sites.energy_unit),
                                              ("site_spins", ["site", "component"], self.sites.spins,
                                               self.sites.spin_unit)):
                if numbers is not None:
                    made.add(name, [axis, *axes], numbers, unit)
        self._add_configurations(made)
        return made.made()

    def _add_averages(self, made: DataSet, axis: str) -> None:
        abscissa = self.abscissa
        for name, average in self.averages.items():
            made.add(name, [axis], average)
        if abscissa is not None:
            made.along(axis, axis, abscissa.values, abscissa.unit)

    def _add_configurations(self, made: DataSet) -> None:
        if "configuration" not in self:
            return
        numbers = self.configuration
        length = "Å" if "box" in self else ""
        axes = configuration_axes(numbers.ndim, "box" in self and numbers.ndim == 2)
        made.add("configuration", axes, numbers, length)
        if numbers.shape[-1] == len(COMPONENTS) and axes[-1] == "component":
            made.along("component", "component", list(COMPONENTS))
        if "velocities" in self:
            made.add("velocities", axes, self.velocities, "Å/ps")
        if "box" in self:
            made.add("box", ["replica", "vector", "component"], self.box, length)

    def to_ase(self, replica: int | None = None, *, trajectory: bool = False) -> list[Any]:
        """Atoms of ASE, one for each stored replica; with `trajectory`, one for each frame of one replica.

        Atoms have positions, cell, pbc, and velocities in the units of ASE. Spins have the positions of their sites,
        and magnetic moments in Bohr magnetons; vacancies are left out. Images of a path count as replicas.
        @param replica number from 0; None: all, and 0 for a trajectory
        Raises NotInResults if there are no configurations, and MissingPackage without ASE.
        """
        from .ase_atoms import final_atoms, frames

        if trajectory:
            return frames(self, replica or 0)
        atoms = final_atoms(self)
        return atoms if replica is None else [atoms[replica]]

    def plot(self, what: str | None = None, ax: Axes | None = None) -> Panels:
        """Draws pictures of the stage with matplotlib, and returns their axes. A notebook shows them.

        @param what one picture of `larmor plot --what`, or the name of an average or series; None: all
               pictures that suit the stage
        @param ax where to draw one picture, or one average or series. Several panels take the place of `ax`
        Raises NothingToDraw if the stage lacks the data.
        """
        from .panels import plot_stage

        return plot_stage(self, what, ax)

    def __repr__(self) -> str:
        holds = ", ".join(self._group) or "nothing yet"
        state = "" if self.completed else ", unfinished"
        return f"<Stage {self.name}{state}: {holds}>"

    def _repr_html_(self) -> str:
        caption = f"Stage {self.name}{'' if self.completed else ' (unfinished)'}"
        columns = self.columns()
        if not columns:
            return table(["holds"], [[name] for name in self._group], caption)
        header = [f"{name} ({unit})" if unit else name for name, unit in
                  ((name, column.unit if isinstance(column, Estimate) else column[1])
                   for name, column in columns.items())]
        return table(header, _cells(list(columns.values())), caption)


def _cells(columns: list[Any]) -> list[list[str]]:
    """Rows of texts. A column of texts has as many rows as its values."""
    texts = [[with_error(float(value), float(error)) for value, error in zip(*map(np.ravel, column))]
             if isinstance(column, Estimate) else [f"{value:.6g}" for value in np.ravel(column[0])]
             for column in columns]
    return [list(row) for row in zip(*texts)]
