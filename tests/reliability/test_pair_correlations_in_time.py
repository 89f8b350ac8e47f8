"""C(r, r', t) and S(r, w) of a dynamics stage, compared with sums over stored configurations and
with the structure factor of the run. Resumed runs and refusals are tested, too."""
# Rooms: correlations, study

import signal

import h5py
import numpy as np
import pytest

from program import BACKEND, assert_same_bits, larmor, run_study
from running import start, stop_after, wait_until_there

SYSTEM = """
seed = 5
replicas = {replicas}
[lattice]
{lattice}
[[exchange]]
shell = 1
J = 1.0
[field]
B = [0, 0, 0.4]
{more}
[initial]
state = "random"
[[stage]]
kind = "dynamics"
timestep = 0.05
steps = {steps}
measure = [
{measure}
]
"""

SQUARE = 'type = "square"\nsize = [5, 4]\nperiodic = [true, false]'
HONEYCOMB = 'type = "honeycomb"\nsize = [4, 3]'
TRAJECTORY = '{{ what = "trajectory", every = {every}, replicas = {replicas} }},\n'
VACANT = (4, 9)
VACANCIES = f'[[alloy]]\nby = "vacancy"\nsites = {list(VACANT)}\n'
INTERVAL, SAMPLES, REPLICAS = 0.2, 7, 6


def run(folder, measure, lattice=SQUARE, more="", replicas=REPLICAS, steps=24, options=()):
    text = SYSTEM.format(replicas=replicas, lattice=lattice, more=more, steps=steps,
                         measure=measure)
    return run_study(folder, text, *options)


def entry(*keys):
    return "{ " + ", ".join(['what = "pair-correlations"', "every = 4", *keys]) + " },\n"


def stage_of(file):
    return file["stages/01-dynamics"]


def correlations(file, connected, replicas=slice(None)):
    """C [T, N, N] from the stored configurations, with e_r at the first time and e_r' at each
    time."""
    spins = stage_of(file)["trajectory/value"][:, replicas]
    if connected:
        spins = spins - spins.mean(axis=1, keepdims=True)
    count = spins.shape[1]
    return np.einsum("mra,tmsa->trs", spins[0], spins) / (count - 1 if connected else count)


def spectrum(forward, backward, window):
    """Sum of C over the lags from -(T - 1) to T - 1. Negative lags use `backward`. [F, ...]"""
    lags = np.arange(len(forward))
    x = lags / len(lags)
    weight = {"none": 1 + 0 * x, "hann": (1 + np.cos(np.pi * x)) / 2}[window]
    steps = np.arange(-len(lags) + 1, len(lags))
    frequency = 2 * np.pi * steps / (len(steps) * INTERVAL)
    phase = np.exp(1j * np.outer(frequency, lags * INTERVAL)) * weight * INTERVAL
    values = np.tensordot(phase, forward, 1) + np.tensordot(phase[:, 1:].conj(), backward[1:], 1)
    return frequency, values


def pairs_by_displacement(file, group, size, periodic):
    """(place in the bins, sites r, sites r') for each displacement; atoms of the basis vary fastest."""
    atoms = group["pairs"].shape[0]
    cell = np.array(np.unravel_index(np.arange(atoms * np.prod(size)), (*size[::-1], atoms))).T
    cell, atom = cell[:, 2::-1], cell[:, 3]
    gone = "occupied" in file["model"]
    there = file["model/occupied"][:] == 1 if gone else np.full(len(atom), True)
    apart = cell[None] - cell[:, None]
    displacements = [group[name][:] for name in ("dx", "dy", "dz")]
    for place in np.ndindex(group["pairs"].shape):
        b, c, *bins = place
        same = np.ones(apart.shape[:2], bool)
        for d in range(3):
            off = apart[..., d] - displacements[d][bins[d]]
            same &= off % size[d] == 0 if periodic[d] else off == 0
        yield place, *np.nonzero(same & np.outer((atom == b) & there, (atom == c) & there))


