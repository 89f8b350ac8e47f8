"""Reads a results file, the HDF5 file that a run writes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import h5py

from .errors import (
    CannotRead,
    DamagedResults,
    InputError,
    NotInResults,
    PictureExists,
    ResultsError,
    not_in_results,
    reported_as_damage,
)
from .fit_results import Fit
from .hdf5_values import attributes, plain, text_of, texts_of, values_of
from .html_table import table
from .model import Model
from .options import of_python
from .results_handle import ReadOnlyFile
from .reweighted import Reweighted
from .scan import Scan
from .stage import Stage
from .tables import package

if TYPE_CHECKING:
    from .panels import Panels

FORMAT = "larmor-results"
FORMAT_VERSION = 11


def open_results(path: str | os.PathLike[str]) -> Results:
    """Opens a results file for reading, also during a run (its last complete state).

    Raises FileNotFoundError if there is no file, and ResultsError if it is too new or not a results file. Raises
    DamagedResults, a ResultsError, if it is damaged, and MachineError if the machine fails to read it.
    """
    return Results(path)


def require_file(path: Path) -> None:
    """Checks the path of a file. Raises FileNotFoundError if it is not a file, CannotRead if the
    machine fails to read it."""
    if path.is_dir():
        raise FileNotFoundError(f"{path}: a folder, not a file")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    try:
        path.open("rb").close()
    except OSError as error:
        raise CannotRead(f"{path}: cannot be read ({error.strerror})") from error


class Stages(Sequence[Stage]):
    """The stages in order. A key is an index from 0, a name ("02-dynamics"), or a kind that occurs once.

    Raises NotInResults for another name, and for a kind of several stages.
    """

    def __init__(self, stages: list[Stage]):
        self._stages = stages

    def __getitem__(self, key: int | str) -> Stage:  # type: ignore[override]
        if not isinstance(key, str):
            return self._stages[key]
        named = [stage for stage in self._stages if key in (stage.name, stage.kind)]
        if len(named) == 1:
            return named[0]
        if named:
            raise not_in_results("single stage of kind", key, "the results",
                                 [stage.name for stage in self._stages])
        raise not_in_results("stage", key, "the results", [stage.name for stage in self._stages])

    def __iter__(self) -> Iterator[Stage]:
        return iter(self._stages)

    def __len__(self) -> int:
        return len(self._stages)

    def __repr__(self) -> str:
        return f"<Stages: {', '.join(stage.name for stage in self._stages) or 'none'}>"

    def _repr_html_(self) -> str:
        return table(["stage", "title", "completed", "holds"],
                     [[stage.name, stage.title, "yes" if stage.completed else "no", ", ".join(stage.group)]
                      for stage in self._stages])


class Point:
    """One point of a scan: a separate study with `stages`, `model`, `provenance`, ..."""

    def __init__(self, group: h5py.Group, path: Path):
        self._group = group
        self.path = path

    @property
    def title(self) -> str:
        """The study's title."""
        return str(plain(self._group.attrs.get("title", "")))

    @property
    def units(self) -> str:
        """"reduced" (k_B = hbar = gamma = mu_B = 1) or "material" (eV, angstrom, ps, K, T)."""
        return str(plain(self._group.attrs.get("units", "reduced")))

    @property
    def study(self) -> str:
        """The study that the run read, TOML. For a point, this is the equivalent study without a
        scan."""
        return self._study_text("text")

    @property
    def completed_study(self) -> str:
        """The study with every default written out, TOML."""
        return self._study_text("completed")

    @property
    def study_files(self) -> dict[str, int]:
        """Checksums (CRC-64) of the files that the study reads, by path; empty: none."""
        group = self._group.get("study", {})
        if "files" not in group:
            return {}
        return dict(zip(texts_of(group["files"]), map(int, values_of(group["file_checksums"]))))

    @property
    def details(self) -> dict[str, Any]:
        """All attributes of the file or point: format, format_version, title, units, completed, ..."""
        return attributes(self._group)

    @property
    def study_place(self) -> dict[str, Any]:
        """file and folder of the study, as the run read it."""
        return attributes(self._group["study"]) if "study" in self._group else {}

    def _study_text(self, name: str) -> str:
        group = self._group.get("study", {})
        if name not in group:
            raise not_in_results("dataset", name, "/study", group)
        return text_of(group[name])

    @property
    def provenance(self) -> dict[str, Any]:
        """seed, started, finished (once complete); `legs` describes programs and machines."""
        return attributes(self._group["provenance"]) if "provenance" in self._group else {}

    @property
    def legs(self) -> list[dict[str, Any]]:
        """The runs that made these results: the first, and one for each resume.

        Keys: version, commit, build, command, device, backend, precision, instruction_set, gpu,
        jit_kernels, contraction, threads, ranks, started, ended (if known).
        """
        groups = self._group.get("provenance/legs")
        if groups is None:
            return [self.provenance] if self.provenance else []
        return [attributes(groups[name]) for name in sorted(groups)]

    @property
    def is_reweighted(self) -> bool:
        """Are these curves of `larmor reweight`?"""
        return "reweighted" in self._group

    @property
    def model(self) -> Model:
        """Sites, moments, cell. Raises NotInResults if the file has no model."""
        if "model" not in self._group:
            raise not_in_results("group", "model", str(self.path), self._group)
        return Model.read(self._group["model"])

    @property
    def stages(self) -> Stages:
        """The stages that have begun, in order."""
        groups = self._group.get("stages", {})
        return Stages(sorted((Stage(groups[name], self.path) for name in groups), key=lambda s: s.number))

    def to_pandas(self, stage: str | int | None = None) -> Any:
        """A DataFrame of the averages: one row for each point of each stage that has averages, with the stage first. If
        no stage has averages, it is that of the last stage which has another table, such as a path.

        @param stage key of one stage as in `stages`, whose table this then is; None: all
        Raises NotInResults if there are no averages, and MissingPackage without pandas.
        """
        if stage is not None:
            return self.stages[stage].to_pandas()
        pandas = package("pandas", "to_pandas()")
        frames, units, completed = [], {}, True
        averaged = [each for each in self.stages if each.columns()]
        for each in averaged or [each for each in self.stages if each.has_table][-1:]:
            frame = each.to_pandas()
            units.update(frame.attrs["units"])
            completed = completed and frame.attrs["completed"]
            frame.insert(0, "stage", each.name)
            frames.append(frame)
        if not frames:
            raise not_in_results("stage with", "averages", str(self.path), [each.name for each in self.stages])
        joined = frames[0] if len(frames) == 1 else pandas.concat(frames, ignore_index=True)
        joined.attrs = {"units": units, "completed": completed}
        return joined

    @overload
    def to_xarray(self, stage: None = None) -> dict[str, Any]: ...

    @overload
    def to_xarray(self, stage: str | int) -> Any: ...

    def to_xarray(self, stage: str | int | None = None) -> Any:
        """A dictionary with the Dataset of each stage by its name, see `Stage.to_xarray`. The Dataset of a single stage if
        `stage` names one. `xarray.DataTree.from_dict` makes a tree of the dictionary.

        @param stage a stage as in `stages`; None: all
        Raises NotInResults if there is no stage, and MissingPackage without xarray.
        """
        if stage is not None:
            return self.stages[stage].to_xarray()
        if not self.stages:
            raise NotInResults(f"{self.path} has no stage")
        return {each.name: each.to_xarray() for each in self.stages}


