"""larmor solve --certify: proofs of sparse problems, compared with a transfer matrix in this file."""
# Rooms: ground_states

import json
import random
import resource
import signal
import time

import numpy as np
import pytest

from program import larmor
from running import start, stop_after

# The search is short, because its result hardly matters here.
SHORT = ["--anneal", "--sweeps", "2", "--repeats", "1", "--progress", "quiet"]


class Grid:
    """J from each site to the next sites on its right and below, for H = sum J s s."""

    def __init__(self, columns, rows, periodic, draw):
        self.columns, self.rows = columns, rows
        self.right = [[draw(x, y, 0) for x in range(columns)] for y in range(rows)]
        self.below = [[draw(x, y, 1) for x in range(columns)] for y in range(rows)]
        for y in range(rows):
            if not periodic[0]:
                self.right[y][-1] = None
            if not periodic[1] and y == rows - 1:
                self.below[y] = [None] * columns

    def write(self, path, seed=1):
        """Writes the problem. The sites have other numbers in the file."""
        sites = self.columns * self.rows
        name = list(range(sites))
        random.Random(seed).shuffle(name)
        rows = []
        for y in range(self.rows):
            for x in range(self.columns):
                here = name[y * self.columns + x]
                beside = name[y * self.columns + (x + 1) % self.columns]
                under = name[(y + 1) % self.rows * self.columns + x]
                for other, J in (beside, self.right[y][x]), (under, self.below[y][x]):
                    if J is not None:
                        rows.append(f"{here} {other} {J!r}")
        path.write_text("\n".join(rows) + "\n")
        return path


def merged(a, b):
    """Combines two sets of states. A set has the least energy, the next energy, and the number of
    states with the least energy."""
    low, next_one, count = np.minimum(a[0], b[0]), np.minimum(a[1], b[1]), 0
    for least, _, states in a, b:
        is_least = least <= low + 1e-9
        count = count + np.where(is_least, states, 0)
        next_one = np.where(is_least, next_one, np.minimum(next_one, least))
    return low, next_one, count


def transfer(grid, count_type):
    """The least energy, the next energy and the number of states, site by site. If the last row
    couples to the first row, the states of the first row are kept."""
    spins = [2 * ((np.arange(2**grid.columns) >> x) & 1) - 1 for x in range(grid.columns)]
    closes = grid.below[-1][0] is not None

    def along(y, x):
        J = grid.right[y][x]
        return 0 if J is None else J * spins[x] * spins[(x + 1) % grid.columns]

    energy = sum(along(0, x) for x in range(grid.columns)).astype(float)
    size = len(energy)
    first = np.where(np.eye(size, dtype=bool), energy, np.inf) if closes else energy[None]
    count = np.where(np.isfinite(first), 1, 0).astype(count_type)
    states = first, np.full(first.shape, np.inf), count
    for y in range(1, grid.rows):
        for x in range(grid.columns):
            cut = [part.reshape(len(first), size >> (x + 1), 2, 1 << x) for part in states]
            new = [np.empty_like(part) for part in cut]
            for s in 0, 1:
                J = grid.below[y - 1][x] * (2 * s - 1)
                up, down = ([p[:, :, t] for p in cut] for t in (1, 0))
                here = merged(
                    (up[0] + J, up[1] + J, up[2]), (down[0] - J, down[1] - J, down[2])
                )
                for part, value in zip(new, here):
                    part[:, :, s] = value
            states = [part.reshape(len(first), size) for part in new]
        inside = sum(along(y, x) for x in range(grid.columns))
        states = states[0] + inside, states[1] + inside, states[2]
    if closes:
        back = sum(
            J * s[:, None] * s[None, :] for J, s in zip(grid.below[-1], spins)
        )
        states = states[0] + back, states[1] + back, states[2]
    flat = [part.ravel() for part in states]
    least = flat[0].min()
    is_least = flat[0] <= least + 1e-9
    above = min(flat[0][~is_least].min(initial=np.inf), flat[1].min())
    return least, above - least, sum(int(n) for n in flat[2][is_least])


def signs(seed):
    draw = random.Random(seed)
    return lambda x, y, axis: draw.choice((-1, 1))


def normal(seed):
    draw = random.Random(seed)
    return lambda x, y, axis: draw.gauss(0, 1)


def fully_frustrated(x, y, axis):
    return -1 if axis == 0 or x % 2 == 0 else 1


def proof(path, *options):
    run = larmor("solve", path, "--certify", *SHORT, *options)
    assert run.returncode == 0, run.stderr
    return json.loads(path.with_name(f"{path.stem}-solution.json").read_text()), run.stdout


def energy_of(path, state):
    rows = [row.split() for row in path.read_text().splitlines()]
    return sum(float(J) * state[int(i)] * state[int(j)] for i, j, J in rows)


