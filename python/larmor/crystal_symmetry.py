"""The couplings that the symmetry of a crystal allows, from `larmor symmetry`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .options import PathLike, words_of
from .program import call, warn
from .running import AnyStudy, named_study, study_file


@dataclass(frozen=True, repr=False)
class SiteClass:
    """Atoms that operations of the space group map to each other."""

    atoms: list[int]
    """Numbers of the atoms in the basis; the first is the representative."""
    species: str
    symmetry: str
    """Point group, such as "-3m"."""
    anisotropy: np.ndarray
    """Basis of the matrices A of - e^T A e, without trace. (parameters, 3, 3)"""
    letters: list[list[str]]

    def __repr__(self) -> str:
        return f"<SiteClass: {self.species}, atoms {self.atoms}, symmetry {self.symmetry}>"


@dataclass(frozen=True, repr=False)
class BondClass:
    """Bonds that operations of the space group map to each other."""

    atoms: tuple[int, int]
    offset: tuple[int, int, int]
    """Cell of the second atom of the representative."""
    length: float
    vector: np.ndarray
    """From the first to the second atom, Cartesian. (3)"""
    neighbours: int
    """Bonds of the class at the first atom."""
    symmetry: str
    symmetric: np.ndarray
    """Basis of the symmetric part of A in - e_i^T A e_j. (parameters, 3, 3)"""
    antisymmetric: np.ndarray
    """Basis of the antisymmetric part, which is the Dzyaloshinskii-Moriya interaction. (parameters, 3, 3)"""
    letters: list[list[str]]
    """The matrix with a letter for each parameter, first those of the symmetric part."""
    images: list[dict[str, Any]]
    """All bonds in the cell: `atoms`, `offset`, and the `rotation` R that makes their matrix R A R^T."""

    def __repr__(self) -> str:
        return (f"<BondClass: atoms {self.atoms}, offset {self.offset}, length {self.length:.6g}, "
                f"{self.neighbours} neighbours, symmetry {self.symmetry}>")


@dataclass(frozen=True, repr=False)
class Symmetry:
    """The space group of a crystal, its classes of sites and bonds, and the couplings that they allow."""

    symbol: str
    """Hermann-Mauguin symbol; for a layer, that of a stack of layers."""
    number: int
    """In the International Tables; 0 for a chain."""
    operations: int
    sites: list[SiteClass]
    bonds: list[BondClass]
    tables: str
    """Tables [[anisotropy]] and [[exchange-tensor]] in TOML, with letters."""

    def __repr__(self) -> str:
        return f"<Symmetry: {self.symbol} ({self.number}), {len(self.sites)} sites, {len(self.bonds)} bonds>"


def symmetry(crystal: AnyStudy, *, distance: float | None = None, tolerance: float | None = None,
             spins: Sequence[str] = (), order: bool = False, program: PathLike | None = None) -> Symmetry:
    """The couplings that a crystal allows.

    `crystal` is the path of a CIF, magnetic CIF, POSCAR, extended XYZ or study, or a Study or dictionary. Raises
    InputError for a mistake in it.
    @param distance length of the longest bonds, in the units of the crystal
    @param tolerance distance of positions that count as equal
    @param spins species with spins; by default the magnetic elements
    @param order use only operations that keep or reverse the moments of a magnetic CIF
    """
    with study_file(crystal, None, False) as (file, options):
        arguments = ["symmetry", file, "--json", *options,
                     *words_of(distance=distance, tolerance=tolerance, order=order),
                     *(["--spins", ",".join(spins)] if spins else [])]
        with named_study(file, crystal):
            ended = call(arguments, program=program)
    for line in ended.lines:
        if line.startswith("note: "):
            warn(line.removeprefix("note: "))
    found = json.loads(ended.output)
    return Symmetry(found["symbol"], found["number"], found["operations"], [_site(site) for site in found["sites"]],
                    [_bond(bond) for bond in found["bonds"]], found["tables"])


def _matrices(rows: list[Any]) -> np.ndarray:
    return np.array(rows, dtype=float).reshape(-1, 3, 3)


def _site(site: dict[str, Any]) -> SiteClass:
    return SiteClass(site["atoms"], site["species"], site["symmetry"], _matrices(site["anisotropy"]), site["letters"])


def _bond(bond: dict[str, Any]) -> BondClass:
    a, b = bond["atoms"]
    x, y, z = bond["offset"]
    return BondClass((a, b), (x, y, z), bond["length"], np.array(bond["vector"]), bond["neighbours"], bond["symmetry"],
                     _matrices(bond["symmetric"]), _matrices(bond["antisymmetric"]), bond["letters"], bond["images"])
