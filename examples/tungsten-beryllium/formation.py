"""Formation energies of beryllium on sites of tungsten, from the results of sites.toml: python formation.py
sites.h5"""

import pathlib
import sys
from dataclasses import dataclass

import numpy as np

import larmor

PURE = ("tungsten", "beryllium")


@dataclass(frozen=True)
class Cell:
    """Energy of a relaxed cell (eV), and its number of atoms of each element."""

    energy: float
    tungsten: int
    beryllium: int


def relaxed_points(path):
    """Points of the scan, by the name of their file."""
    with larmor.open(path) as results:
        [axis] = results.scan.axes
        for number, point in results.points.items():
            yield pathlib.Path(axis.values[number].strip('"')).stem, point


def cell_of(point):
    species = point.model.species
    return Cell(point.stages["minimise"].averages["potential_energy"].value[0], species.count("W"), species.count("Be"))


def neighbours(point, count=8):
    """Distances from the first atom to others in Angstrom, in rising order."""
    stage = point.stages["minimise"]
    positions, box = stage.configuration[0], stage.box[0]
    fractions = (positions[1:] - positions[0]) @ np.linalg.inv(box)
    apart = (fractions - np.round(fractions)) @ box
    return np.sort(np.linalg.norm(apart, axis=1))[:count]


def formation_energies(cells):
    """Energies in eV by site, relative to an equal number of atoms in bcc tungsten and in hcp
    beryllium."""
    tungsten, beryllium = (cells[name].energy / (cells[name].tungsten + cells[name].beryllium) for name in PURE)
    return {name: cell.energy - cell.tungsten * tungsten - cell.beryllium * beryllium
            for name, cell in cells.items() if name not in PURE}


def sites(path):
    """Formation energy and distances of neighbours, by site."""
    cells, distances = {}, {}
    for name, point in relaxed_points(path):
        cells[name] = cell_of(point)
        if name not in PURE:
            distances[name] = neighbours(point)
    return {name: (energy, distances[name]) for name, energy in formation_energies(cells).items()}


def main(path):
    for name, (energy, distances) in sites(path).items():
        print(f"{name:15} {energy:.4f} eV, neighbours at {' '.join(f'{r:.3f}' for r in distances)} Angstrom")


if __name__ == "__main__":
    main(*sys.argv[1:])