@pytest.mark.parametrize("size", [(10, 10), (10, 60), (5, 200)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("draw", [signs(3), normal(3), fully_frustrated], ids=["signs", "normal", "frustrated"])
@pytest.mark.parametrize("periodic", [False, True], ids=["free", "rings"])
def test_strips_have_the_ground_states_of_their_transfer_matrix(tmp_path, size, draw, periodic):
    grid = Grid(*size, (periodic, False), draw)
    path = grid.write(tmp_path / "strip.txt")
    found, text = proof(path)
    certificate = found["certificate"]
    least, gap, states = transfer(grid, object)
    assert certificate["method"] == "elimination"
    assert certificate["energy"] == pytest.approx(least, abs=1e-9)
    assert certificate["gap"] == pytest.approx(gap, abs=1e-9)
    assert int(certificate["degeneracy"]) == states
    assert isinstance(certificate["degeneracy"], str if states >= 2**53 else int)
    assert energy_of(path, certificate["state"]) == pytest.approx(least, abs=1e-9)
    assert f"{states} ground states" in text or len(str(states)) > 60


@pytest.mark.parametrize("draw", [signs(5), fully_frustrated], ids=["signs", "frustrated"])
def test_a_torus_has_the_ground_states_of_its_transfer_matrix(tmp_path, draw):
    grid = Grid(10, 10, (True, True), draw)
    path = grid.write(tmp_path / "torus.txt")
    begun = time.monotonic()
    certificate = proof(path)[0]["certificate"]
    assert time.monotonic() - begun < 120
    least, gap, states = transfer(grid, np.int64)
    assert (certificate["energy"], certificate["gap"]) == (least, gap)
    assert certificate["degeneracy"] == states
    assert energy_of(path, certificate["state"]) == least


def test_the_proof_is_lower_than_a_search_that_has_failed(tmp_path):
    path = Grid(20, 20, (False, False), normal(1)).write(tmp_path / "grid.txt")
    found, text = proof(path)
    certificate = found["certificate"]
    assert certificate["energy"] < found["best"]["energy"] - 0.1
    assert not certificate["search_found_it"]
    assert "the search has not found such a state" in text
    assert energy_of(path, certificate["state"]) == pytest.approx(certificate["energy"], abs=1e-9)
    assert certificate["degeneracy"] == 2


def test_long_chains_are_proved(tmp_path):
    draw = random.Random(7)
    path = tmp_path / "chain.txt"
    J = [draw.choice((-1, 1)) * draw.random() for _ in range(19999)]
    path.write_text("".join(f"{i} {i + 1} {value!r}\n" for i, value in enumerate(J)))
    certificate = proof(path)[0]["certificate"]
    assert certificate["energy"] == pytest.approx(-sum(map(abs, J)), abs=1e-8)
    assert certificate["gap"] == pytest.approx(2 * min(map(abs, J)), abs=1e-12)
    assert (certificate["degeneracy"], certificate["width"]) == (2, 1)


def test_long_numbers_of_states_are_whole(tmp_path):
    path = tmp_path / "pairs.txt"
    path.write_text("".join(f"{2 * n} {2 * n + 1} -1\n" for n in range(300)))
    found, text = proof(path)
    assert found["certificate"]["degeneracy"] == str(2**300)
    assert f"certificate: {str(2**300)[:30]}... (91 digits, all in the file) ground states" in text


def test_a_number_that_rounding_hides_is_not_told(tmp_path):
    path = tmp_path / "chain.txt"
    J = 2**0.5 / 3
    path.write_text("".join(f"{i} {i + 1} {J!r}\n" for i in range(45)) + "3 3 1.5e-11\n")
    found, text = proof(path)
    certificate = found["certificate"]
    assert certificate["energy"] == pytest.approx(-45 * J, abs=1e-10)
    assert (certificate["degeneracy"], certificate["gap"]) == (None, None)
    assert "the number of such states is unknown" in text


def test_no_thread_changes_a_certificate(tmp_path):
    path = Grid(16, 16, (False, False), signs(9)).write(tmp_path / "grid.txt")
    alone = proof(path, "--threads", "1")[0]["certificate"]
    assert proof(path, "--threads", "3", "--force")[0]["certificate"] == alone


def test_a_gpu_does_not_eliminate(tmp_path):
    path = Grid(7, 7, (False, False), signs(1)).write(tmp_path / "grid.txt")
    run = larmor("solve", path, "--certify", "--backend", "cuda", *SHORT)
    assert run.returncode == 2
    assert "too many to go through all states" in run.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["grid.txt"]


def test_tables_beyond_memory_are_told_before_the_search(tmp_path):
    path = Grid(12, 12, (True, True), signs(1)).write(tmp_path / "torus.txt")
    limit = 500 * 2**20
    run = larmor("solve", path, "--certify", "--threads", "1", *SHORT,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert run.returncode == 2, run.stderr
    assert "an elimination of the variables needs tables of up to" in run.stderr
    assert "are free under the limit of address space (ulimit -v)" in run.stderr
    assert run.stderr.count("error:") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["torus.txt"]


def test_an_end_leaves_the_solution_without_its_certificate(tmp_path):
    path = Grid(13, 12, (True, True), signs(1)).write(tmp_path / "torus.txt")
    run = larmor("solve", path, "--certify", "--threads", "1", *SHORT, "--seconds", "1")
    assert run.returncode == 0, run.stderr
    assert "certificate: none" in run.stdout
    solution = tmp_path / "torus-solution.json"
    assert "certificate" not in json.loads(solution.read_text())
    solution.unlink()
    process = start("solve", path, "--certify", "--threads", "1", *SHORT[:-2])
    returncode, out, _ = stop_after(process, 2, signal.SIGINT)
    assert returncode == 128 + signal.SIGINT
    assert "certificate: none" in out
    assert "certificate" not in json.loads(solution.read_text())


def test_a_limit_of_time_leaves_half_of_it_to_the_proof(tmp_path):
    (tmp_path / "ring.txt").write_text("".join(f"{i} {(i + 1) % 5} 1\n" for i in range(5)))
    done = larmor("solve", "ring.txt", "--certify", "--seconds", 0.6, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "ring-solution.json").read_text())
    assert found["certificate"]["energy"] == -3 and found["certificate"]["degeneracy"] == 10
