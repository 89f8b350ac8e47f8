"""Energies, forces and descriptors of atoms by a SNAP potential, computed by the program `larmor evaluate`."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, overload

import numpy as np
import numpy.typing as npt

from .given_arrays import unmasked
from .options import Backend, PathLike, words_of
from .program import call

Floats = npt.NDArray[np.float64]


class AseAtoms(Protocol):
    """Atoms of ASE. This package does not require ASE."""

    positions: Any
    cell: Any
    pbc: Any

    def get_chemical_symbols(self) -> list[str]: ...
    def get_masses(self) -> Any: ...
    def get_momenta(self) -> Any: ...
    def has(self, name: str, /) -> bool: ...


@dataclass(frozen=True)
class Structure:
    """Atoms in a cell. Lengths are in Angstrom."""

    symbols: Sequence[str]
    positions: npt.ArrayLike
    """[atoms, 3]"""
    cell: npt.ArrayLike | None = None
    """[3, 3], rows are the vectors of the cell, which may be zero along open directions; None: no
    cell."""
    pbc: Sequence[bool] | None = None
    """Periodic directions; None: the directions along which the cell has a vector."""
    masses: npt.ArrayLike | None = None
    """g/mol [atoms]; None: the masses of the elements."""
    momenta: npt.ArrayLike | None = None
    """In ASE's unit, sqrt(u eV) [atoms, 3]; None: not given."""

    @staticmethod
    def from_ase(atoms: AseAtoms) -> Structure:
        """The structure of Atoms of ASE, with their momenta and their own masses if they have these."""
        return Structure(atoms.get_chemical_symbols(), atoms.positions, atoms.cell.array, list(map(bool, atoms.pbc)),
                         atoms.get_masses() if atoms.has("masses") else None,
                         atoms.get_momenta() if atoms.has("momenta") else None)

    def text(self) -> str:
        """A frame of extended XYZ. Raises ValueError if an array has a wrong shape, and InputError if entries are masked."""
        positions = unmasked(self.positions, "positions").astype(float)
        if positions.shape != (len(self.symbols), 3):
            raise ValueError(f"{len(self.symbols)} symbols, and positions of shape {positions.shape}, "
                             f"not ({len(self.symbols)}, 3)")
        cell = np.zeros((3, 3)) if self.cell is None else unmasked(self.cell, "cell").astype(float)
        if cell.shape != (3, 3):
            raise ValueError(f"a cell of shape {cell.shape}, not (3, 3)")
        numbers = " ".join(repr(float(x)) for x in cell.reshape(9))
        lattice = f'Lattice="{numbers}" ' if cell.any() else ""
        pbc: Any = cell.any(axis=1) if self.pbc is None else self.pbc
        flags = " ".join("T" if periodic else "F" for periodic in pbc)
        columns, names = [positions], "species:S:1:pos:R:3"
        for name, width in (("masses", 1), ("momenta", 3)):
            if (values := getattr(self, name)) is not None:
                columns.append(unmasked(values, name).astype(float).reshape(len(positions), width))
                names += f":{name}:R:{width}"
        rows = [" ".join([symbol, *(repr(float(x)) for x in row)])
                for symbol, row in zip(self.symbols, np.hstack(columns), strict=True)]
        keys = f'{lattice}Properties={names} pbc="{flags}"'
        return "\n".join([str(len(rows)), keys, *rows, ""])


@dataclass(frozen=True)
class Evaluated:
    """Results of a potential for a structure."""

    energy: float
    """eV"""
    energies: Floats
    """Energy of each atom, eV [atoms]."""
    forces: Floats
    """eV/Angstrom [atoms, 3]"""
    virial: Floats
    """-dE/d(strain), eV [3, 3]"""
    stress: Floats | None
    """-virial / volume, eV/Angstrom^3 [3, 3]; None if the cell has no volume."""
    bispectrum: Floats | None
    """Descriptors [atoms, components], if requested."""


@dataclass(frozen=True)
class Potential:
    """A SNAP potential: either `snap`, with or without the radii `zbl`, or `potential`."""

    snap: PathLike | None = None
    """PREFIX of PREFIX.snapcoeff and PREFIX.snapparam."""
    potential: PathLike | None = None
    """Include file of LAMMPS."""
    zbl: tuple[float, float] | None = None
    """Inner and outer radius of ZBL, Angstrom, only with `snap`; None: no ZBL."""

    def options(self) -> list[str]:
        """Options of the command line."""
        radii = [] if self.zbl is None else ["--zbl", *map(repr, map(float, self.zbl))]
        return [*words_of(snap=self.snap, potential=self.potential), *radii]


@overload
def evaluate(structures: Structure | AseAtoms, potential: Potential, *, bispectrum: bool = False,
             threads: int | None = None, backend: Backend | None = None,
             program: PathLike | None = None) -> Evaluated: ...


@overload
def evaluate(structures: Iterable[Structure | AseAtoms], potential: Potential, *, bispectrum: bool = False,
             threads: int | None = None, backend: Backend | None = None,
             program: PathLike | None = None) -> list[Evaluated]: ...


def evaluate(structures: Any, potential: Potential, *, bispectrum: bool = False, threads: int | None = None,
             backend: Backend | None = None, program: PathLike | None = None) -> Any:
    """Energies, forces and stresses by a potential, computed by `larmor evaluate`.

    `structures` is a Structure, Atoms of ASE, or several of them. Returns an Evaluated for each. Raises LarmorError
    if the program refuses the input, and ValueError for arrays of wrong shapes.
    @param bispectrum also gives the descriptors
    @param backend "cuda", "auto" or, the default, "cpu"
    """
    if isinstance(structures, Structure) or hasattr(structures, "get_chemical_symbols"):
        return evaluate([structures], potential, bispectrum=bispectrum, threads=threads, backend=backend,
                        program=program)[0]
    options = ["--progress", "quiet", *potential.options(),
               *words_of(bispectrum=bispectrum, threads=threads, backend=backend)]
    with tempfile.TemporaryDirectory(prefix="larmor-") as folder:
        atoms, output = Path(folder, "in.extxyz"), Path(folder, "out.extxyz")
        frames = [s if isinstance(s, Structure) else Structure.from_ase(s) for s in structures]
        if not frames:
            return []
        atoms.write_text("".join(frame.text() for frame in frames), encoding="utf-8")
        call(["evaluate", str(atoms), "-o", str(output), *options], program=program)
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

    def matrix(key: str) -> Floats | None:
        return np.array(keys[key].split(), dtype=float).reshape(3, 3) if key in keys else None

    virial = matrix("virial")
    assert virial is not None
    return Evaluated(float(keys["energy"]), columns["energies"][:, 0], columns["forces"], virial,
                     matrix("stress"), columns.get("bispectrum"))
