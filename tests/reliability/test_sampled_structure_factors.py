"""S(q) at equal times that Monte Carlo samples, compared with its definition and with exact
results. Restarts, ranks and refusals are tested, too."""
# Rooms: correlations, study

import re
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest

from program import assert_same_bits, command, datasets, larmor, run_study
from ranks import assert_ranks_change_no_bit, needs_ranks

SQUARE = """
seed = 5
replicas = {replicas}
[lattice]
type = "square"
size = [6, 4]
[[exchange]]
shell = 1
J = 1.0
{terms}
[initial]
state = "random"
[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
temperature = {temperature}
thermalisation = 20
sweeps = {sweeps}
measure_every = 5
keep_configurations = {replicas}
trajectory_every = {trajectory}
measure = [{measure}]
"""
# The lattice has vacancies, and the moments have no inversion symmetry, so xy has an imaginary
# part.
VACANCIES = """
[[dmi]]
shell = 1
strength = 0.6
direction = "interface"
[field]
B = [0.1, 0.2, 0.5]
[[alloy]]
by = "vacancy"
sites = [4, 9]
"""
LISTED = "q = [[0, 0, 0], [0.5, 0.25, 0], [0.21, -0.4, 0]]"


def write(replicas=3, temperature="[0.7, 0.4]", sweeps=60, measure="", terms=VACANCIES, trajectory=1):
    return SQUARE.format(replicas=replicas, temperature=temperature, sweeps=sweeps, measure=measure,
                         terms=terms, trajectory=trajectory)


def factor_table(*keys):
    return "{ " + ", ".join(("what = 'structure-factor'", *keys)) + " }"


def factors(file):
    stage = file["stages/01-monte-carlo"]
    names = [name for name in stage if name.startswith("structure-factor")]
    return [stage[name] for name in sorted(names, key=lambda name: (len(name), name))]


def tensor_of(factor):
    parts = factor["tensor"][:]
    return parts[..., 0] + 1j * parts[..., 1]


def amplitudes(file, factor):
    """A(q): [temperature, sample, replica, Q, 3], from the stored configurations."""
    spins = file["stages/01-monte-carlo/trajectory/value"][:]
    spins = spins.reshape(len(factor["temperature"]), -1, *spins.shape[1:])
    phases = np.exp(-1j * factor["q_cartesian"][:] @ file["model/positions"][:].T)
    return np.einsum("qr,ptmra->ptmqa", phases, spins)


def assert_close(one, other):
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * np.abs(other).max())


