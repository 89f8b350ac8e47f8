"""Elastic constants, vacancy and phonons of tungsten: python constants.py study.h5 [phonons.png]

It runs `larmor evaluate`; the environment variable LARMOR names the program if it is not on the PATH."""

import itertools
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import larmor
from larmor.evaluation import Potential, Structure, evaluate
from larmor.style import BLUE, INK, VERMILLION, new_figure, styled

GPA = 160.2176634  # in eV/Angstrom^3
MASS = 183.84 * 1.03642697e-4  # eV ps^2 / Angstrom^2
SITES = np.array([[0, 0, 0], [0.5, 0.5, 0.5]])

# The strain is small enough for central differences, whose error is of second order. It is large
# enough that rounding does not matter.
STRAIN = 1e-3
DISPLACEMENT = 0.01  # Angstrom
# A force depends on atoms up to twice the cutoff of SNAP away, 9.47 Angstrom. If a cell is longer
# than twice this distance, no atom depends on two images of another atom.
PHONON_CELLS = 6

# Wave vectors in units of 2 pi / a.
POINTS = {"Γ": (0, 0, 0), "H": (1, 0, 0), "P": (0.5, 0.5, 0.5), "N": (0.5, 0.5, 0)}
PATH = ("Γ", "H", "P", "Γ", "N")


def by_larmor(structures):
    folder = Path(os.environ["LAMMPS_POTENTIALS"])
    return evaluate(structures, Potential(potential=folder / "W_2940_2017_2.snap"))


@dataclass(frozen=True)
class Relaxed:
    """A cell at zero pressure: its energy (eV), volume (Angstrom^3) and number of atoms."""

    energy: float
    volume: float
    atoms: int


def relaxed_cells(path):
    """The perfect cell and the one with a vacancy, from the results of the study."""
    with larmor.open(path) as results:
        for number in sorted(results.points):
            stage = results.point(number).stages["minimise"]
            yield Relaxed(stage.averages["potential_energy"].value[0], stage.averages["volume"].value[0],
                          stage.configuration.shape[1])


def vacancy_formation(perfect, vacancy):
    """Energy (eV), and volume in units of the volume of an atom."""
    atoms = vacancy.atoms / perfect.atoms
    volume = (vacancy.volume - atoms * perfect.volume) / (perfect.volume / perfect.atoms)
    return vacancy.energy - atoms * perfect.energy, volume


def elastic_constants(constant, run=by_larmor):
    """C11, C12 and C44 in GPa, from the stress of strained cells. All atoms of bcc are centres of
    inversion, with or without strain. Therefore no force moves them against each other."""
    stretch, shear = np.zeros((3, 3)), np.zeros((3, 3))
    stretch[0, 0] = 1
    # The third vector tilts along y. This is a strain 2 e_yz and a rotation, which has no effect at
    # zero stress.
    shear[2, 1] = 1
    cells = [constant * (np.eye(3) + sign * STRAIN * strain) for strain in (stretch, shear) for sign in (1, -1)]
    stress = np.array([found.stress for found in run([Structure(["W"] * 2, SITES @ cell, cell) for cell in cells])])
    slope = GPA * (stress[0::2] - stress[1::2]) / (2 * STRAIN)
    return slope[0, 0, 0], (slope[0, 1, 1] + slope[0, 2, 2]) / 2, slope[1, 1, 2]


@dataclass(frozen=True)
class ForceConstants:
    """d^2 E / du_a(0) du_b(R), eV/Angstrom^2 [atoms, a, b], at the vectors R of the lattice [atoms, 3]."""

    vectors: np.ndarray
    value: np.ndarray

    def frequencies(self, q):
        """Frequencies in THz [q, 3], in rising order, at wave vectors q [q, 3]. A frequency is
        negative if the crystal is unstable. A shift of the whole crystal causes no force, so the
        constant of the displaced atom follows from those of all other atoms."""
        waves = np.cos(q @ self.vectors.T) - 1
        square = np.linalg.eigvalsh(np.einsum("qr,rab->qab", waves, self.value) / MASS)
        return np.sign(square) * np.sqrt(np.abs(square)) / (2 * np.pi)


