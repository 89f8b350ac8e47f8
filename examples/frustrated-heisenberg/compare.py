"""Energies of minima after annealing and after tempering: python compare.py study.h5 [minima.png]"""

import sys

import numpy as np

import larmor
from larmor.style import BLUE, INK, VERMILLION, new_figure, styled

# The energy of a spiral with the angle q between neighbours along x is - J1 cos q - J1 - J2 cos 2q. It is least
# at cos q = - J1 / (4 J2).
J1, J2 = 1.0, -0.5
COSINE = -J1 / (4 * J2)
GROUND_STATE = -J1 * COSINE - J1 - J2 * (2 * COSINE**2 - 1)
# Rungs below this temperature are cold enough to have no walls.
COLD = 0.22


def minima_of(results):
    """Energies per spin of the minima of annealed replicas, and of the minima from each rung
    [ladder, rung]; the temperatures of the rungs."""
    annealed, tempered = (stage.series["energy"].value[-1] for stage in results.stages if stage.kind == "minimise")
    rungs = results.stages["tempering"].temperature
    return annealed, tempered.reshape(-1, len(rungs)), rungs


def share_of_ground_states(energies):
    return np.mean(energies < GROUND_STATE + 1e-5)


def main(path, picture=None):
    with larmor.open(path) as results:
        annealed, tempered, rungs = minima_of(results)
    cold = tempered[:, rungs < COLD]
    print(f"ground state: {GROUND_STATE} a spin")
    print(f"annealing: {share_of_ground_states(annealed):.0%} of {annealed.size} replicas are in it")
    print(f"tempering: {share_of_ground_states(cold):.0%} of {cold.size} replicas below T = {COLD} are in it")
    if picture is None:
        return
    with styled():
        figure = new_figure(9.6, 4.0)
        after_annealing, after_tempering = figure.subplots(1, 2, sharey=True)
        after_annealing.plot(np.sort(annealed), "o", color=VERMILLION)
        after_annealing.set_xlabel("Replica, by its energy")
        after_annealing.set_ylabel("Energy of the minimum ($J_1$ per spin)")
        after_annealing.set_title("Annealing")
        for ladder in tempered:
            after_tempering.plot(rungs, ladder, "o", color=BLUE)
        after_tempering.set_xscale("log")
        after_tempering.set_xlabel("Temperature of the rung ($J_1$)")
        after_tempering.set_title("Tempering")
        for axes in (after_annealing, after_tempering):
            axes.axhline(GROUND_STATE, color=INK, linewidth=0.8, linestyle="--")
        figure.savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
