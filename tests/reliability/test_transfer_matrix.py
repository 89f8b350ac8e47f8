"""The transfer-matrix stage: exact numbers, bars, random strips compared with enumeration,
interruption, refused input."""
# Rooms: transfer, study

import json
import signal

import h5py
import numpy as np
import pytest

from program import larmor, run_study
from running import start, stop_once_there

T_C = 2.269185314213022
STAGE = f'[[stage]]\nkind = "transfer-matrix"\ntemperature = {T_C}\n'
EXCHANGE = "[[exchange]]\nshell = 1\nJ = 1\n"


def study(grid, more="", stage=STAGE, exchange=EXCHANGE, replicas=1):
    return f'replicas = {replicas}\n[model]\nkind = "ising"\n[lattice]\ngrid = {grid}\n{more}\n{exchange}{stage}'


def numbers_of(path):
    found = {}
    with h5py.File(path) as file:
        file["stages/01-transfer-matrix"].visititems(
            lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
    return found


def results_of(folder, text):
    done, path = run_study(folder, text, "--progress", "quiet", "--force")
    assert done.returncode == 0, done.stderr
    return numbers_of(path)


def test_a_periodic_strip_has_kaufmans_eigenvalues(tmp_path):
    found = results_of(tmp_path, study([8, 2], stage=STAGE + "domain_wall = true\n"))
    # The numbers come from free fermions, to 20 digits.
    assert found["even/ln_eigenvalue"][0] == pytest.approx(
        [7.4705965872821033924, 6.6951025124409877804, 6.0221386919831395329], rel=1e-13)
    assert found["odd/ln_eigenvalue"][0] == pytest.approx(
        [7.3717624091601666393, 6.6239430075713607676, 6.6239430075713607676], rel=1e-13)
    assert found["correlation_length_odd"][0] == pytest.approx(1 / (7.4705965872821033924 - 7.3717624091601666393))
    # The square lattice is self-dual, so the energy at T_c is -sqrt(2) for any circumference.
    assert found["energy"][0] == pytest.approx(-(2**0.5), rel=1e-13)
    assert 0 < found["magnetisation_squared"][0] < found["absolute_magnetisation"][0] < 1


def test_bars_and_chains(tmp_path):
    # The number for a periodic 3 x 3 cross-section at T = 4 comes from the Lanczos method of scipy.
    found = results_of(tmp_path, study([3, 3, 2], stage=STAGE.replace(f"{T_C}", "4.0")))
    assert found["even/ln_eigenvalue"][0, :2] == pytest.approx([7.510561619639677, 6.030036269969363], rel=1e-13)
    found = results_of(tmp_path, study([5]))
    assert found["free_energy"][0] == pytest.approx(-T_C * np.log(2 * np.cosh(1 / T_C)), rel=1e-14)
    assert found["energy"][0] == pytest.approx(-np.tanh(1 / T_C), rel=1e-13)


def test_cold_random_strips_have_the_energy_of_their_ground_state(tmp_path):
    exchange = EXCHANGE + 'disorder = 0.7\ndisorder_distribution = "normal"\ndisorder_by_replica = true\n'
    stage = STAGE.replace(f"{T_C}", "[0.001, 1.5]")
    text = study([3, 4], "periodic = [true, false]", stage, exchange, replicas=2)
    found = results_of(tmp_path, text)
    assert found["ln_Z"].shape == (2, 2)
    for sample in range(2):
        done = larmor("solve", "study.toml", "--sample", sample, "--certify", "--force", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        least = json.loads((tmp_path / "study-solution.json").read_text())["best"]["energy"]
        # There are two ground states, which differ by a flip of all spins.
        assert -0.001 * found["ln_Z"][0, sample] == pytest.approx(least - 0.001 * np.log(2), rel=1e-9)
    assert found["free_energy"][0, 0] == pytest.approx(-0.001 * found["ln_Z"][0, 0] / 12)


def test_exponents_of_random_strips(tmp_path):
    # One column: T of a row is 2 cosh K for even and 2 sinh K for odd vectors.
    exchange = EXCHANGE + "disorder = 0.5\ndisorder_seed = 3\n"
    text = study([1, 400], "periodic = [false, false]", STAGE + "lyapunov = 1\n", exchange)
    found = results_of(tmp_path, text)
    even, odd = (found[f"{sector}/lyapunov_exponent"][0, 0, 0] for sector in ("even", "odd"))
    assert even == pytest.approx((found["ln_Z"][0, 0] - np.log(2)) / 399, rel=1e-12)
    # <s_0 s_N> is the product of tanh K, so its decay is the mean of ln |tanh K|.
    K = np.random.default_rng(1).normal(1, 0.5, 100000) / T_C
    assert odd - even == pytest.approx(np.mean(np.log(np.abs(np.tanh(K)))), abs=0.2)
    assert odd < even


def test_couplings_that_differ_along_the_axes(tmp_path):
    exchange = "[[exchange]]\noffset = [[1, 0, 0]]\nJ = 0.6\n[[exchange]]\noffset = [[0, 1, 0]]\nJ = 1.3\n"
    by_offset = results_of(tmp_path, study([5, 3], exchange=exchange))
    pairs = [[5 * r + i, 5 * r + (i + 1) % 5] for r in range(3) for i in range(5)]
    along = [[5 * r + i, 5 * ((r + 1) % 3) + i] for r in range(3) for i in range(5)]
    exchange = f"[[exchange]]\npairs = {along}\nJ = 1.3\n[[exchange]]\npairs = {pairs}\nJ = 0.6\n"
    by_pairs = results_of(tmp_path, study([5, 3], exchange=exchange))
    assert by_pairs["even/ln_eigenvalue"] == pytest.approx(by_offset["even/ln_eigenvalue"], rel=1e-13)
    # Self-dual couplings, sinh 2 K_x sinh 2 K_t = 1, are critical; these are not.
    assert by_offset["correlation_length_odd"][0] != pytest.approx(4 * 5 / np.pi, rel=0.05)


def energies_of_strip(fields):
    """H of all states of a strip of rows of three sites with free ends, J = 1."""
    rows = len(fields)
    bits = np.arange(2 ** (3 * rows))[:, None] >> np.arange(3 * rows) & 1
    s = 2.0 * bits.reshape(-1, rows, 3) - 1
    return -((s * np.roll(s, 1, 2)).sum((1, 2)) + (s[:, 1:] * s[:, :-1]).sum((1, 2)) + (s * fields).sum((1, 2)))


def test_fields_of_sites_are_those_of_an_enumeration(tmp_path):
    # Only the second row has a field: the first row does not tell that there is one.
    fields = np.zeros((4, 3))
    fields[1] = [0.7, -1.9, 0.4]
    field = f"[field]\nh_by_site = {fields.ravel().tolist()}\n"
    stage = field + STAGE.replace(f"{T_C}", f"[0.01, {T_C}]") + "lyapunov = 2\n"
    found = results_of(tmp_path, study([3, 4], "periodic = [true, false]", stage))
    H = energies_of_strip(fields)
    for t, T in enumerate((0.01, T_C)):
        least = H.min()
        exact = np.log(np.exp(-(H - least) / T).sum()) - least / T
        assert found["ln_Z"][t, 0] == pytest.approx(exact, rel=1e-13)
    assert "all/lyapunov_exponent" in found and "even/lyapunov_exponent" not in found
    done = larmor("solve", "study.toml", "--certify", "--force", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "study-solution.json").read_text())["best"]["energy"] == pytest.approx(H.min())


def test_fields_of_equal_rows_make_an_infinite_strip(tmp_path):
    fields = np.array([0.3, -0.2, 0.5])
    field = f"[field]\nh_by_site = {2 * fields.tolist()}\n"
    found = results_of(tmp_path, study([3, 2], stage=field + STAGE))
    s = 2.0 * (np.arange(8)[:, None] >> np.arange(3) & 1) - 1
    row = (s * np.roll(s, 1, 1)).sum(1) + s @ fields
    matrix = np.exp((s @ s.T + (row + row[:, None]) / 2) / T_C)
    exact = np.log(np.linalg.eigvalsh(matrix)[::-1])
    assert found["all/ln_eigenvalue"][0, :2] == pytest.approx(exact[:2], rel=1e-12)


def test_equal_rows_with_bonds_in_another_order_are_an_infinite_strip(tmp_path):
    pairs = "[[0, 1], [1, 2], [3, 4], [5, 4]]"
    exchange = f"[[exchange]]\npairs = {pairs}\nJ = 0.7\n[[exchange]]\npairs = [[0, 3], [1, 4], [2, 5]]\nJ = 1\n"
    found = results_of(tmp_path, study([3, 2], "periodic = [false, false]", exchange=exchange))
    assert "even/ln_eigenvalue" in found
    # Disorder makes rows differ, even where values are equal by chance.
    exchange = EXCHANGE.replace("J = 1", "J = 0") + 'disorder = 1\ndisorder_distribution = "bimodal"\n'
    found = results_of(tmp_path, study([1, 2], "periodic = [false, false]", exchange=exchange))
    assert found["ln_Z"][0, 0] == pytest.approx(np.log(4 * np.cosh(1 / T_C)), rel=1e-14)


def test_an_interrupted_stage_goes_on_with_equal_numbers(tmp_path):
    text = study([16, 2], stage=STAGE.replace(f"{T_C}", "{ from = 3.0, to = 1.5, points = 30 }"))
    whole = results_of(tmp_path, text)
    cut = tmp_path / "cut.h5"
    process = start("run", tmp_path / "study.toml", "-o", cut, "--checkpoint-every", "0.05")
    stop_once_there(process, tmp_path / "cut.h5.ckpt", signal.SIGKILL)
    done = larmor("resume", cut)
    assert done.returncode == 0, done.stderr
    again = numbers_of(cut)
    assert whole.keys() == again.keys()
    for name, values in whole.items():
        assert (again[name] == values).all(), name


@pytest.mark.parametrize("text, parts", [
    (study([40, 2]), ["2^40", "bytes", "shorter"]),
    (study([6, 1], "periodic = [true, false]"), ["one row", "last axis"]),
    (study([4, 4], exchange=EXCHANGE + "disorder = 0.5\n"), ["rows differ", "periodic"]),
    (study([4, 2], 'periodic = [false, true]', STAGE + "domain_wall = true\n"), ["domain_wall", "periodic first axis"]),
    (study([4, 2], stage=STAGE.replace("temperature = 2.269185314213022\n", "")), ["temperature", "missing"]),
    (study([4, 2], stage=STAGE.replace(f"{T_C}", "0.0")), ["temperature", "positive"]),
    (study([4, 2], stage=STAGE + "basis = 4\n"), ["basis = 4", "levels"]),
    (study([6, 2], stage=STAGE + "domain_wall = true\n", exchange=EXCHANGE + "[[exchange]]\noffset = [[2, 0, 0]]\nJ = -0.3\n"),
     ["domain_wall", "nearest neighbours", "shell 1"]),
    (study([4, 2], stage=STAGE + "lyapunov = 2\n"), ["lyapunov", "all rows of this strip are equal"]),
    (study([4, 2], exchange=EXCHANGE + "[[exchange]]\nshell = 2\nJ = 1\n"), ["another place of a row", "last axis"]),
    (study([4, 2], stage="[field]\nh_by_site = [1, 2]\n" + STAGE), ["2 numbers for 8 sites", "one for each site"]),
    (study([2, 2], stage="[field]\nh = 1\nh_by_site = [1, 2, 3, 4]\n" + STAGE), ["both h and h_by_site"]),
    (study([2, 2], stage="[field]\nh_by_site = [1, 2, 3, 4]\n" + STAGE.replace("transfer-matrix", "monte-carlo")),
     ["one field for all sites", "give h"]),
    (study([2, 2], stage="[field]\nh_by_site = [1, 2, 3, 4]\n" + STAGE.replace("transfer-matrix", "monte-carlo")
           + 'sampler = "wolff"\n'), ["one field for all sites", "give h"]),
], ids=["wide", "one_row", "closed", "wall", "no_temperature", "cold", "basis", "wall_of_far_bonds", "exponents", "next_nearest",
        "few_fields", "two_fields", "local_updates", "wolff"])
def test_bad_input_is_refused_in_one_message(tmp_path, text, parts):
    failed, path = run_study(tmp_path, text)
    assert failed.returncode == 2
    for part in parts:
        assert part in failed.stderr, failed.stderr
    assert not path.exists()