@pytest.mark.parametrize("connected, window", [(True, "hann"), (False, "none")])
def test_means_are_those_of_stored_configurations(tmp_path, connected, window):
    done, output = run(
        tmp_path, TRAJECTORY.format(every=4, replicas=REPLICAS) + entry(
            "displacement = { cells = [2, 3] }", "distance = { width = 0.8, bins = 4 }",
            "groups = [{ name = 'core', sites = [7, 0, 3] }, { name = 'rim', sites = [12, 5, 4] }]",
            f"connected = {str(connected).lower()}", f"window = '{window}'"), more=VACANCIES)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        results = stage_of(file)["pair-correlations"]
        C = correlations(file, connected)
        T, F = SAMPLES, 2 * SAMPLES - 1
        np.testing.assert_allclose(results["time"], INTERVAL * np.arange(T), atol=1e-15)

        def compare(group, place, pairs, both_ways=False):
            r, s = pairs
            assert group["pairs"][place] == len(r)
            mean, spectral = group["correlation/value"], group["spectrum/value"]
            if len(r) == 0:
                assert np.all(np.isnan(mean[(slice(None), *place)]))
                return
            forward, backward = C[:, r, s].mean(axis=1), C[:, s, r].mean(axis=1)
            np.testing.assert_allclose(mean[(slice(None), *place)], forward, atol=1e-12)
            frequency, wanted = spectrum(forward, backward, window)
            np.testing.assert_allclose(results["frequency"], frequency, atol=1e-12)
            found = spectral[(slice(None), *place)]
            if both_ways:
                assert np.abs(wanted.imag).max() < 1e-12
                np.testing.assert_allclose(found, wanted.real, atol=1e-12)
            else:
                np.testing.assert_allclose(found[:, 0] + 1j * found[:, 1], wanted, atol=1e-12)

        group = results["by-displacement"]
        assert group["correlation/value"].shape == (T, 1, 1, 5, 7, 1)
        assert group["spectrum/value"].shape == (F, 1, 1, 5, 7, 1, 2)
        for place, *pairs in pairs_by_displacement(file, group, (5, 4, 1), (True, False, False)):
            compare(group, place, pairs)

        group = results["between-groups"]
        assert [name.decode() for name in group["names"]] == ["core", "rim"]
        members = [[7, 0, 3], [12, 5]]
        for g, h in np.ndindex(2, 2):
            compare(group, (g, h), np.array([(r, s) for r in members[g] for s in members[h]]).T)

        group = results["by-distance"]
        there = [site for site in range(20) if site not in VACANT]
        for bin in range(4):
            inside = []
            for r in there:
                for s in there:
                    dx, dy = (s % 5 - r % 5) % 5, s // 5 - r // 5
                    if bin <= np.hypot(min(dx, 5 - dx), dy) / 0.8 + 1e-9 < bin + 1:
                        inside.append((r, s))
            compare(group, (bin,), np.array(inside).T, both_ways=True)
        assert "error" in group["correlation"] and results.attrs["error_blocks"] == REPLICAS


@pytest.mark.parametrize("connected", [True, False])
def test_transforms_over_displacements_are_the_structure_factor(tmp_path, connected):
    keys = f"connected = {str(connected).lower()}"
    done, output = run(tmp_path, entry("displacement = true", keys)
                       + '{ what = "structure-factor", grid = true, every = 4, origins = "fixed", '
                       + keys + " },\n",
                       HONEYCOMB)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = stage_of(file)
        factor, group = stage["structure-factor"], stage["pair-correlations/by-displacement"]
        cell, position = file["model/cell"][:], file["model/positions"][:2]
        cells = np.stack(np.meshgrid(*(group[name][:] for name in ("dx", "dy", "dz")),
                                     indexing="ij"), axis=-1)
        apart = (cells @ cell)[None, None] + (position[None] - position[:, None])[:, :, None, None,
                                                                                 None]
        phases = np.exp(-1j * np.tensordot(factor["q_cartesian"][:], apart, (1, -1)))
        phases *= group["pairs"][:] / (2 * 12)
        parts = group["spectrum/value"][:]
        for name, values, axis in (("intermediate", group["correlation/value"][:], "time"),
                                   ("intensity", parts[..., 0] + 1j * parts[..., 1], "frequency")):
            wanted = factor[name][:]
            if name == "intermediate":
                wanted = wanted[..., 0] + 1j * wanted[..., 1]
            np.testing.assert_array_equal(stage[f"pair-correlations/{axis}"], factor[axis])
            found = np.tensordot(phases, values, ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5)))
            np.testing.assert_allclose(found, wanted, atol=1e-12)
        # Precession distinguishes the two directions.
        assert np.abs(factor["intermediate"][..., 1]).max() > 1e-3


@pytest.mark.parametrize("connected", ["true", "false"])
def test_the_first_time_is_that_of_the_stage_pair_correlations(tmp_path, connected):
    keys = ["displacement = { cells = [2, 1] }", "distance = { width = 1, bins = 4 }",
            "groups = 'basis'", f"connected = {connected}"]
    at_once = '[[stage]]\nkind = "pair-correlations"\n' + "\n".join(keys) + "\n[[stage]]\n"
    text = SYSTEM.format(replicas=REPLICAS, lattice=HONEYCOMB, more=VACANCIES, steps=4,
                         measure=entry(*keys)).replace("[[stage]]\n", at_once)
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stages = file["stages"]
        one, other = stages["01-pair-correlations"], stages["02-dynamics/pair-correlations"]
        for kind in ("by-distance", "by-displacement", "between-groups"):
            np.testing.assert_allclose(other[kind]["correlation/value"][0],
                                       one[kind]["correlation/value"], atol=1e-13)
            if kind != "between-groups":
                np.testing.assert_array_equal(other[kind]["pairs"], one[kind]["pairs"])


