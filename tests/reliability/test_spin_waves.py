"""The spin-waves stage for users: units, messages, resumed runs, and the order of work of several ranks."""
# Rooms: spinwaves, study

import json
import re

import h5py
import numpy as np
import pytest

from program import assert_same_bits, larmor, run_study
from running import assert_killed_runs_go_on

CHAIN = """
seed = 1
[lattice]
type = "chain"
size = [12]
[[exchange]]
shell = 1
J = {J}
[initial]
state = "aligned"
direction = [{direction}]
[[anisotropy]]
K = {K}
[[stage]]
kind = "spin-waves"
path = ["Γ", "X"]
{more}
"""


def chain(J=1, K=0.1, direction="0, 0, 1", more=""):
    return CHAIN.format(J=J, K=K, direction=direction, more=more)


def test_results_hold_lines_map_states_and_long_waves(tmp_path):
    more = 'temperature = 0.01\nmap = { width = 0.05 }\ndensity_of_states = { grid = [50] }'
    done, output = run_study(tmp_path, chain(K=0.1, more=more))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-spin-waves"]
        k = 2 * np.pi * stage["dispersion/q"][:, 0]
        expected = 0.2 + 2 * (1 - np.cos(k))
        np.testing.assert_allclose(stage["dispersion/frequency"][:, 0], expected, atol=1e-12)
        np.testing.assert_allclose(stage["dispersion/intensity"][:, 0], 0.01 / expected)
        amplitude = stage["dispersion/amplitude"][:, 0, :, 0] + 1j * (
            stage["dispersion/amplitude"][:, 0, :, 1])
        np.testing.assert_allclose((np.abs(amplitude) ** 2).sum(axis=1), 0.01 / expected)
        assert "growth" not in stage["dispersion"] and "velocity" not in stage
        assert stage.attrs["gap"] == pytest.approx(0.2)
        np.testing.assert_allclose(stage["stiffness"][0], 1, rtol=1e-6)
        spectrum = stage["structure-factor"]
        step = spectrum["frequency"][1] - spectrum["frequency"][0]
        total = spectrum["intensity"][:].sum(axis=1) * step / (2 * np.pi)
        np.testing.assert_allclose(total, 2 * 0.01 / expected, rtol=1e-6)
        assert stage["magnetic-cell/sites"].shape == (1,)
        assert stage.attrs["minimum"] == 1
    shown = larmor("show", output).stdout
    assert "dispersion: 7 wave vectors, 1 mode(s), frequencies 0.2 to 4.2" in shown


@pytest.mark.parametrize(
    "couplings, why",
    [
        ("[[dmi]]\noffset = [[1, 0, 0]]\nD = [0, 0, 0.1]\n",
         "spin-waves: no stiffness along x: w(k) and w(-k) differ at long waves, as under a chiral "
         "term"),
        ("[[exchange]]\nshell = 1\nJ = -2\n", "spin-waves: this state is not a minimum of the energy"),
        ("[[exchange]]\nshell = 1\nJ = -1\n",
         "spin-waves: no stiffness along x: the softest branch is flat"),
        ("", None),
    ],
    ids=["chiral", "no_minimum", "flat", "ferromagnet"],
)
def test_a_stiffness_is_reported_or_the_reason_why_there_is_none(tmp_path, couplings, why):
    done, output = run_study(tmp_path, chain(more=couplings))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-spin-waves"]
        assert ("stiffness" in stage) == (why is None)
        assert "velocity" not in stage
    notes = [line for line in done.stderr.splitlines() if line.startswith("note: ")]
    assert len(notes) == (why is not None), done.stderr
    if why:
        assert why in notes[0]


def test_an_antiferromagnet_has_a_velocity_and_is_told_to_have_no_stiffness(tmp_path):
    neel = 'ground_state = { state = "spiral", q = [0.5, 0, 0], normal = [0, 1, 0], direction = [0, 0, 1] }'
    done, output = run_study(tmp_path, chain(J=-1, K=0, more=neel))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        assert "stiffness" not in file["stages/01-spin-waves"]
        np.testing.assert_allclose(file["stages/01-spin-waves/velocity"][0], 2, rtol=1e-4)
    assert done.stderr.count("no stiffness along x: w^2 grows as k^2 at long waves") == 1
    off, output = run_study(tmp_path, chain(J=-1, K=0, more=neel + "\nstiffness = false"), "--force")
    assert off.returncode == 0 and "stiffness" not in off.stderr, off.stderr


