"""Correlations over all pairs from a study: sum rules, refusals, and the two ways to S(q,w)."""
# Rooms: correlations, study

import json
import re

import h5py
import numpy as np
import pytest

from program import BACKEND, datasets, larmor, run_study

SYSTEM = """
seed = 3
replicas = {replicas}
[lattice]
type = "square"
size = [6, 4]
[[exchange]]
shell = 1
J = 1.0
{disorder}
[initial]
state = "random"
[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
temperature = 0.8
thermalisation = 20
sweeps = 1
measure_every = 1
"""


def run(folder, stage, replicas=6, disorder="", *options):
    text = SYSTEM.format(replicas=replicas, disorder=disorder) + stage
    return run_study(folder, text, *options)


PAIRS = '[[stage]]\nkind = "pair-correlations"\n'


def test_sum_rules_over_the_zone(tmp_path):
    done, output = run(tmp_path, PAIRS + "grid = true\ngroups = 'basis'\n"
                       "distance = { width = 1.0, bins = 4 }\n")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-pair-correlations"]
        # Every spin has length 1, so C of a site with itself is 1 in every pair of replicas.
        assert abs(stage["structure/value"][:].mean() - 1) < 1e-12
        assert abs(stage["spin-glass-susceptibility/value"][:].mean() - 1) < 1e-12
        assert stage["by-distance/pairs"][0] == 24
        assert abs(stage["by-distance/square/value"][0] - 1) < 1e-12
        assert abs(24 * stage["between-groups/correlation/value"][0, 0]
                   - stage["structure/value"][0]) < 1e-12
        # All sites are in one group. N times the mean over pairs is then the sum at q = 0.
        assert abs(24 * stage["between-groups/square/value"][0, 0]
                   - stage["spin-glass-susceptibility/value"][0]) < 1e-12
        assert stage["between-groups/square/error"][0, 0] > 0
        assert np.all(stage["structure/error"][:] > 0)
        assert stage.attrs["error_blocks"] == 6


def configurations(file):
    return file["stages/01-monte-carlo/configuration"][:]


def correlation_and_square(spins):
    """C(r, r') and the estimate of its square, from pairs of different replicas; both are [N,
    N]."""
    replicas = len(spins)
    of_one = np.einsum("mra,msa->mrs", spins, spins)
    square = of_one.sum(axis=0) ** 2 - (of_one ** 2).sum(axis=0)
    return of_one.mean(axis=0), square / (replicas * (replicas - 1))


def run_keeping_configurations(folder, stage, disorder=""):
    text = SYSTEM.format(replicas=6, disorder=disorder) + "keep_configurations = 6\n" + stage
    return run_study(folder, text)


def test_listed_groups_are_means_over_their_pairs(tmp_path):
    # A vacancy has no average.
    done, output = run_keeping_configurations(
        tmp_path, PAIRS + "groups = [{ name = 'core', sites = [7, 0, 3] }, "
        "{ name = 'shell', sites = [12, 5, 4] }]\n",
        "[[alloy]]\nby = 'vacancy'\nsites = [4, 9]\n")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        groups = file["stages/02-pair-correlations/between-groups"]
        assert [name.decode() for name in groups["names"]] == ["core", "shell"]
        members = [[7, 0, 3], [12, 5]]
        for name, pairs in zip(("correlation", "square"),
                               correlation_and_square(configurations(file))):
            np.testing.assert_allclose(
                groups[f"{name}/value"][:],
                [[pairs[np.ix_(g, h)].mean() for h in members] for g in members], atol=1e-12)
            assert np.all(groups[f"{name}/error"][:] > 0)