@pytest.mark.parametrize("connected", [True, False])
def test_errors_are_a_jackknife_over_replicas(tmp_path, connected):
    done, output = run(
        tmp_path, TRAJECTORY.format(every=4, replicas=REPLICAS) + entry(
            "displacement = { cells = 1 }", f"error_blocks = {REPLICAS}", "window = 'none'",
            f"connected = {str(connected).lower()}"))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        results = stage_of(file)["pair-correlations"]
        group = results["by-displacement"]
        assert results.attrs["error_blocks"] == REPLICAS
        left = [correlations(file, connected, [m for m in range(REPLICAS) if m != out])
                for out in range(REPLICAS)]
        for place, r, s in pairs_by_displacement(file, group, (5, 4, 1), (True, False, False)):
            forward = np.array([C[:, r, s].mean(axis=1) for C in left])
            backward = np.array([C[:, s, r].mean(axis=1) for C in left])
            spectra = np.array([spectrum(f, b, "none")[1].real
                                for f, b in zip(forward, backward)])
            for name, values in (("correlation", forward), ("spectrum", spectra)):
                wanted = np.sqrt((REPLICAS - 1) * values.var(axis=0))
                np.testing.assert_allclose(group[f"{name}/error"][(slice(None), *place)], wanted,
                                           atol=1e-11)


def test_a_killed_run_goes_on_with_the_same_bits(tmp_path):
    measure = (entry("displacement = true", "error_blocks = 3", "distance = { width = 1, bins = 6 }",
                     "groups = 'basis'") + entry("displacement = { cells = 2 }")
               + '{ what = "energy", every = 8 },\n')
    lattice = 'type = "honeycomb"\nsize = [12, 10]'
    done, reference = run(tmp_path, measure, lattice, steps=600)
    assert done.returncode == 0, done.stderr
    output = tmp_path / "killed.h5"
    process = start("run", tmp_path / "study.toml", "-o", output, "--checkpoint-every", "0.01")
    wait_until_there(process, tmp_path / "killed.h5.ckpt.prev")
    assert process.poll() is None, "ended before it could be killed"
    stop_after(process, 0, signal.SIGKILL)
    with h5py.File(output) as file:
        assert file.attrs["completed"] == 0
    resumed = larmor("resume", output)
    assert resumed.returncode == 0, resumed.stderr
    assert_same_bits(reference, output)
    with h5py.File(output) as file:
        assert {"pair-correlations", "pair-correlations-2"} < set(stage_of(file))


def test_threads_change_no_bit(tmp_path):
    measure = entry("displacement = true", "error_blocks = 2", "distance = { width = 1, bins = 4 }")
    (tmp_path / "other").mkdir()
    outputs = []
    for folder, threads in ((tmp_path, 1), (tmp_path / "other", 3)):
        done, output = run(folder, measure, 'type = "honeycomb"\nsize = [16, 15]',
                           options=("--threads", str(threads)))
        assert done.returncode == 0, done.stderr
        outputs.append(output)
    assert_same_bits(*outputs)


@pytest.mark.parametrize("keys, words", [
    ([], "lacks its bins"),
    (["displacement = false", "groups = 'none'"], "lacks its bins"),
    (["distance = { width = 1, bins = 0 }"], "bins"),
    (["distance = { width = 0, bins = 4 }"], "width"),
    (["distance = { width = 1, bins = 2000 }"], "bins"),
    (["distance = { width = 1 }"], "bins"),
    (["distance = { width = 1, bin = 4 }"], "did you mean"),
    (["distance = [{ width = 1, bins = 4 }, { width = 2, bins = 4 }]"], "several tables"),
    (["displacement = 4"], "displacement must be true, false or a table"),
    (["displacement = { cells = [9, 0] }"], "has 5 cells"),
    (["displacement = { cell = [1, 0] }"], "did you mean"),
    (["groups = 'spices'"], "did you mean 'species'?"),
    (["groups = [{ name = 'far', sites = [20] }]"], "there is no site 20"),
    (["displacement = true", "grid = true"], "belongs to structure-factor"),
    (["displacement = true", "path = ['Γ', 'X']"], "belongs to structure-factor"),
    (["displacement = true", "method = 'fft'"], "'method' belongs to structure-factor"),
    (["displacement = true", "origins = 'all'"], "belongs to structure-factor"),
    (["displacement = true", "replicas = 3"], "belongs to trajectory"),
    (["displacement = true", "components = true"], "'components' belongs to"),
    (["displacement = true", "detailed_balance = true"], "belongs to structure-factor"),
    (["displacement = true", "window = 'han'"], "did you mean 'hann'"),
    (["displacement = true", "error_blocks = -1"], "error_blocks"),
    (["displacements = true"], "did you mean 'displacement'"),
])
def test_what_cannot_be_correlated_is_refused_before_the_run(tmp_path, keys, words):
    done, output = run(tmp_path, entry(*keys))
    assert_refused(done, output, words)