def test_material_units(tmp_path):
    text = """
units = "material"
[lattice]
type = "bcc"
size = [4, 4, 4]
constant = "2.87 Å"
moment = "2.2 μB"
[[exchange]]
shell = 1
J = "20 meV"
[initial]
state = "aligned"
[[stage]]
kind = "spin-waves"
path = ["Γ", "H"]
"""
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    ratio = 2.00231930436256 / 6.582119569509066e-4 / 2.2  # g / (hbar m), rad / (ps eV)
    with h5py.File(output) as file:
        stage = file["stages/01-spin-waves"]
        q = 2 * np.pi * stage["dispersion/q"][:]
        product = np.cos(q / 2).prod(axis=1)
        expected = np.sort(ratio * 8 * 0.02 * np.column_stack([1 - product, 1 + product]), axis=1)
        np.testing.assert_allclose(stage["dispersion/frequency"], expected, atol=1e-9)
        assert stage["dispersion/frequency"].attrs["unit"] == "rad/ps"
        # The dispersion is hbar w = g J a^2 k^2 / m.
        stiffness = 2.00231930436256 * 0.02 * 2.87**2 / 2.2
        np.testing.assert_allclose(stage["stiffness"], [stiffness] * 3, rtol=1e-6)
        assert stage["stiffness"].attrs["unit"] == "eV Å^2"


def test_a_state_that_is_not_stationary_is_refused(tmp_path):
    done, output = run_study(tmp_path, chain(direction="0.6, 0, 0.8"))
    assert done.returncode == 2
    # The torque is |e x dH/de| = 2 K e_x e_z.
    assert "torque" in done.stderr and "0.096" in done.stderr and "minimise" in done.stderr
    assert not output.exists()
    checked = larmor("check", "study.toml", cwd=tmp_path)
    assert checked.returncode == 2 and "torque" in checked.stderr


@pytest.mark.parametrize("J, K", [(1e155, 0.1), (1e300, 0.1), (1e-155, 1e-155), (1e-300, 1e-300), (1, 1e155), (1, 1e300)])
def test_frequencies_beyond_all_that_is_computed_are_unphysical(tmp_path, J, K):
    done, _ = run_study(tmp_path, chain(J=J, K=K))
    assert done.returncode == 4, done.stderr
    assert done.stderr.count("error") == 1 and "1e+120" in done.stderr


@pytest.mark.parametrize("J", [1e100, 1e-100])
def test_frequencies_scale_with_the_couplings(tmp_path, J):
    done, output = run_study(tmp_path, chain(J=J, K=0.1 * J))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        frequency = file["stages/01-spin-waves/dispersion/frequency"][:]
    # The frequency is 2 K + 2 J (1 - cos k), at both ends of the path.
    np.testing.assert_allclose(frequency[[0, -1], 0], [0.2 * J, 4.2 * J], rtol=1e-9)


RELAXED = '[[stage]]\nkind = "minimise"\ntolerance = 1e-9\n'


def test_the_state_of_a_later_stage_is_what_the_stages_before_left(tmp_path):
    text = chain(direction="0.6, 0, 0.8").replace("[[stage]]", RELAXED + "[[stage]]", 1)
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    # If the ground state is given, it is known before the run.
    given = 'ground_state = { state = "aligned", direction = [0.6, 0, 0.8] }\n'
    folder = tmp_path / "given"
    folder.mkdir()
    done, output = run_study(folder, text + given)
    assert done.returncode == 2 and "torque" in done.stderr and not output.exists()


def test_a_state_that_is_no_minimum_is_told(tmp_path):
    done, output = run_study(tmp_path, chain(K=-0.1))
    assert done.returncode == 0, done.stderr
    assert "not a minimum" in done.stdout + done.stderr
    with h5py.File(output) as file:
        assert file["stages/01-spin-waves"].attrs["minimum"] == 0
        assert np.all(np.isnan(file["stages/01-spin-waves/dispersion/intensity"][0]))


WAYS = [('path = ["Γ", "X"]', "", 7), ('path = ["Γ", "X"]\npoints = 9', "", 10), ("grid = true", "", 12),
        ("q = [[0.1, 0, 0]]", "", 1), ("grid = true", "density_of_states = { grid = [5] }", 17)]


@pytest.mark.parametrize("keys, more, wave_vectors", WAYS)
def test_progress_counts_every_wave_vector(tmp_path, keys, more, wave_vectors):
    text = chain(more=more).replace('path = ["Γ", "X"]', keys)
    done, _ = run_study(tmp_path, text, "--progress", "json")
    assert done.returncode == 0, done.stderr
    first, *_, last = [json.loads(line) for line in done.stderr.splitlines() if line[:1] == "{"]
    assert first["total"] == last["done"] == 12 * wave_vectors