def test_displacements_are_means_over_their_pairs(tmp_path):
    done, output = run_keeping_configurations(
        tmp_path, PAIRS + "displacement = { cells = [2, 1] }\n",
        "[[alloy]]\nby = 'vacancy'\nsites = [4, 9]\n")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        group = file["stages/02-pair-correlations/by-displacement"]
        assert [list(group[name]) for name in ("dx", "dy", "dz")] == [
            [-2, -1, 0, 1, 2], [-1, 0, 1], [0]]
        mean, square = correlation_and_square(configurations(file))
        spins = [site for site in range(24) if site not in (4, 9)]
        for i, dx in enumerate(group["dx"]):
            for j, dy in enumerate(group["dy"]):
                pairs = [(r, s) for r in spins for s in spins
                         if (s % 6 - r % 6 - dx) % 6 == 0 and (s // 6 - r // 6 - dy) % 4 == 0]
                place = (0, 0, i, j, 0)
                assert group["pairs"][place] == len(pairs)
                for name, of_pair in (("correlation", mean), ("square", square)):
                    value = np.mean([of_pair[pair] for pair in pairs])
                    assert abs(group[f"{name}/value"][place] - value) < 1e-12
                    if (dx, dy) != (0, 0):  # C of a site with itself is 1
                        assert group[f"{name}/error"][place] > 0


def test_all_displacements_give_the_structure(tmp_path):
    done, output = run(tmp_path, PAIRS + "displacement = true\ngrid = true\nconnected = true\n")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-pair-correlations"]
        dx, dy = (stage[f"by-displacement/{name}"][:] for name in ("dx", "dy"))
        q = stage["wave-vectors/q"][:]
        phases = np.exp(2j * np.pi * (q[:, 0, None, None] * dx[:, None]
                                      + q[:, 1, None, None] * dy[None, :]))
        for name, sums in (("correlation", "structure"),
                           ("square", "spin-glass-susceptibility")):
            by_displacement = stage[f"by-displacement/{name}/value"][0, 0, :, :, 0]
            np.testing.assert_allclose((phases * by_displacement).sum(axis=(1, 2)),
                                       stage[f"{sums}/value"][:], atol=1e-12)


@pytest.mark.parametrize("connected", [False, True])
def test_distributions_count_pairs_by_their_correlation(tmp_path, connected):
    least, greatest, bins = -0.37, 0.61, 14
    done, output = run_keeping_configurations(
        tmp_path, PAIRS + f"distribution = {{ bins = {bins}, least = {least}, greatest = {greatest} }}\n"
        f"connected = {str(connected).lower()}\n",
        "[[alloy]]\nby = 'vacancy'\nsites = [4, 9]\n")
    assert done.returncode == 0, done.stderr
    sites = [site for site in range(24) if site not in (4, 9)]
    edges = np.linspace(least, greatest, bins + 1)

    def counts(spins):
        if connected:
            spins = spins - spins.mean(axis=0)
        norm = len(spins) - 1 if connected else len(spins)
        c = np.einsum("mra,msa->rs", spins, spins)[np.ix_(sites, sites)] / norm
        off = c[~np.eye(len(sites), dtype=bool)]
        inside = np.histogram(off, edges)[0]
        return c, np.concatenate([[np.sum(off < least)], inside, [np.sum(off > greatest)]])

    with h5py.File(output) as file:
        group = file["stages/02-pair-correlations/distribution"]
        spins = configurations(file)
        c, expected = counts(spins)
        found, error = (np.concatenate([[group[f"below/{part}"][()]], group[f"pairs/{part}"][:],
                                        [group[f"above/{part}"][()]]])
                        for part in ("value", "error"))
        np.testing.assert_allclose(group["edges"][:], edges, atol=1e-14)
        assert found.tolist() == expected.tolist() and found.sum() == 22 * 21
        assert found[0] > 0 and found[-1] > 0
        # Each block has one replica.
        left = np.array([counts(np.delete(spins, block, axis=0))[1] for block in range(6)])
        np.testing.assert_allclose(error, np.sqrt(5 * left.var(axis=0)), atol=1e-9)
        np.fill_diagonal(c, np.nan)
        for name, place in (("largest", np.nanargmax(c)), ("smallest", np.nanargmin(c))):
            pair = sorted(sites[n] for n in np.unravel_index(place, c.shape))
            assert group[f"{name}/sites"][:].tolist() == pair
            assert abs(group[f"{name}/value"][()] - c.ravel()[place]) < 1e-12


def test_a_perfect_ferromagnet_has_all_pairs_in_the_last_bin(tmp_path):
    text = ("replicas = 3\n[lattice]\ntype = 'square'\nsize = [6, 4]\n[[exchange]]\nshell = 1\n"
            "J = 1.0\n[initial]\nstate = 'aligned'\ndirection = [1, 2, 3]\n"
            + PAIRS + "distribution = {}\n")
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        group = file["stages/01-pair-correlations/distribution"]
        assert group["edges"].shape == (41,) and group["edges"][0] == -1 and group["edges"][-1] == 1
        assert group["pairs/value"][-1] == 24 * 23 and group["pairs/error"][-1] == 0
        assert group["pairs/value"][:-1].sum() == group["above/value"][()] == 0


def test_of_one_spin_there_is_no_pair(tmp_path):
    text = ("replicas = 3\n[lattice]\ntype = 'chain'\nsize = [1]\nperiodic = false\n"
            "[[anisotropy]]\nK = 1.0\n"
            + PAIRS + "distribution = {}\n")
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        group = file["stages/01-pair-correlations/distribution"]
        assert group["pairs/value"][:].sum() == 0
        assert np.isnan(group["largest/value"][()])
        assert group["smallest/sites"][:].tolist() == [-1, -1]
    assert larmor("show", output).returncode == 0


def test_distributions_have_the_same_bits_on_any_number_of_threads(tmp_path):
    text = SYSTEM.format(replicas=8, disorder="").replace("[6, 4]", "[40, 30]")
    results = []
    for threads in (1, 3):
        done, output = run_study(tmp_path, text + PAIRS + "distribution = {}\nerror_blocks = 2\n",
                                 "--threads", str(threads), "--force")
        assert done.returncode == 0, done.stderr
        results.append(datasets(output))
    assert results[0] == results[1]
    assert any("distribution/largest/sites" in name for name in results[0])


def test_vacancies_are_no_group(tmp_path):
    done, output = run(tmp_path, PAIRS + "groups = 'species'\n", 6,
                       "[[alloy]]\nby = 'vacancy'\nsites = [4, 9]\n")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        groups = file["stages/02-pair-correlations/between-groups"]
        assert len(groups["names"]) == 1
        assert np.all(np.isfinite(groups["square/value"][:]))


@pytest.mark.parametrize("replicas, blocks", [(2, 0), (3, 3), (4, 4), (20, 8)])
def test_progress_is_complete_however_many_blocks_there_are(tmp_path, replicas, blocks):
    done, output = run(tmp_path, PAIRS + "grid = true\n", replicas, "", "--progress", "json")
    assert done.returncode == 0, done.stderr
    start, *_, end = [json.loads(line) for line in done.stderr.splitlines() if line[:1] == "{"]
    sums = blocks + 1
    # The total counts 8 blocks and the whole. Each step of work is a whole number of updates.
    assert start["total"] == 24 * replicas * (20 + 1 + 9)
    assert 0 <= start["total"] - end["done"] < sums
    with h5py.File(output) as file:
        assert file["stages/02-pair-correlations"].attrs["error_blocks"] == blocks


@pytest.mark.parametrize("replicas, asked, blocks", [(3, 8, 0), (4, 2, 4), (5, 2, 3), (6, 2, 2)])
def test_blocks_leave_enough_replicas_for_connected_squares(tmp_path, replicas, asked, blocks):
    done, output = run(tmp_path, PAIRS + f"grid = true\nconnected = true\nerror_blocks = {asked}\n",
                       replicas)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-pair-correlations"]
        assert stage.attrs["error_blocks"] == blocks
        assert np.all(np.isfinite(stage["spin-glass-susceptibility/value"][:]))
        errors = stage["spin-glass-susceptibility/error"][:]
        assert np.all(errors > 0) if blocks else np.all(np.isnan(errors))


def test_connected_squares_of_independent_spins_have_no_offset(tmp_path):
    # There are M = 12 random configurations. Without a correction, squares of C would add N / (3 (M
    # - 1)) = 18 to 1.
    text = ("replicas = 12\n[lattice]\ntype = 'square'\nsize = [30, 20]\n[[exchange]]\nshell = 1\n"
            "J = 1.0\n[initial]\nstate = 'random'\n" + PAIRS + "connected = true\nq = [[0, 0, 0]]\n")
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        # A site with itself gives 1. With these samples, the result scatters by 0.05.
        assert abs(file["stages/01-pair-correlations/spin-glass-susceptibility/value"][0] - 1) < 0.5


def test_progress_weighs_sums_by_pairs_and_replicas(tmp_path):
    text = SYSTEM.format(replicas=8, disorder="").replace("[6, 4]", "[30, 20]")
    pairs = PAIRS + "q = [[0.1, 0, 0]]\ndistance = { width = 1.0, bins = 4 }\n"
    done, _ = run_study(tmp_path, text + pairs, "--progress", "json")
    assert done.returncode == 0, done.stderr
    start, *_, end = [json.loads(line) for line in done.stderr.splitlines() if line[:1] == "{"]
    # There are two kinds of sums, of spins (K = 24) and of quadrupoles (48), nine times each.
    assert start["total"] == 600 * 8 * 21 + 9 * 2 * 600**2 * 72 // 1000
    assert 0 <= start["total"] - end["done"] < 9


@pytest.mark.parametrize("stage, replicas, disorder, words", [
    ("", 6, "", "lacks its wave vectors"),
    ("grid = true\nq = [[0, 0, 0]]\n", 6, "", "several of path, q and grid"),
    ("path = ['Γ', 'nowhere']\n", 6, "", "nowhere"),
    ("grid = true\n", 1, "", "need two of them or more"),
    ("groups = 'basis'\n", 1, "", "need two of them or more"),
    ("grid = true\nconnected = true\n", 2, "", "need three replicas or more"),
    ("groups = 'sort'\n", 6, "", "groups cannot be 'sort'"),
    ("groups = 'spices'\n", 6, "", "did you mean 'species'?"),
    ("groups = 3\n", 6, "", "a word or a list of groups, not"),
    ("groups = []\n", 6, "", "groups is an empty list"),
    ("groups = [{ name = 'core' }]\n", 6, "", "sites"),
    ("groups = [{ sites = [0] }]\n", 6, "", "name"),
    ("groups = [{ name = '', sites = [0] }]\n", 6, "", "must not be empty"),
    ("groups = [{ name = 'core', sites = [] }]\n", 6, "", "must not be empty"),
    ("groups = [{ name = 'core', sites = [0, -1] }]\n", 6, "", "sites"),
    ("groups = [{ name = 'core', sites = [0, 0.5] }]\n", 6, "", "whole number"),
    ("groups = [{ name = 'core', sites = [0, 24] }]\n", 6, "", "there is no site 24"),
    ("groups = [{ name = 'core', sites = [0, 1, 0] }]\n", 6, "", 'site 0 is listed twice in "core"'),
    ("groups = [{ name = 'core', sites = [0, 1] }, { name = 'shell', sites = [1] }]\n", 6, "",
     'site 1 is in "core" and in "shell"'),
    ("groups = [{ name = 'core', sites = [0] }, { name = 'core', sites = [1] }]\n", 6, "",
     'two groups have the name "core"'),
    ("groups = [{ name = 'core', sites = [0], width = 2 }]\n", 6, "", "width"),
    ("groups = [{ name = 'hole', sites = [2] }]\n", 6,
     "[[alloy]]\nby = 'vacancy'\nsites = [2, 3]\n", 'no spin is in "hole"'),
    ("displacement = 3\n", 6, "", "displacement must be true, false or a table"),
    ("displacement = {}\n", 6, "", "cells"),
    ("displacement = { cells = [] }\n", 6, "", "must not be empty"),
    ("displacement = { cells = [1, 1, 0, 0] }\n", 6, "", "cells has 4 numbers"),
    ("displacement = { cells = [1, -1] }\n", 6, "", "cells"),
    ("displacement = { cells = [4, 1] }\n", 6, "", "has 6 cells"),
    ("displacement = { cell = 1 }\n", 6, "", "did you mean"),
    ("displacement = true\n", 1, "", "need two of them or more"),
    ("distance = { width = -1.0, bins = 4 }\n", 6, "", "width"),
    ("distance = { width = 1.0, bins = 4000 }\n", 6, "", "bins"),
    ("distribution = { bins = 0 }\n", 6, "", "bins"),
    ("distribution = { bins = -3 }\n", 6, "", "bins"),
    ("distribution = { bins = 1025 }\n", 6, "", "bins"),
    ("distribution = { bins = 2.5 }\n", 6, "", "whole number"),
    ("distribution = { least = 0.5, greatest = 0.5 }\n", 6, "", "no room for bins between least"),
    ("distribution = { least = 2.0 }\n", 6, "", "no room for bins between least = 2.0 and"),
    ("distribution = { least = -3.0 }\n", 6, "", "least"),
    ("distribution = { greatest = 1e308 }\n", 6, "", "greatest"),
    ("distribution = { greatest = 1e-320, least = 0.0 }\n", 6, "", "no room for bins"),
    ("distribution = { least = nan }\n", 6, "", "finite"),
    ("distribution = { greatest = inf }\n", 6, "", "finite"),
    ("distribution = { width = 1 }\n", 6, "", "width"),
    ("distribution = [{ bins = 3 }, { bins = 4 }]\n", 6, "", "several tables of distribution"),
    ("distribution = {}\n", 1, "", "need two of them or more"),
    ("grid = true\nprecision = 'half'\n", 6, "", "precision"),
    ("grid = true\n", 6, "disorder = 0.5\ndisorder_by_replica = true\n", "different couplings"),
    ("grid = true\n", 6, "[[random-field]]\nwidth = 0.5\nby_replica = true\n", "different couplings"),
])
def test_what_cannot_be_correlated_is_refused_before_the_run(
        tmp_path, stage, replicas, disorder, words):
    done, output = run(tmp_path, PAIRS + stage, replicas, disorder)
    assert done.returncode == 2 and done.stderr.count("error:") == 1, done.stderr
    assert words in done.stderr and "study.toml:" in done.stderr
    assert not output.exists()


@pytest.mark.skipif(BACKEND == "cuda", reason="a GPU sums fewer")
def test_too_many_groups_are_refused_before_the_run(tmp_path):
    atoms = "".join(f"Fe {n} 0 0\n" for n in range(10001))
    (tmp_path / "atoms.xyz").write_text("10001\n\n" + atoms)
    done, output = run_study(
        tmp_path, 'replicas = 2\n[lattice]\nfile = "atoms.xyz"\n[[exchange]]\nshell = 1\nJ = 1\n'
        + PAIRS + 'groups = "basis"\n')
    assert done.returncode == 2 and not output.exists(), done.stderr
    assert "correlations between 10001 groups of sites" in done.stderr
    assert "study.toml:9:10: " in done.stderr and "10000 at most" in done.stderr


def test_too_many_displacements_are_refused_before_the_run(tmp_path):
    size, most = (1025, 1024) if BACKEND == "cuda" else (10_000_001, 10_000_000)
    done, output = run_study(
        tmp_path, f'replicas = 2\n[lattice]\ntype = "chain"\nsize = [{size}]\n[[exchange]]\n'
        "shell = 1\nJ = 1\n" + PAIRS + "displacement = true\n")
    assert done.returncode == 2 and not output.exists(), done.stderr
    assert f"correlations of {size} displacements" in done.stderr
    assert "study.toml:10" in done.stderr and f"{most} at most" in done.stderr
    assert "cells = [..]" in done.stderr


def test_split_precisions_say_how_far_they_are_off(tmp_path):
    pairs = PAIRS + "q = [[0, 0, 0], [0.5, 0.25, 0]]\nerror_blocks = 3\n"
    text = SYSTEM.format(replicas=6, disorder="")
    double, output = run_study(tmp_path, text + pairs)
    assert double.returncode == 0 and "in real space" not in double.stderr, double.stderr
    with h5py.File(output) as file:
        assert "precision_error" not in file["stages/02-pair-correlations"].attrs
    split, output = run_study(tmp_path, text + pairs + "precision = 'tf32x3'\n", "--force")
    assert split.returncode == 0, split.stderr
    assert split.stderr.count("pair-correlations: products in real space give S(q) a relative error") == 1
    with h5py.File(output) as file:
        # A CPU always uses double precision.
        error = file["stages/02-pair-correlations"].attrs["precision_error"]
        assert 0 <= error < (1e-5 if BACKEND == "cuda" else 1e-12)


def test_real_space_gives_what_amplitudes_give(tmp_path):
    dynamics = ('[[stage]]\nkind = "dynamics"\ntimestep = 0.05\nsteps = 40\nmeasure = [\n'
                '{ what = "structure-factor", path = ["Γ", "X", "M"], every = 4, origins = "fixed",'
                ' method = "factorised" },\n'
                '{ what = "structure-factor", path = ["Γ", "X", "M"], every = 4, origins = "fixed",'
                ' method = "real-space", error_blocks = 0 },\n'
                '{ what = "structure-factor", path = ["Γ", "X", "M"], every = 4, origins = "fixed",'
                ' method = "real-space", components = true }]\n')
    done, output = run(tmp_path, dynamics)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-dynamics"]
        one, other = stage["structure-factor"], stage["structure-factor-2"]
        assert other.attrs["method"] == "real-space"
        np.testing.assert_allclose(other["intermediate"][:], one["intermediate"][:], atol=1e-11)
        np.testing.assert_allclose(other["intensity"][:], one["intensity"][:], atol=1e-10)
        assert np.all(np.isnan(other["error"][:])) and "components" not in other
        assert 0 <= other.attrs["precision_error"] < 1e-12 and "precision_error" not in one.attrs
        third = stage["structure-factor-3"]
        for name in ("intermediate", "intermediate_error", "intensity", "error", "components"):
            np.testing.assert_allclose(third[name][:], one[name][:], atol=1e-10)
    assert done.stderr.count("the scatter of 6 replica(s) gives about 0.6") == 2
    assert "structure-factor-2: products in real space give S(q) a relative error" in done.stderr


def test_show_says_what_was_correlated(tmp_path):
    done, output = run(tmp_path, PAIRS + "grid = true\ndisplacement = { cells = [2, 1] }\n"
                       "distance = { width = 0.5, bins = 6 }\ndistribution = { bins = 8 }\n"
                       "groups = [{ name = 'core', sites = [0, 3] }, { name = 'rim', sites = [7] }]\n")
    assert done.returncode == 0, done.stderr
    shown = larmor("show", output)
    assert shown.returncode == 0, shown.stderr
    with h5py.File(output) as file:
        stage = file["stages/02-pair-correlations"]
        place = stage["structure/value"][:].argmax()
        q = ", ".join(f"{number:.6g}" for number in stage["wave-vectors/q"][place])
        mean = stage["between-groups/correlation/value"][0, 1]
    assert "24 wave vectors (grid of 6 x 4 x 1)" in shown.stdout
    assert re.search(rf"structure: largest \S+ at q = \[{re.escape(q)}\]", shown.stdout)
    assert "spin-glass-susceptibility: largest" in shown.stdout
    assert "by distance: 6 bin(s) up to 3\n" in shown.stdout
    assert "by displacement: 5 x 3 x 1 cells, 1 atom(s) of the basis" in shown.stdout
    assert "distribution: 8 bin(s) of C from -1 to 1, 0 pairs below, 0 above" in shown.stdout
    assert re.search(r"largest \S+ between sites \d+ and \d+", shown.stdout)
    between = re.search(r"core, rim +(-?[\d.]+)", shown.stdout)
    assert abs(float(between[1]) - mean) < 0.1


@pytest.mark.parametrize(("keys", "words", "known"), [
    ("", "errors by 8 blocks of replicas at most", True),
    ("error_blocks = 1\n", "no errors", False),
    ("error_blocks = 0\n", "no errors", False),
])
def test_the_plan_says_which_errors_there_will_be(tmp_path, keys, words, known):
    done, output = run(tmp_path, PAIRS + "q = [[0, 0, 0]]\n" + keys, 5)
    assert done.returncode == 0, done.stderr
    assert words in larmor("check", tmp_path / "study.toml").stdout
    with h5py.File(output) as file:
        stage = file["stages/02-pair-correlations"]
        assert stage.attrs["error_blocks"] == (5 if known else 0)
        assert np.isfinite(stage["structure/error"][0]) == known
