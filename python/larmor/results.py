"""Reads a results file, the HDF5 file that a run writes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import h5py

from .errors import CannotRead, DamagedResults, ResultsError, not_in_results, reported_as_damage
from .fit_results import Fit
from .hdf5_values import attributes, plain, text_of
from .model import Model
from .reweighted import Reweighted
from .scan import Scan
from .stage import Stage

FORMAT = "larmor-results"
FORMAT_VERSION = 11


def open_results(path: str | os.PathLike[str]) -> Results:
    """Opens a results file for reading, also during a run (its last complete state).

    Raises FileNotFoundError if there is no file, and ResultsError if it is too new or not a results file. Raises
    DamagedResults if it is damaged, and CannotRead if the machine fails to read it.
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
        return Stages(sorted((Stage(groups[name]) for name in groups), key=lambda s: s.number))


class Results(Point):
    """An open results file; also a context manager. A scan has its results in `scan` and `points`."""

    def __init__(self, path: str | os.PathLike[str]):
        path = Path(path)
        require_file(path)
        try:
            # A run replaces its file or appends to it. The contents that are read here do not
            # change, so no lock is needed. HDF5's usual driver requires equal settings of locks
            # whenever a file is opened twice.
            self._file = h5py.File(path, "r", driver="stdio", locking=False)
        except OSError as error:
            if not h5py.is_hdf5(path):
                raise ResultsError(f"{path}: not an HDF5 file") from error
            raise DamagedResults(f"{path}: a damaged HDF5 file, or one that is cut short; restore a copy, or run "
                                 "the study again") from error
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
        """Writes one HTML page with pictures, numbers, doubts and references; see `larmor.report.write_report`."""
        from .report import write_report
        return write_report(self, None if path is None else Path(path), force)

    def close(self) -> None:
        """Closes the file. Arrays that were read before stay valid."""
        self._file.close()

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
