"""A calculator for ASE that evaluates a SNAP potential.

    from larmor.ase import LarmorSnap

    atoms.calc = LarmorSnap(snap="W_2940_2017_2", zbl=(4.0, 4.8))
    atoms.get_potential_energy(), atoms.get_forces(), atoms.get_stress()

This calculator runs `larmor evaluate` for every new configuration. Units and signs are those of
ASE: eV, Angstrom; the stress is (1/V) dE/d(strain), in the order xx, yy, zz, yz, xz, xy. This
package does not require ASE: `pip install ase`.
"""

from __future__ import annotations

import os

import numpy as np
from ase import Atoms
from ase.calculators.calculator import Calculator, all_changes
from ase.stress import full_3x3_to_voigt_6_stress

from .evaluation import Evaluated, Potential, Structure, evaluate

__all__ = ["LarmorSnap"]


class LarmorSnap(Calculator):
    """Computes energy, energies of atoms, forces, and stress if the cell has a volume."""

    implemented_properties = ["energy", "free_energy", "energies", "forces", "stress"]

    def __init__(self, snap: str | os.PathLike | None = None, *, potential: str | os.PathLike | None = None,
                 zbl: tuple[float, float] | None = None, threads: int | None = None,
                 backend: str | None = None, program: str | os.PathLike | None = None, **options) -> None:
        """@param snap PREFIX of PREFIX.snapcoeff and PREFIX.snapparam
        @param zbl inner and outer radius, with `snap`; None: no ZBL
        @param potential an include file of LAMMPS in place of `snap` and `zbl`
        @param backend "cuda", "auto" or, the default, "cpu"
        @param program path of larmor; None: see larmor.program.find_program"""
        super().__init__(**options)
        self._potential = Potential(snap, potential, zbl)
        self._threads = threads
        self._backend = backend
        self._program = program

    def calculate(self, atoms: Atoms | None = None, properties=("energy",), system_changes=all_changes) -> None:
        """Computes all properties, not only the requested properties. Raises LarmorError if the
        program fails."""
        super().calculate(atoms, properties, system_changes)
        found = self._evaluate(self.atoms)
        self.results = {"energy": found.energy, "free_energy": found.energy, "energies": found.energies,
                        "forces": found.forces}
        if found.stress is not None:
            self.results["stress"] = full_3x3_to_voigt_6_stress(found.stress)

    def get_bispectrum(self, atoms: Atoms) -> np.ndarray:
        """Descriptors [atoms, components]."""
        return self._evaluate(atoms, bispectrum=True).bispectrum

    def _evaluate(self, atoms: Atoms, bispectrum: bool = False) -> Evaluated:
        structure = Structure(atoms.get_chemical_symbols(), atoms.positions, atoms.cell.array, atoms.pbc)
        return evaluate(structure, self._potential, bispectrum=bispectrum, threads=self._threads,
                        backend=self._backend, program=self._program)
