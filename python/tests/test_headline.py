"""The numbers in the chart of the README equal those on the pages that it names."""

import csv
import pathlib

import pytest

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "benchmarks"
with open(PAGES / "headline.csv", newline="") as file:
    ROWS = list(csv.DictReader(file))


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['peer']}: {row['work']}" for row in ROWS])
def test_numbers_stand_in_one_table_of_the_page(row):
    lines = (PAGES / row["page"]).read_text().splitlines()
    ours = [n for n, line in enumerate(lines) if line.startswith("|") and row["ours"] in line]
    theirs = [n for n, line in enumerate(lines) if line.startswith("|") and row["theirs"] in line]
    assert ours and theirs, row
    assert min(abs(one - other) for one in ours for other in theirs) < 20