@pytest.mark.parametrize("every", [5, 10])
def test_samples_are_those_of_the_configurations(tmp_path, every):
    keys = ("components = true", f"every = {every}")
    done, output = run_study(tmp_path, write(measure=", ".join([
        factor_table(LISTED, *keys), factor_table("grid = true", "method = 'fft'", *keys),
        factor_table("grid = true", "method = 'factorised'", *keys)])))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        for factor in factors(file):
            A = amplitudes(file, factor)[:, every // 5 - 1::every // 5]
            expected = np.einsum("ptmqa,ptmqb->pqab", A, A.conj()) / (22 * A.shape[1] * 3)
            assert_close(tensor_of(factor), expected)
            assert_close(factor["static"][:], np.trace(expected, axis1=2, axis2=3).real)
            assert np.abs(expected.imag).max() > 0.01
            assert factor["temperature"][:].tolist() == [0.7, 0.4]
            assert factor["samples"][:].tolist() == [3 * A.shape[1]] * 2
            # Errors are positive, except for exact zeros: S^aa is real.
            error = factor["tensor_error"][:]
            assert np.all(error[..., 0] > 0) and np.all(error[..., range(3), range(3), 1] == 0)
        methods = [factor.attrs["method"] for factor in factors(file)]
        assert methods == ["factorised", "fft", "factorised"]


def connected_of(A):
    """Connected S(q) from the means over samples for all pairs of different replicas; [temperature, Q, 3,
    3]."""
    M = A.shape[2]
    mean = A.mean(axis=1)
    sums = sum(np.einsum("pqa,pqb->pqab", mean[:, m], mean[:, n].conj())
               for m in range(M) for n in range(M) if m != n)
    plain = np.einsum("ptmqa,ptmqb->pqab", A, A.conj()) / (A.shape[1] * M)
    return (plain - sums / (M * (M - 1))) / 22


def test_connected_subtracts_the_means_of_pairs_of_replicas(tmp_path):
    done, output = run_study(tmp_path, write(replicas=5, measure=factor_table(
        LISTED, "components = true", "connected = true")))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        (factor,) = factors(file)
        A = amplitudes(file, factor)
        assert_close(tensor_of(factor), connected_of(A))
        left = np.array([np.trace(connected_of(np.delete(A, m, axis=2)), axis1=2, axis2=3).real
                         for m in range(5)])
        assert_close(factor["static_error"][:], np.sqrt(4 * left.var(axis=0)))
        assert factor.attrs["connected"] == 1 and "autocorrelation_time" not in factor


@pytest.mark.parametrize("replicas", [2, 3])
def test_connected_has_no_offset(tmp_path, replicas):
    """Independent spins in a field have 1 - L^2 everywhere. There is one sample each, of few
    replicas."""
    text = write(replicas, temperature=str([0.5] * 300), sweeps=5, trajectory=0,
                 terms="[field]\nB = [0, 0, 1]\n",
                 measure=factor_table("grid = true", "connected = true"))
    done, output = run_study(tmp_path, text.replace("J = 1.0", "J = 1e-9"))
    assert done.returncode == 0, done.stderr
    L = 1 / np.tanh(2) - 1 / 2
    with h5py.File(output) as file:
        value = factors(file)[0]["static"][:]
    assert value.shape == (300, 24)
    error = value.std(axis=0, ddof=1) / np.sqrt(300)
    assert np.abs((value.mean(axis=0) - (1 - L ** 2)) / error).max() < 4
    assert abs(value.mean() / (1 - L ** 2) - 1) < 0.03


def test_two_replicas_have_no_errors_of_connected_ones(tmp_path):
    done, output = run_study(tmp_path, write(
        replicas=2, measure=factor_table(LISTED, "connected = true")))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        assert np.all(np.isnan(factors(file)[0]["static_error"][:]))


def test_a_paramagnet_is_one_everywhere(tmp_path):
    terms = "[[random-field]]\nwidth = 1e-9\n"
    text = write(replicas=9, temperature="1.0", sweeps=1000, trajectory=0, terms=terms, measure=", ".join([
        factor_table("grid = true", "components = true"), factor_table("grid = true", "connected = true")]))
    done, output = run_study(tmp_path, text.replace("J = 1.0", "J = 1e-9"))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        for factor in factors(file):
            value, error = factor["static"][0], factor["static_error"][0]
            pull = (value - 1) / error
            # The wave vectors q and -q give equal numbers.
            assert np.abs(pull).max() < 4 and 0.5 < np.mean(pull ** 2) < 1.7
        plain, connected = (factor["static"][0] for factor in factors(file))
        assert abs(plain.mean() - 1) < 1e-12
        assert np.abs(plain - connected).max() > 1e-6
        tensor = tensor_of(factors(file)[0])[0]
        error = factors(file)[0]["tensor_error"][0]
        pull = (tensor[:, 0, 1].real / error[:, 0, 1, 0])
        assert np.abs(pull).max() < 4 and np.mean(pull ** 2) < 2


def test_chain_against_the_exact_result(tmp_path):
    done, output = run_study(tmp_path, """
seed = 11
replicas = 16
[lattice]
type = "chain"
size = 128
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
over_relaxation = 2
temperature = [1.0, 0.5]
thermalisation = 500
sweeps = 3000
measure_every = 5
measure = [{ what = "structure-factor", path = ["Γ", "X"] }]
""")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        (factor,) = factors(file)
        q = factor["q"][:, 0]
        assert len(q) == 65
        for value, error, K in zip(factor["static"], factor["static_error"], (1.0, 2.0)):
            u = 1 / np.tanh(K) - 1 / K
            exact = (1 - u ** 2) / (1 + u ** 2 - 2 * u * np.cos(2 * np.pi * q))
            pull = (value - exact) / error
            assert np.abs(pull).max() < 4 and 0.5 < np.mean(pull ** 2) < 1.7
            assert np.all(error < 0.05 * exact)
        assert np.all(factor["reliable"][:] == 1)
    assert "too few samples to be sure" not in [
        line for line in larmor("show", output).stdout.splitlines() if "structure-factor" in line][0]


def test_disorder_by_replica_scatters_by_replica(tmp_path):
    text = write(replicas=20, temperature="0.5", measure=factor_table(LISTED),
                 terms="[[random-field]]\nwidth = 1.0\nby_replica = true\n")
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        (factor,) = factors(file)
        A = amplitudes(file, factor)[0]
        of_replicas = (np.abs(A) ** 2).sum(axis=-1).mean(axis=0) / 24
        scatter = of_replicas.std(axis=0, ddof=1) / np.sqrt(20)
        # The bound is wider by Student's t.
        assert np.all(factor["static_error"][0] > scatter)
        assert np.all(factor["static_error"][0] < 1.05 * scatter)


def test_other_measurements_do_not_notice(tmp_path):
    (tmp_path / "plain").mkdir()
    _, plain = run_study(tmp_path / "plain", write(measure="'energy-terms'"))
    done, output = run_study(tmp_path, write(
        measure=f"'energy-terms', {factor_table(LISTED, 'every = 7')}"))
    assert done.returncode == 0, done.stderr
    with_factors = {name: bits for name, bits in datasets(output).items()
                    if "structure-factor" not in name}
    assert with_factors == datasets(plain)


LONG = ", ".join([factor_table("grid = true", "every = 3", "components = true"),
                  factor_table(LISTED, "connected = true")])


def test_killed_runs_go_on_with_the_same_bits(tmp_path):
    study, whole, output = (tmp_path / name for name in ("study.toml", "whole.h5", "parts.h5"))
    study.write_text(write(replicas=9, sweeps=20000, trajectory=0, measure=LONG))
    assert larmor("run", study, "-o", whole).returncode == 0
    checkpoint = output.with_suffix(".h5.ckpt")
    for arguments in (["run", study, "-o", output], ["resume", output]):
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        process = subprocess.Popen(command(*arguments, "--checkpoint-every", "0.05", "--progress", "quiet"))
        deadline = time.monotonic() + 60
        while (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before) and (
                process.poll() is None and time.monotonic() < deadline):
            time.sleep(0.005)
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(whole, output)


@needs_ranks
@pytest.mark.parametrize("replicas, size", [(1, "[64, 96]"), (20, "[12, 16]")])
def test_ranks_change_no_bit(tmp_path, replicas, size):
    """Ranks with their own replicas, and ranks that share one lattice."""
    second = factor_table(LISTED, f"connected = {str(replicas > 1).lower()}")
    study = tmp_path / "study.toml"
    study.write_text(write(replicas, sweeps=200, trajectory=0, terms="", measure=", ".join([
        factor_table("grid = true", "method = 'fft'", "every = 3", "components = true"), second,
    ])).replace("[6, 4]", size))
    assert_ranks_change_no_bit(study)


def test_show_and_the_completed_study_tell_of_it(tmp_path):
    done, output = run_study(tmp_path, write(measure=f"'energy', {factor_table('grid = true')}"))
    assert done.returncode == 0, done.stderr
    shown = larmor("show", output).stdout
    with h5py.File(output) as file:
        (factor,) = factors(file)
        largest = factor["static"][1].argmax()
        unsure = (factor["reliable"][:] == 0).sum()
        q = ", ".join(f"{number:.6g}" for number in factor["q"][largest])
        completed = file["study/completed"][()].decode()
    assert (f"structure-factor: 24 wave vectors (grid of 6 x 4 x 1), 2 temperature(s), at the last "
            f"largest ") in shown
    assert f"at q = [{q}]" in shown
    assert 0 < unsure and f"(too few samples to be sure of {unsure} of 48 errors)" in shown
    again = tmp_path / "again"
    again.mkdir()
    repeated, other = run_study(again, completed)
    assert repeated.returncode == 0, repeated.stderr
    assert_same_bits(output, other)
    explained = larmor("explain", "monte-carlo.measure").stdout
    assert "every: whole number" in explained and "connected: " in explained


@pytest.mark.parametrize("terms, keys, replicas, words", [
    ("", ["connected = true"], 19, "too few replicas to be sure of 48 of 48 errors"),
    ("", ["connected = true"], 20, None),
    ("[[random-field]]\nwidth = 1.0\nby_replica = true\n", [], 19,
     "too few replicas to be sure of 48 of 48 errors"),
])
def test_show_says_what_errors_lack(tmp_path, terms, keys, replicas, words):
    done, output = run_study(tmp_path, write(
        replicas, terms=terms, trajectory=0, measure=factor_table("grid = true", *keys)))
    assert done.returncode == 0, done.stderr
    (shown,) = [line for line in larmor("show", output).stdout.splitlines()
                if "structure-factor" in line]
    assert words in shown if words else "to be sure" not in shown
    with h5py.File(output) as file:
        assert factors(file)[0].attrs["errors"] == "replicas"


def forecast_seconds(study):
    done = larmor("check", study)
    assert done.returncode == 0, done.stderr
    (words,) = re.findall(r"time +about (.*)", done.stdout)
    return sum(float(number) * {"s": 1, "min": 60, "h": 3600, "d": 86400}[unit]
               for number, unit in re.findall(r"([\d.]+) (s|min|h|d)", words))


def test_the_time_that_it_takes_is_forecast(tmp_path):
    """4096 wave vectors, whose sums take longer than many sweeps, also on a GPU."""
    study, seconds = tmp_path / "study.toml", []
    for every in (1000, 5):
        study.write_text(write(8, sweeps=10000, terms="", trajectory=0, measure=factor_table(
            "grid = true", "method = 'factorised'", f"every = {every}")).replace("[6, 4]", "[64, 64]"))
        seconds.append(forecast_seconds(study))
    assert seconds[1] > 5 * seconds[0]


def test_a_measure_every_beyond_the_sweeps_is_blamed_itself(tmp_path):
    text = write(sweeps=10, trajectory=0, measure=factor_table("grid = true"))
    done, _ = run_study(tmp_path, text.replace("measure_every = 5", "measure_every = 20"))
    assert done.returncode == 2 and "monte-carlo measures every 20 sweeps" in done.stderr
    assert "give a smaller measure_every" in done.stderr


@pytest.mark.parametrize("measure, words", [
    ("'structure-factor'", "lacks its wave vectors"),
    ("{ what = 'structure-factor' }", "lacks its wave vectors"),
    ("{ path = ['G', 'X'] }", "what"),
    (factor_table("grid = true", LISTED), "several of path, q and grid"),
    (factor_table("path = ['G', 'nowhere']"), "nowhere"),
    (factor_table("grid = true", "every = 61"), "every 61 sweeps"),
    (factor_table("grid = true", "every = 0"), "every must be at least 1"),
    (factor_table("grid = true", "window = 'hann'"), "window"),
    (factor_table("grid = true", "method = 'real-space'"), "factorised, fft"),
    (factor_table(LISTED, "method = 'fft'"), "factorised"),
    ("{ what = 'energy' }", "whenever the stage measures"),
    ("{ what = 'energi' }", "did you mean 'energy'"),
    ("'energi'", "did you mean 'energy'"),
    ("4", "an entry of measure"),
])
def test_what_makes_no_sense_is_refused(tmp_path, measure, words):
    done, output = run_study(tmp_path, write(measure=measure))
    assert done.returncode == 2 and done.stderr.count("error:") == 1, done.stderr
    assert words in done.stderr and "study.toml:" in done.stderr, done.stderr
    assert not output.exists()


@pytest.mark.parametrize("replicas, terms, words", [
    (1, "", "two replicas"),
    (4, "[[random-field]]\nwidth = 1.0\nby_replica = true\n", "different couplings"),
])
def test_connected_needs_replicas_alike(tmp_path, replicas, terms, words):
    done, _ = run_study(tmp_path, write(
        replicas, terms=terms, measure=factor_table("grid = true", "connected = true")))
    assert done.returncode == 2 and words in done.stderr, done.stderr


def test_memory_of_a_grid_is_forecast(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(write(replicas=1000, sweeps=100000, terms="", trajectory=0, measure=factor_table(
        "grid = true", "components = true")).replace("[6, 4]", "[1024, 1024]"))
    done = larmor("check", study)
    # 2^20 wave vectors, 1000 replicas, 10 components, 15 levels of 3 numbers, twice: 7 TiB.
    assert done.returncode == 3 and "TiB of memory" in done.stderr, done.stdout + done.stderr
