"""Initial states with random numbers, compared with their distributions."""
# Rooms: study

import h5py
import numpy as np
import pytest

from program import larmor


def spins_at_start(folder, initial, atoms=1, seed=7):
    """Spins of the first sample before any move. @return (replicas, sites, 3)"""
    basis = "[[0, 0, 0], [0.5, 0.5, 0.5]]" if atoms == 2 else "[[0, 0, 0]]"
    text = (f"seed = {seed}\n[lattice]\ncell = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nbasis = {basis}\n"
            f"size = [16, 16, 16]\n[[exchange]]\nshell = 1\nJ = 1\n[initial]\n{initial}\n[[stage]]\nkind = \"dynamics\"\n"
            "timestep = 1e-9\nsteps = 1\nmeasure = [{ what = \"trajectory\", every = 1 }]\n")
    (folder / "study.toml").write_text(text)
    run = larmor("run", "study.toml", "-o", "out.h5", "--force", cwd=folder)
    assert run.returncode == 0, run.stderr
    with h5py.File(folder / "out.h5") as file:
        return file["stages/01-dynamics/trajectory/value"][0]


@pytest.mark.parametrize("axis", [(0, 0, 1), (1, -2, 0.5), (0, -1, 0)], ids=["z", "oblique", "y"])
@pytest.mark.parametrize("angle", [0.3, 3.0])
def test_a_cone_has_uniform_angles(tmp_path, axis, angle):
    e = spins_at_start(tmp_path, f"state = \"cone\"\ndirection = {list(axis)}\nangle = {angle}")
    e, n = e[0], np.array(axis) / np.linalg.norm(axis)
    assert np.allclose(np.linalg.norm(e, axis=1), 1, atol=1e-12)
    polar = np.arccos(np.clip(e @ n, -1, 1))
    assert polar.max() <= angle
    # The moments of a uniform angle within five standard errors of N sites.
    N = len(e)
    for power in (1, 2, 3):
        mean, square = angle**power / (power + 1), angle**(2 * power) / (2 * power + 1)
        assert abs((polar**power).mean() - mean) < 5 * np.sqrt((square - mean**2) / N)
    # The azimuth has no direction and no axis.
    across = e - np.outer(e @ n, n)
    across /= np.linalg.norm(across, axis=1)[:, None]
    assert np.abs(across.mean(axis=0)).max() < 5 / np.sqrt(N)
    tensor = across.T @ across / N - (np.eye(3) - np.outer(n, n)) / 2
    assert np.abs(tensor).max() < 5 / np.sqrt(N)
    again = spins_at_start(tmp_path, f"state = \"cone\"\ndirection = {list(axis)}\nangle = {angle}", seed=8)
    assert not np.array_equal(again[0], e)


def test_random_signs_are_even(tmp_path):
    up = np.array([0.6, 0, 0.8])
    e = spins_at_start(tmp_path, "state = \"random-signs\"\ndirection = [3, 0, 4]")
    signs = np.sign(e @ up)
    assert np.allclose(e, signs[..., None] * up, atol=1e-12)
    N = e.shape[1]
    assert abs(signs[0].mean()) < 5 / np.sqrt(N)
    # Neighbours along x have independent signs.
    cells = signs[0].reshape(16, 16, 16)
    assert abs((cells * np.roll(cells, 1, axis=2)).mean()) < 5 / np.sqrt(N)

    e = spins_at_start(tmp_path, "state = \"random-signs\"\ndirections = [[1, 0, 0], [0, 0, -2]]", atoms=2)[0]
    assert np.allclose(np.abs(e[0::2]), [1, 0, 0], atol=1e-12) and np.allclose(np.abs(e[1::2]), [0, 0, 1], atol=1e-12)


@pytest.mark.parametrize("initial, words", [
    ('state = "cone"', "a cone lacks its angle"),
    ('state = "cone"\nangle = 0', "angle"),
    ('state = "aligned"\nangle = 0.1', 'angle belongs to state = "cone"'),
    ('state = "random-signs"\ndirection = [0, 0, 1]\ndirections = [[0, 0, 1]]', "both direction and directions"),
    ('state = "random-signs"\ndirections = [[0, 0, 1], [0, 0, 1]]', "2 entries for 1 basis atom"),
], ids=["lacking", "zero", "aligned", "both", "two"])
def test_wrong_keys_are_refused(tmp_path, initial, words):
    study = tmp_path / "study.toml"
    study.write_text('[lattice]\ntype = "sc"\nsize = [2, 2, 2]\n[[exchange]]\nshell = 1\nJ = 1\n[initial]\n' + initial
                     + '\n[[stage]]\nkind = "minimise"\n')
    refused = larmor("run", study, "-o", tmp_path / "out.h5")
    assert refused.returncode == 2 and words in refused.stderr, refused.stderr
    assert not (tmp_path / "out.h5").exists()


def test_paths_have_no_random_ends(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text('[lattice]\ntype = "sc"\nsize = [2, 2, 2]\n[[exchange]]\nshell = 1\nJ = 1\n[[stage]]\n'
                     'kind = "minimum-energy-path"\nfinal = { state = "cone", angle = 0.1 }\n')
    refused = larmor("check", study)
    assert refused.returncode == 2 and "cone" in refused.stderr, refused.stderr
