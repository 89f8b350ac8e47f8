"""Energies, forces and descriptors of atoms by a SNAP potential, computed by the program `larmor evaluate`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np


class EvaluationError(Exception):
    """The program is missing, or it refuses the structures or the potential. The message gives the
    reason."""


@dataclass(frozen=True)
class Structure:
    """Atoms in a cell. Lengths are in Angstrom."""

    symbols: Sequence[str]
    positions: np.ndarray
    """[atoms, 3]"""
    cell: np.ndarray | None = None
    """[3, 3], rows are the vectors of the cell, which may be zero along open directions; None: no
    cell."""
    pbc: Sequence[bool] | None = None
    """Periodic directions; None: the directions along which the cell has a vector."""

    def text(self) -> str:
        """A frame of extended XYZ. Raises ValueError if `positions` or `cell` has a wrong shape."""
        positions = np.asarray(self.positions, dtype=float)
        if positions.shape != (len(self.symbols), 3):
            raise ValueError(f"{len(self.symbols)} symbols, and positions of shape {positions.shape}, "
                             f"not ({len(self.symbols)}, 3)")
        cell = np.zeros((3, 3)) if self.cell is None else np.asarray(self.cell, dtype=float)
        if cell.shape != (3, 3):
            raise ValueError(f"a cell of shape {cell.shape}, not (3, 3)")
        numbers = " ".join(repr(float(x)) for x in cell.reshape(9))
        lattice = f'Lattice="{numbers}" ' if cell.any() else ""
        pbc = cell.any(axis=1) if self.pbc is None else self.pbc
        flags = " ".join("T" if periodic else "F" for periodic in pbc)
        rows = [" ".join([symbol, *(repr(float(x)) for x in r)])
                for symbol, r in zip(self.symbols, positions, strict=True)]
        keys = f'{lattice}Properties=species:S:1:pos:R:3 pbc="{flags}"'
        return "\n".join([str(len(rows)), keys, *rows, ""])


@dataclass(frozen=True)
class Evaluated:
    """Results of a potential for a structure."""

    energy: float
    """eV"""
    energies: np.ndarray
    """Energy of each atom, eV [atoms]."""
    forces: np.ndarray
    """eV/Angstrom [atoms, 3]"""
    virial: np.ndarray
    """-dE/d(strain), eV [3, 3]"""
    stress: np.ndarray | None
    """-virial / volume, eV/Angstrom^3 [3, 3]; None if the cell has no volume."""
    bispectrum: np.ndarray | None
    """Descriptors [atoms, components], if requested."""


@dataclass(frozen=True)
class Potential:
    """A SNAP potential: either `snap`, with or without the radii `zbl`, or `potential`."""

    snap: str | os.PathLike | None = None
    """PREFIX of PREFIX.snapcoeff and PREFIX.snapparam."""
    potential: str | os.PathLike | None = None
    """Include file of LAMMPS."""
    zbl: tuple[float, float] | None = None
    """Inner and outer radius of ZBL, Angstrom, only with `snap`; None: no ZBL."""

    def options(self) -> list[str]:
        """Options of the command line."""
        options = []
        if self.snap is not None:
            options += ["--snap", os.fspath(self.snap)]
        if self.potential is not None:
            options += ["--potential", os.fspath(self.potential)]
        if self.zbl is not None:
            options += ["--zbl", *map(repr, map(float, self.zbl))]
        return options


def find_program(program: str | os.PathLike | None = None) -> str:
    """Path of the program: `program`, or else the environment variable LARMOR, or else `larmor` on
    the PATH. Raises EvaluationError if there is no such program."""
    name = os.fspath(program) if program is not None else os.environ.get("LARMOR", "larmor")
    found = shutil.which(name)
    if found is None:
        raise EvaluationError(f"there is no program '{name}'; give its path by `program`, or by the environment "
                              "variable LARMOR")
    return found


def evaluate(structures: Iterable[Structure], potential: Potential, *, bispectrum: bool = False,
             threads: int | None = None, backend: str | None = None,
             program: str | os.PathLike | None = None) -> list[Evaluated]:
    """Evaluates every structure with `larmor evaluate`. Raises EvaluationError, or ValueError for wrong shapes.
    @param backend "cuda", "auto" or, the default, "cpu"."""
    options = ["--progress", "quiet", *potential.options()]
    if bispectrum:
        options.append("--bispectrum")
    if threads is not None:
        options += ["--threads", str(threads)]
    if backend is not None:
        options += ["--backend", backend]
    with tempfile.TemporaryDirectory(prefix="larmor-") as folder:
        atoms, output = Path(folder, "in.extxyz"), Path(folder, "out.extxyz")
        atoms.write_text("".join(s.text() for s in structures), encoding="utf-8")
        command = [find_program(program), "evaluate", str(atoms), "-o", str(output), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise EvaluationError(done.stderr.strip() or f"larmor ended with code {done.returncode}")
        return read_evaluated(output.read_text(encoding="utf-8"))


def read_evaluated(text: str) -> list[Evaluated]:
    """The frames that `larmor evaluate` has written."""
    lines = text.splitlines()
    frames = []
    begin = 0
    while begin < len(lines):
        atoms = int(lines[begin])
        frames.append(_frame(lines[begin + 1], lines[begin + 2:begin + 2 + atoms]))
        begin += 2 + atoms
    return frames


def _frame(header: str, rows: list[str]) -> Evaluated:
    keys = {key: quoted or bare for key, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', header)}
    parts = keys["Properties"].split(":")
    words = [row.split() for row in rows]
    columns = {}
    first = 0
    for name, kind, width in zip(parts[::3], parts[1::3], map(int, parts[2::3]), strict=True):
        if kind == "R":
            columns[name] = np.array([word[first:first + width] for word in words], dtype=float)
        first += width

    def matrix(key: str) -> np.ndarray | None:
        return np.array(keys[key].split(), dtype=float).reshape(3, 3) if key in keys else None

    return Evaluated(float(keys["energy"]), columns["energies"][:, 0], columns["forces"], matrix("virial"),
                     matrix("stress"), columns.get("bispectrum"))
