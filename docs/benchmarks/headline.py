#!/usr/bin/env python3
"""Draws headline.png from headline.csv: the work of Larmor in a second, as a multiple of another program's.

    .venv/bin/python docs/benchmarks/headline.py

The table names the pages of its numbers. A ratio of seconds is inverted, since fewer are better.
"""

import csv
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "python"))

from larmor.style import CYCLE, INK, new_figure, styled  # noqa: E402


def rows():
    """Rows of the table with their ratios."""
    with open(FOLDER / "headline.csv", newline="") as file:
        for row in csv.DictReader(file):
            ours, theirs = float(row["ours"]), float(row["theirs"])
            yield row | {"ratio": theirs / ours if row["unit"] == "s" else ours / theirs}


def main():
    table = list(rows())
    engines = list(dict.fromkeys(row["engine"] for row in table))
    with styled():
        figure = new_figure(9.0, 0.36 * len(table) + 0.9)
        axes = figure.subplots()
        for place, row in enumerate(table):
            ratio = row["ratio"]
            axes.barh(place, ratio, color=CYCLE[engines.index(row["engine"]) % len(CYCLE)], height=0.66)
            text = f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"
            axes.text(ratio * 1.06, place, f"{text} × {row['peer']}, {row['machine']}", va="center", color=INK)
        axes.set_yticks(range(len(table)), [f"{row['engine']}: {row['work']}" for row in table])
        axes.invert_yaxis()
        axes.set_xscale("log")
        axes.set_xlim(1, 1000)
        axes.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
        axes.set_xlabel("Work in the same time, in multiples of the other program")
        axes.tick_params(axis="y", which="both", length=0)
        figure.savefig(FOLDER / "headline.png", dpi=150)


if __name__ == "__main__":
    main()