class Results(Point):
    """An open results file; also a context manager. A scan has its results in `scan` and `points`."""

    def __init__(self, path: str | os.PathLike[str]):
        path = Path(path)
        require_file(path)
        try:
            self._handle = ReadOnlyFile(path)
        except OSError as error:
            if not h5py.is_hdf5(path):
                raise ResultsError(f"{path}: not an HDF5 file") from error
            raise DamagedResults(f"{path}: a damaged HDF5 file, or one that is cut short; restore a copy, or run "
                                 "the study again") from error
        self._file = self._handle.group
        super().__init__(self._file, path)
        try:
            with reported_as_damage(str(path)):
                self._check_format()
        except Exception:
            self.close()
            raise

    def _check_format(self) -> None:
        known = plain(self._file.attrs.get("format", ""))
        if not isinstance(known, str) or known != FORMAT:
            raise ResultsError(f"{self.path}: an HDF5 file, but not results of Larmor")
        version = plain(self._file.attrs.get("format_version", 0))
        if version > FORMAT_VERSION:
            raise ResultsError(f"{self.path}: written in format {version}, newer than the format "
                               f"{FORMAT_VERSION} that this package reads; update the package")

    @property
    def scan(self) -> Scan:
        """The scan. Raises NotInResults if the file has none."""
        if not self.is_scan:
            raise not_in_results("group", "scan", str(self.path), self._file)
        return Scan(self._file["scan"])

    @property
    def reweighted(self) -> Reweighted:
        """Curves of `larmor reweight`. Raises NotInResults for other files."""
        if not self.is_reweighted:
            raise not_in_results("group", "reweighted", str(self.path), self._file)
        return Reweighted(self._file["reweighted"])

    @property
    def is_fit(self) -> bool:
        """Are these the results of `larmor fit`?"""
        return "fit" in self._file

    @property
    def fit(self) -> Fit:
        """The fit of `larmor fit`. Raises NotInResults for other files."""
        if not self.is_fit:
            raise not_in_results("group", "fit", str(self.path), self._file)
        return Fit(self._file["fit"])

    @property
    def is_scan(self) -> bool:
        """Are these the results of a scan?"""
        return "scan" in self._file

    def point(self, number: int) -> Point:
        """A point of a scan, by its number from 0. Raises NotInResults if it is not done or does not exist."""
        points = self.points
        if number not in points:
            raise not_in_results("point", number, "the results", map(str, points))
        return points[number]

    @property
    def points(self) -> dict[int, Point]:
        """The finished points of a scan, by number from 0."""
        groups = self._file.get("points", {})
        return {int(name): Point(groups[name], self.path) for name in sorted(groups, key=int)}

    def report(self, path: str | os.PathLike[str] | None = None, force: bool = False) -> Path:
        """Writes one HTML page with pictures, numbers, doubts and references, and returns its path.

        @param path the page; None: next to the results, with the ending -report.html
        @param force replaces an earlier report
        Raises InputError if the file exists, unless `force` is set, and if it is not a report. Raises MachineError if
        the machine fails to write it.
        """
        from .report import write_report

        try:
            return write_report(self, None if path is None else Path(path), force)
        except PictureExists as error:
            raise InputError(of_python(str(error))) from error

    def close(self) -> None:
        """Closes the file. Arrays that were read before stay valid."""
        self._handle.close()

    def to_pandas(self, stage: str | int | None = None) -> Any:
        """A DataFrame of the averages. Units are in `frame.attrs["units"]`.

        A scan has one row for each finished point, with the scanned keys as columns; a stage with several temperatures
        or fields has one row for each of them. Other studies have one row for each point of each stage. Reweighted
        curves and fits have tables of their own. `frame.attrs["completed"]` tells whether all of these are done; if not,
        there is a LarmorWarning.
        @param stage a stage as in `stages`, or as in `scan.summary`; None: the last one of a scan, else all
        Raises NotInResults if there are no averages, and MissingPackage without pandas.
        """
        if self.is_scan:
            return self.scan.to_pandas(None if stage is None else str(stage))
        if self.is_reweighted:
            return self.reweighted.to_pandas()
        return self.fit.to_pandas() if self.is_fit else super().to_pandas(stage)

    @overload
    def to_xarray(self, stage: None = None) -> dict[str, Any]: ...

    @overload
    def to_xarray(self, stage: str | int) -> Any: ...

    def to_xarray(self, stage: str | int | None = None) -> Any:
        """A dictionary with the Dataset of each stage by its name, or one Dataset if `stage` names a stage.

        The Datasets of a scan have the scanned keys as dimensions, see `Scan.to_xarray`; those of other studies are those
        of `Stage.to_xarray`. `xarray.DataTree.from_dict` makes a tree of the dictionary.
        @param stage a stage as in `stages`, or as in `scan.summary`; None: all
        Raises NotInResults if there is none, and MissingPackage without xarray.
        """
        if not self.is_scan:
            return super().to_xarray(stage)
        if stage is not None:
            return self.scan.to_xarray(str(stage))
        return {name: self.scan.to_xarray(name) for name in self.scan.summary or [self.scan.stage_name()]}

    def to_ase(self, stage: str | int = -1, replica: int | None = None, *, trajectory: bool = False) -> list[Any]:
        """Atoms of ASE from the last stage or another one, see `Stage.to_ase`.

        Raises NotInResults if there are no configurations, and MissingPackage without ASE. A scan has configurations
        only in its points, see `point`."""
        if not self.stages:
            raise NotInResults(f"{self.path} has no stage"
                               + ("; take a point of the scan: .point(0).to_ase()" if self.is_scan else ""))
        return self.stages[stage].to_ase(replica, trajectory=trajectory)

    def plot(self, what: str | None = None, stage: str | None = None) -> Panels:
        """Draws the pictures of `larmor plot` with matplotlib, and returns their axes. A notebook shows them.

        @param what one picture of `larmor plot --what`; None: all pictures that suit each stage
        @param stage name or kind of one stage; None: all
        Raises NothingToDraw if the results lack the data, and NotInResults for a picture or stage that they do not have.
        """
        from .panels import plot_results

        return plot_results(self, what, stage)

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._file:
            return f"<Results {self.path} (closed)>"
        lines = [f"<Results {self.path}: {self.title or 'no title'} ({self.units} units)"]
        lines += [f"  {stage!r}" for stage in self.stages]
        lines += [f"  {self.scan!r}"] if self.is_scan else []
        lines += [f"  {self.reweighted!r}"] if self.is_reweighted else []
        lines += [f"  {self.fit!r}"] if self.is_fit else []
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        if not self._file:
            return table(["results"], [[f"{self.path} (closed)"]])
        caption = f"{self.title or self.path.name} ({self.units} units)"
        for name in ("scan", "fit"):
            try:
                part: Scan | Fit = getattr(self, name)
            except NotInResults:
                continue
            return table(["results", "seed", "units"], [[str(self.path), str(self.provenance.get("seed", "")), self.units]],
                         caption) + part._repr_html_()
        return table(["stage", "title", "completed", "holds"],
                     [[stage.name, stage.title, "yes" if stage.completed else "no", ", ".join(stage.group)]
                      for stage in self.stages], caption)
