"""Portfolios that trade return against risk, each the ground state of a QUBO: python portfolio.py [portfolio.png]

It runs `larmor solve`; the environment variable LARMOR names the program if it is not on the PATH."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from larmor.style import BLUE, VERMILLION, new_figure, styled

ASSETS, CHOSEN = 30, 8
SECTORS = 5
DAYS = 750
AVERSIONS = (1, 2, 4, 8, 16, 30, 40, 60, 100, 200, 400)


@dataclass(frozen=True)
class Market:
    """Mean yearly returns of all assets, and their covariance."""

    mean: np.ndarray
    covariance: np.ndarray


def market(seed=30):
    """A market estimated from daily returns of three years: a common factor, one factor per sector, and
    noise of each asset."""
    draw = np.random.default_rng(seed)
    sector = np.arange(ASSETS) % SECTORS
    exposure = draw.uniform(0.4, 1.6, ASSETS)
    common = draw.normal(0, 0.009, (DAYS, 1)) * exposure
    shared = draw.normal(0, 0.007, (DAYS, SECTORS))[:, sector]
    own = draw.normal(0, 1, (DAYS, ASSETS)) * draw.uniform(0.006, 0.018, ASSETS)
    # Assets with more of the common risk have higher returns on average.
    drift = (0.03 + 0.06 * exposure + draw.normal(0, 0.03, ASSETS)) / 250
    daily = drift + common + shared + own
    return Market(250 * daily.mean(axis=0), 250 * np.cov(daily.T))


def qubo(of, aversion):
    """Q with x^T Q x + const = - return + aversion / 2 risk^2 + penalty (number - CHOSEN)^2, upper triangle,
    and const.

    The portfolio has equal shares of the chosen assets. Coefficients are rounded to six digits: whole
    multiples of a unit."""
    part = 1 / CHOSEN
    risk = aversion / 2 * part**2 * of.covariance
    # The penalty is larger than the gain of any exchange of assets, so that no ground state breaks
    # the rule.
    penalty = 2 * (np.ptp(of.mean) * part + np.abs(risk).sum(axis=0).max())
    matrix = np.triu(2 * (risk + penalty), 1)
    np.fill_diagonal(matrix, -part * of.mean + np.diag(risk) + penalty * (1 - 2 * CHOSEN))
    return np.round(matrix, 6), round(penalty * CHOSEN**2, 6)


def write_problem(path, matrix, constant):
    """Writes the format of dimod's BinaryQuadraticModel.to_serializable()."""
    head, tail = np.nonzero(np.triu(matrix, 1))
    path.write_text(json.dumps({
        "type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": False,
        "num_variables": len(matrix), "num_interactions": len(head), "variable_type": "BINARY",
        "variable_labels": [f"asset {i + 1}" for i in range(len(matrix))], "offset": constant,
        "linear_biases": np.diag(matrix).tolist(), "quadratic_biases": matrix[head, tail].tolist(),
        "quadratic_head": head.tolist(), "quadratic_tail": tail.tolist(),
    }))


def solve(matrix, constant):
    """The solution file of `larmor solve`, with a certificate."""
    with tempfile.TemporaryDirectory() as folder:
        problem, solution = Path(folder) / "portfolio.json", Path(folder) / "solution.json"
        write_problem(problem, matrix, constant)
        subprocess.run(
            [os.environ.get("LARMOR", "larmor"), "solve", problem, "--certify", "--sweeps", "1000", "--progress",
             "quiet", "--output", solution], check=True, stdout=subprocess.DEVNULL)
        return json.loads(solution.read_text())


def return_and_risk(of, chosen):
    x = np.asarray(chosen) / np.sum(chosen, axis=-1, keepdims=True)
    return x @ of.mean, np.sqrt(np.einsum("...i,ij,...j", x, of.covariance, x))


def random_portfolios(of, count, seed=1):
    draw = np.random.default_rng(seed)
    chosen = np.zeros((count, ASSETS))
    for row in chosen:
        row[draw.choice(ASSETS, CHOSEN, replace=False)] = 1
    return return_and_risk(of, chosen)


def draw_frontier(of, solutions):
    figure = new_figure(9, 4)
    frontier, choice = figure.subplots(1, 2, width_ratios=(3, 2))
    gain, risk = random_portfolios(of, 4000)
    frontier.plot(100 * risk, 100 * gain, "o", color="0.6", markersize=1, label="drawn at random")
    states = np.array([solution["best"]["state"] for solution in solutions])
    gain, risk = return_and_risk(of, states)
    frontier.plot(100 * risk, 100 * gain, "o-", color=VERMILLION, label="ground states")
    for n in (0, AVERSIONS.index(40), len(AVERSIONS) - 1):
        frontier.annotate(f"{AVERSIONS[n]:g}", (100 * risk[n], 100 * gain[n]), xytext=(-7, 4),
                          textcoords="offset points", ha="right")
    frontier.set(xlabel="Risk in a year (%)", ylabel="Return in a year (%)", xlim=(12, 22.5), ylim=(-1, 32))
    frontier.legend(loc="lower right")
    order = np.argsort(-of.mean)
    row, asset = np.nonzero(states[:, order])
    choice.plot(row, asset + 1, "s", color=BLUE, markersize=6)
    choice.set(xlabel="Risk aversion", ylabel="Asset, the highest return first", ylim=(ASSETS + 1, 0))
    choice.set_xticks(range(len(AVERSIONS)), [f"{aversion:g}" for aversion in AVERSIONS], fontsize=8)
    choice.set_xticks([], minor=True)
    return figure


def main(picture="portfolio.png"):
    of = market()
    solutions = [solve(*qubo(of, aversion)) for aversion in AVERSIONS]
    print(" aversion  return  risk    energy     gap        found in  time to solution")
    for aversion, solution in zip(AVERSIONS, solutions):
        search, proof = solution["search"], solution["certificate"]
        assert proof["search_found_it"] and proof["degeneracy"] == 1 and sum(proof["state"]) == CHOSEN
        gain, risk = return_and_risk(of, proof["state"])
        print(f"{aversion:9g} {100 * gain:6.2f}% {100 * risk:6.2f}% {proof['energy']:9.6f} {proof['gap']:10.6f} "
              f"{search['found']:4} of {search['repeats']} {search['time_to_solution']['value']:9.0f} sweeps")
    with styled():
        draw_frontier(of, solutions).savefig(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
