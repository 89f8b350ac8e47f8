"""Writes a training set of tungsten: python make_set.py FOLDER

Each group is an extended XYZ file with energies, forces and stresses. `larmor evaluate` computes them from the
potential W_2940_2017_2 with ZBL, in the folder that the environment variable LAMMPS_POTENTIALS names. The environment
variable LARMOR names the program if it is not on the PATH."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

LATTICE_CONSTANT = 3.1803  # Angstrom
BASES = {
    "bcc": [[0, 0, 0], [0.5, 0.5, 0.5]],
    "fcc": [[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]],
    "a15": [[0, 0, 0], [0.5, 0.5, 0.5], [0.25, 0.5, 0], [0.75, 0.5, 0], [0, 0.25, 0.5], [0, 0.75, 0.5],
            [0.5, 0, 0.25], [0.5, 0, 0.75]],
}
# Lattice constants in units of that of bcc, for nearly equal volumes of an atom.
SCALES = {"bcc": 1, "fcc": 1.26, "a15": 1.59}


def crystal(kind, cells):
    """Positions and cell of a crystal of tungsten."""
    a = SCALES[kind] * LATTICE_CONSTANT
    corners = np.stack(np.meshgrid(*3 * [np.arange(cells)], indexing="ij"), axis=-1).reshape(-1, 1, 3)
    return a * (corners + np.array(BASES[kind])).reshape(-1, 3), a * cells * np.eye(3)


def strained(structure, size, random):
    positions, cell = structure
    strain = np.eye(3) + random.normal(0, size, (3, 3))
    return positions @ strain, cell @ strain


def displaced(structure, size, random):
    positions, cell = structure
    return positions + random.normal(0, size, positions.shape), cell


def without_atom(structure, number):
    positions, cell = structure
    return np.delete(positions, number, axis=0), cell


def groups():
    """Structures of each group: (positions, cell)."""
    random = np.random.default_rng(1)
    bcc, large = crystal("bcc", 2), crystal("bcc", 3)
    return {
        "thermal": [displaced(bcc, size, random) for size in np.linspace(0.05, 0.2, 20)],
        "strained": [displaced(strained(bcc, 0.03, random), 0.02, random) for _ in range(20)],
        "volumes": [(bcc[0] * scale, bcc[1] * scale) for scale in np.linspace(0.9, 1.12, 15)],
        "vacancy": [displaced(without_atom(large, n), 0.1, random) for n in range(4)],
        "fcc": [displaced(strained(crystal("fcc", 1), 0.03, random), 0.1, random) for _ in range(15)],
        "a15": [displaced(strained(crystal("a15", 1), 0.03, random), 0.1, random) for _ in range(15)],
        "disordered": [displaced(bcc, 0.3, random) for _ in range(15)],
    }


def text_of(positions, cell):
    lattice = " ".join(repr(float(x)) for x in np.ravel(cell))
    rows = ["W " + " ".join(repr(float(x)) for x in r) for r in positions]
    return "\n".join([str(len(rows)), f'Lattice="{lattice}" Properties=species:S:1:pos:R:3', *rows, ""])


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    potential = Path(os.environ["LAMMPS_POTENTIALS"]) / "W_2940_2017_2.snap"
    for name, structures in groups().items():
        bare = folder / f"{name}-structures.extxyz"
        bare.write_text("".join(text_of(*structure) for structure in structures))
        subprocess.run([os.environ.get("LARMOR", "larmor"), "evaluate", bare, "--potential", potential,
                        "--progress", "quiet", "-o", folder / f"{name}.extxyz", "--force"], check=True)
        bare.unlink()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
