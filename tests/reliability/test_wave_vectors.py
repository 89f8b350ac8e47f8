"""The wave vectors that tables request: grids, and refusals with equal words for every table."""
# Rooms: correlations, study

import h5py
import numpy as np
import pytest

from program import larmor, run_study

SYSTEM = """
seed = 3
replicas = 3
[lattice]
type = "triangular"
size = [4, 3]
periodic = {periodic}
[[exchange]]
shell = 1
J = 1.0
[initial]
state = "{state}"
"""
DYNAMICS = """
[[stage]]
kind = "dynamics"
timestep = 0.05
steps = 20
measure = [{measure}]
"""


def run(tmp_path, stage, state="random", periodic="true"):
    return run_study(tmp_path, SYSTEM.format(state=state, periodic=periodic) + stage)


def measured(keys):
    return DYNAMICS.format(measure=f'{{ {keys}{", " if keys else ""}what = "structure-factor", every = 5 }}')


@pytest.mark.parametrize("method", ["auto", "factorised", "real-space"])
def test_grid_is_the_list_of_its_wave_vectors(tmp_path, method):
    wanted = [[x / 4, y / 3, 0] for y in range(3) for x in range(4)]
    common = f'what = "structure-factor", every = 5, method = "{method}"'
    done, output = run(tmp_path, DYNAMICS.format(
        measure=f"{{ {common}, grid = true }}, {{ {common}, q = {wanted} }}"))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        grid, listed = (file["stages/01-dynamics"][name]
                        for name in ("structure-factor", "structure-factor-2"))
        np.testing.assert_allclose(grid["q"][:], wanted, atol=1e-15)
        assert grid["grid"][:].tolist() == [4, 3, 1] and "grid" not in listed
        for name in ("intensity", "intermediate", "static"):
            np.testing.assert_allclose(grid[name][:], listed[name][:], rtol=0, atol=1e-12)
    shown = larmor("show", output).stdout
    assert "structure-factor: 12 wave vectors (grid of 4 x 3 x 1), 9 frequencies" in shown
    assert "structure-factor-2: 12 wave vectors, 9 frequencies" in shown


TABLES = {
    "structure-factor": measured,
    "pair-correlations": '[[stage]]\nkind = "pair-correlations"\n{}\n'.format,
    "spin-waves": '[[stage]]\nkind = "spin-waves"\n{}\n'.format,
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("keys", "periodic", "words"), [
    (("grid = true", "q = [[0, 0, 0]]"), "true", "{} has several of path, q and grid"),
    (("grid = true", "path = ['G', 'M']"), "true", "{} has several of path, q and grid"),
    (("path = ['G', 'M']", "q = [[0, 0, 0]]"), "true", "{} has several of path, q and grid"),
    ((), "true", "{} lacks its wave vectors"),
    (("grid = false",), "true", "{} lacks its wave vectors"),
    (("points = 5",), "true", "{} has points without a path"),
    (("q = [[0, 0, 0]]", "points = 5"), "true", "{} has points without a path"),
    (("path = ['G', 'nowhere']",), "true", "nowhere"),
    (("grid = true",), "[true, false]", "open along lattice vector 2"),
])
def test_one_choice_is_asked_for_everywhere(tmp_path, table, keys, periodic, words):
    separator = ", " if table == "structure-factor" else "\n"
    done, output = run(tmp_path, TABLES[table](separator.join(keys)), "aligned", periodic)
    assert done.returncode == 2 and done.stderr.count("error:") == 1, done.stderr
    assert words.format(table) in done.stderr and "study.toml:" in done.stderr
    assert not output.exists()


@pytest.mark.parametrize(("keys", "at"), [
    ('q = [[0, 0, 0], [0.1, 0, 0]], method = "fft"', "method"),
    ('q = [[0, 0, 0], [1e300, 0, 0]]', "q"),
    ('path = ["G", "nowhere"]', "path"),
    ('grid = true, points = 3', "points"),
    ('grid = true, method = "real-space", origins = "all"', "method"),
    ('grid = true, components = true', "components"),
    ('grid = true, window_width = 0.3', "window_width"),
    ('grid = true, error_blocks = 3', "error_blocks"),
    ('grid = true, temperature = 1.0', "temperature"),
])
def test_messages_point_at_the_key(tmp_path, keys, at):
    table = measured(keys)
    done, output = run(tmp_path, table)
    assert done.returncode == 2 and not output.exists(), done.stderr
    line = next(text for text in table.splitlines() if "measure" in text)
    column = line.index(f"{at} = ") + len(f"{at} = ") + 1
    number = SYSTEM.format(state="random", periodic="true").count("\n") + table[:table.index(
        "measure")].count("\n") + 1
    assert f"study.toml:{number}:{column}: error:" in done.stderr, done.stderr


def test_other_measurements_have_no_wave_vectors(tmp_path):
    done, _ = run(tmp_path, DYNAMICS.format(measure='{ what = "energy", every = 5, grid = true }'))
    assert done.returncode == 2 and "belongs to structure-factor, not to energy" in done.stderr


def test_memory_of_a_grid_is_forecast(tmp_path):
    text = (SYSTEM.format(state="random", periodic="true").replace("[4, 3]", "[1000, 1000]")
            + measured("grid = true").replace("steps = 20", "steps = 20000"))
    study = tmp_path / "study.toml"
    study.write_text(text)
    done = larmor("check", study)
    # The study has 4001 samples of 10^6 wave vectors. It needs a product for each replica and
    # component, twice.
    assert done.returncode == 3 and "GiB of memory" in done.stderr, done.stdout + done.stderr
    assert "for the measurements of stage 1, dynamics" in done.stderr