def assert_refused(done, output, words):
    assert done.returncode == 2 and done.stderr.count("error:") == 1, done.stderr
    assert words in done.stderr and "study.toml:" in done.stderr
    assert not output.exists()


@pytest.mark.parametrize("keys", [["displacement = true"], ["distance = { width = 1, bins = 4 }"],
                                  ["groups = 'basis'"]])
def test_bins_belong_to_pair_correlations(tmp_path, keys):
    done, output = run(tmp_path, '{ what = "energy", ' + ", ".join(keys) + " },\n")
    assert_refused(done, output, "belongs to pair-correlations, not to energy")


def test_one_replica_has_plain_correlations_alone(tmp_path):
    done, output = run(tmp_path, entry("groups = 'basis'"), replicas=1)
    assert_refused(done, output, "need at least two replicas")
    done, output = run(tmp_path, entry("groups = 'basis'", "connected = false"), replicas=1)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("replicas, connected, least", [(2, "true", 3), (1, "false", 2)])
def test_errors_need_replicas_to_leave_out(tmp_path, replicas, connected, least):
    keys = (f"connected = {connected}", "error_blocks = 2")
    for measure in (entry("groups = 'basis'", *keys),
                    "{ what = 'structure-factor', q = [[0.2, 0, 0]], every = 4, method = 'real-space', "
                    + ", ".join(keys) + " }"):
        done, output = run(tmp_path, measure, replicas=replicas)
        assert_refused(done, output, f"with errors need {least} replicas or more")
        assert f"set replicas = {least} or more, or error_blocks = 0" in done.stderr
    done, output = run(tmp_path, entry("groups = 'basis'", *keys), replicas=least)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        assert np.all(file["stages/01-dynamics/pair-correlations/between-groups/"
                           "correlation/error"][:] > 0)


DISORDER = "[[random-field]]\nwidth = 1.0\nby_replica = true\n"


def test_replicas_with_disorder_of_their_own_have_plain_correlations_alone(tmp_path):
    done, output = run(tmp_path, entry("groups = 'basis'"), more=DISORDER)
    assert_refused(done, output, "different couplings")
    done, output = run(tmp_path, entry("groups = 'basis'", "connected = false"), more=DISORDER)
    assert done.returncode == 0, done.stderr


def test_plain_positions_have_no_displacements(tmp_path):
    (tmp_path / "atoms.xyz").write_text("3\n\nFe 0 0 0\nFe 1 0 0\nFe 2 0 0\n")
    for keys, code in (("displacement = true", 2), ("distance = { width = 1, bins = 3 }", 0)):
        done, output = run(tmp_path, entry(keys), 'file = "atoms.xyz"')
        assert done.returncode == code, done.stderr
    (tmp_path / "out.h5").unlink()
    done, output = run(tmp_path, entry("displacement = true"), 'file = "atoms.xyz"')
    assert_refused(done, output, "have no displacements in cells")


def test_more_displacements_than_sums_have_are_refused(tmp_path):
    size, most = (1025, 1024) if BACKEND == "cuda" else (10_000_001, 10_000_000)
    done, output = run(tmp_path, entry("displacement = true"), f'type = "chain"\nsize = [{size}]')
    assert_refused(done, output, f"correlations of {size} displacements")
    assert f"{most} at most" in done.stderr and "cells = [..]" in done.stderr


def test_show_and_explain_know_them(tmp_path):
    done, output = run(tmp_path, entry("displacement = { cells = [2, 1] }", "groups = 'species'",
                                       "distance = { width = 0.5, bins = 6 }"))
    assert done.returncode == 0, done.stderr
    shown = larmor("show", output).stdout
    assert "pair-correlations: 7 times, 13 frequencies\n" in shown
    assert "by distance: 6 bin(s) up to 3\n" in shown
    assert "by displacement: 5 x 3 x 1 cells, 1 atom(s) of the basis" in shown
    assert "between 1 group(s)" in shown
    explained = larmor("explain", "dynamics.measure").stdout
    assert "averages C(r,r',t) by displacement r' - r" in explained
    checked = larmor("check", tmp_path / "study.toml")
    assert "pair-correlations every 4" in checked.stdout
    with h5py.File(output) as file:
        completed = file["study/completed"][()].decode()
    # The completed study has every default written down, and gives equal results.
    (tmp_path / "again").mkdir()
    done, again = run_study(tmp_path / "again", completed)
    assert done.returncode == 0, done.stderr
    assert_same_bits(output, again)