def test_a_scan_over_sizes_is_estimated_by_the_wave_vectors_of_each(tmp_path):
    scan = '[[scan]]\nkey = "lattice.size.1"\nvalues = [12, 24]\n'
    (tmp_path / "study.toml").write_text(
        chain().replace('path = ["Γ", "X"]', "grid = true") + scan)
    checked = larmor("check", "study.toml", cwd=tmp_path)
    assert checked.returncode == 0, checked.stderr
    assert re.search(r"^all       about [\d.]+ s ", checked.stdout, re.M), checked.stdout


def test_points_of_a_scan_are_tried_before_the_first_is_run(tmp_path):
    text = chain() + '[[scan]]\nkey = "initial.direction"\nvalues = [[0, 0, 1], [0.6, 0, 0.8]]\n'
    done, output = run_study(tmp_path, text)
    assert done.returncode == 2 and "torque" in done.stderr and not output.exists()
    checked = larmor("check", "study.toml", cwd=tmp_path)
    assert checked.returncode == 2 and "torque" in checked.stderr


def test_a_cell_that_is_too_large_is_refused(tmp_path):
    text = chain().replace('type = "chain"\nsize = [12]', 'type = "square"\nsize = [40, 40]')
    text = text.replace('J = 1\n', 'J = 1\ndisorder = 0.1\n').replace('"Γ", "X"', '"Γ", "M"')
    done, _ = run_study(tmp_path, text)
    assert done.returncode == 2
    assert "1600 spins" in done.stderr


def test_dipoles_by_fft_know_the_wave_vectors_of_the_lattice_only(tmp_path):
    dipoles = chain(direction="1, 0, 0").replace(
        "K = 0.1", "K = 0.1\naxis = [1, 0, 0]\n[dipolar]\nstrength = 0.1")
    done, output = run_study(tmp_path, dipoles)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        q = file["stages/01-spin-waves/dispersion/q"][:, 0]
        # J(q) sums over all images along the chain: strength sum_n cos(q n) / |n|^3, with -2 along
        # the chain and 1 across.
        n = np.arange(1, 20001)
        sums = np.array([2 * np.sum(np.cos(2 * np.pi * k * n) / n**3.0) for k in q])
        expected = 2 * 0.1 + 2 * (1 - np.cos(2 * np.pi * q)) + 0.1 * (2 * sums[0] + sums)
        np.testing.assert_allclose(file["stages/01-spin-waves/dispersion/frequency"][:, 0],
                                   expected, atol=1e-8)
    done, _ = run_study(tmp_path, dipoles.replace('path = ["Γ", "X"]', "q = [[0.123, 0, 0]]"), "--force")
    assert done.returncode == 2
    assert "0.123" in done.stderr


def test_quantum_and_classical_agree_far_above_the_frequencies(tmp_path):
    totals = []
    for statistics in ("classical", "quantum"):
        more = f'temperature = 1000.0\nstatistics = "{statistics}"'
        done, output = run_study(tmp_path, chain(more=more), "--force")
        assert done.returncode == 0, done.stderr
        with h5py.File(output) as file:
            group = file["stages/01-spin-waves/dispersion"]
            totals.append(group["intensity"][:] + group["mirror_intensity"][:])
    np.testing.assert_allclose(totals[0], totals[1], rtol=1e-4)


SPIRALS = """
seed = 4
[lattice]
type = "square"
size = [12, 12]
[[exchange]]
shell = 1
J = 1.0
[[dmi]]
shell = 1
strength = 0.5
direction = "interface"
[[random-field]]
width = 0.3
[[stage]]
kind = "minimise"
[[stage]]
kind = "spin-waves"
path = ["Γ", "X"]
density_of_states = { grid = [3, 1] }
"""


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spirals")
    study = folder / "study.toml"
    study.write_text(SPIRALS)
    done = larmor("run", study, "-o", folder / "1.h5", "--threads", "1")
    assert done.returncode == 0, done.stderr
    return study, folder / "1.h5"


def test_threads_do_not_change_a_bit(reference, tmp_path):
    study, expected = reference
    done = larmor("run", study, "-o", tmp_path / "2.h5", "--threads", "2")
    assert done.returncode == 0, done.stderr
    assert_same_bits(expected, tmp_path / "2.h5")


def test_killed_runs_go_on_with_the_same_bits(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(SPIRALS)
    assert_killed_runs_go_on(study)