def force_constants(constant, run=by_larmor, cells=PHONON_CELLS):
    """Force constants from the forces on all atoms of a cell with one displaced atom."""
    edge = constant * cells
    corners = np.array(list(itertools.product(range(cells), repeat=3)))
    positions = constant * (corners[:, None] + SITES).reshape(-1, 3)
    structures = []
    for axis, sign in itertools.product(range(3), (1, -1)):
        displaced = positions.copy()
        displaced[0, axis] += sign * DISPLACEMENT
        structures.append(Structure(["W"] * len(positions), displaced, edge * np.eye(3)))
    forces = np.array([found.forces for found in run(structures)])
    value = -(forces[0::2] - forces[1::2]) / (2 * DISPLACEMENT)
    return ForceConstants(positions - edge * np.round(positions / edge), value.transpose(1, 0, 2))


def path_of(constant, steps=60):
    """Wave vectors along the path, their distances from its start, and the distances of its points."""
    points = 2 * np.pi / constant * np.array([POINTS[name] for name in PATH])
    part = np.arange(steps) / steps
    q = np.concatenate([a + part[:, None] * (b - a) for a, b in itertools.pairwise(points)] + [points[-1:]])
    distance = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(q, axis=0), axis=1))])
    return q, distance, distance[::steps]


def sound(constants, constant):
    """Velocities in Angstrom/ps of transverse and longitudinal waves along [100] and along [110]."""
    c11, c12, c44 = np.array(constants) / GPA
    density = 2 * MASS / constant**3
    squares = {"H": [c44, c44, c11], "N": sorted([(c11 - c12) / 2, c44]) + [(c11 + c12 + 2 * c44) / 2]}
    return {name: np.sqrt(np.array(square) / density) for name, square in squares.items()}


def draw(phonons, constants, constant):
    q, distance, ticks = path_of(constant)
    figure = new_figure(6.4, 4.4)
    axes = figure.subplots()
    lines = axes.plot(distance, phonons.frequencies(q), color=BLUE)
    lines[0].set_label("finite displacements")
    velocities = sound(constants, constant)
    for name, start, end in (("H", ticks[0], ticks[1]), ("N", ticks[3], ticks[4])):
        along = np.array([0, 0.35 * (end - start)])
        for velocity in velocities[name]:
            slope, = axes.plot(start + along, velocity * along / (2 * np.pi), color=VERMILLION, linewidth=1,
                               linestyle="--")
    slope.set_label("sound by elastic constants")
    for tick in ticks[1:-1]:
        axes.axvline(tick, ymax=6.7 / 7.2, color=INK, linewidth=0.6)
    axes.set(xlim=(ticks[0], ticks[-1]), ylim=(0, 7.2), ylabel="Frequency (THz)")
    axes.set_xticks(ticks, PATH)
    axes.set_xticks([], minor=True)
    axes.legend(loc="upper right", ncols=2)
    return figure


def report(perfect, vacancy, run=by_larmor):
    """Prints everything; returns the lattice constant, C11, C12 and C44, and the force constants."""
    constant = (perfect.volume * 2 / perfect.atoms) ** (1 / 3)
    constants = elastic_constants(constant, run)
    phonons = force_constants(constant, run)
    energy, volume = vacancy_formation(perfect, vacancy)
    print(f"lattice constant       {constant:.6f} Angstrom")
    print(f"energy of an atom      {perfect.energy / perfect.atoms:.6f} eV")
    for name, value in zip(("C11", "C12", "C44"), constants):
        print(f"{name}                    {value:.3f} GPa")
    print(f"vacancy, energy        {energy:.5f} eV")
    print(f"vacancy, volume        {volume:.5f} atoms")
    for name in ("H", "P", "N"):
        [found] = phonons.frequencies(2 * np.pi / constant * np.array([POINTS[name]]))
        print(f"phonons at {name}           " + " ".join(f"{frequency:.4f}" for frequency in found) + " THz")
    return constant, constants, phonons


def main(results, picture="phonons.png"):
    constant, constants, phonons = report(*relaxed_cells(results))
    with styled():
        draw(phonons, constants, constant).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
