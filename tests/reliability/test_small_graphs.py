"""Single-site updates reach every state of every small graph. Averages of Ising and Potts models, and of the
Ising limit of phi^4, equal those of the sum over all states. Graphs are rings, free sites, trees, small
tori, dense graphs and files; every sampler and engine is tested."""
# Rooms: ising, phi4

import itertools
import math

import h5py
import numpy as np
import pytest

from program import DEPTH, larmor


def grid(lengths, periodic=None):
    """Sites and bonds. If a periodic axis has two sites, two bonds join them."""
    periodic = periodic or [True] * len(lengths)
    sites = list(itertools.product(*(range(n) for n in reversed(lengths))))
    number = {site: n for n, site in enumerate(sites)}
    bonds = []
    for site in sites:
        for axis, (length, closes) in enumerate(zip(lengths, periodic)):
            there = list(site)
            at = len(lengths) - 1 - axis
            there[at] += 1
            if length == 1 or there[at] == length and not closes:
                continue
            there[at] %= length
            bonds.append((number[site], number[tuple(there)], 1.0))
    return len(sites), bonds


def ring(sites, J=1.0):
    return sites, [(i, (i + 1) % sites, J) for i in range(sites)]


def union(*graphs):
    sites, bonds = 0, []
    for count, own in graphs:
        bonds += [(i + sites, j + sites, J) for i, j, J in own]
        sites += count
    return sites, bonds


def complete(*parts):
    """Bonds between all sites of different groups."""
    part_of = [part for part, count in enumerate(parts) for _ in range(count)]
    return len(part_of), [(i, j, 1.0) for i, j in itertools.combinations(range(len(part_of)), 2)
                          if part_of[i] != part_of[j]]


GRAPHS = {
    "free sites": (5, [(0, 1, 0.0)]),
    "a pair": (2, [(0, 1, 1.0)]),
    "two bonds of a pair": (2, [(0, 1, 1.0), (0, 1, 1.0)]),
    "ring of 3": ring(3),
    "ring of 4": ring(4),
    "ring of 6, negative": ring(6, -1.0),
    "ring of 7, negative": ring(7, -1.0),
    "ring of 10": ring(10),
    "chain": grid([9], [False]),
    "star": (8, [(0, i, 1.0) for i in range(1, 8)]),
    "tree": (7, [((i - 1) // 2, i, 1.0) for i in range(1, 7)]),
    "rings and free sites": union(ring(4), (2, []), ring(4, -1.0)),
    "torus 2 2": grid([2, 2]),
    "torus 2 4": grid([2, 4]),
    "torus 3 3": grid([3, 3]),
    "torus 2 2 2": grid([2, 2, 2]),
    "torus 4 3, diagonals": (12, grid([4, 3])[1] + [(x + 4 * y, (x + 1) % 4 + 4 * ((y + 1) % 3), 1.0)
                                                    for y in range(3) for x in range(4)]),
    "square of 4, open": grid([2, 2], [False, False]),
    "two parts of 4": complete(4, 4),
    "three parts of 3": complete(3, 3, 3),
    "complete": complete(*[1] * 7),
    "frustrated": (8, [(i, j, J if k % 3 else -J) for k, (i, j, J) in enumerate(grid([4, 2])[1])]),
}
# These are the most demanding graphs. All other graphs resemble lattices.
IN_SHORT = ("free sites", "ring of 4", "ring of 7, negative", "rings and free sites", "torus 2 2", "torus 2 4",
            "two parts of 4", "three parts of 3")


def exact(sites, bonds, states, temperature):
    """Means of the energy per site and of the squared order parameter over all states. The latter is m^2 for
    Ising spins and q/(q-1) sum_k (n_k/N - 1/q)^2 for Potts spins."""
    codes = np.arange(states**sites)
    spins = np.stack([codes // states**i % states for i in range(sites)])
    energy = np.zeros(len(codes))
    for i, j, J in bonds:
        equal = spins[i] == spins[j]
        energy -= J * (np.where(equal, 1, -1) if states == 2 else equal)
    shares = np.stack([(spins == k).mean(axis=0) for k in range(states)])
    square = states / (states - 1) * ((shares - 1 / states)**2).sum(axis=0)
    weight = np.exp(-(energy - energy.min()) / temperature)
    weight /= weight.sum()
    return weight @ energy / sites, weight @ square


REPLICAS, SWEEPS = 256, 600
TEMPERATURES = 1.5, 3.0


def stage_text(kind, sampler, engine, temperature):
    lines = [f'kind = "{kind}"', f'sampler = "{sampler}"']
    if engine:
        lines.append(f'engine = "{engine}"')
    if kind == "tempering":
        lines.append(f"temperature = [{temperature}, {2 * temperature}]")
    else:
        lines.append(f"temperature = {temperature}")
    # A cluster is often a single site.
    many = 3 if sampler == "wolff" else 1
    lines += [f"thermalisation = {100 * many}", f"sweeps = {SWEEPS * many}", f"measure_every = {many}",
              "keep_configurations = 0"]
    return "[[stage]]\n" + "\n".join(lines) + "\n"


# Graphs that studies describe as grids.
GRIDS = {
    "ring of 4": ([4], True),
    "ring of 10": ([10], True),
    "chain": ([9], False),
    "torus 2 2": ([2, 2], True),
    "torus 2 4": ([2, 4], True),
    "torus 3 3": ([3, 3], True),
    "torus 2 2 2": ([2, 2, 2], True),
    "square of 4, open": ([2, 2], False),
}


def study_text(folder, name, states):
    sites, bonds = GRAPHS[name]
    # A file lists each pair of sites once.
    couplings = {}
    for i, j, J in bonds:
        couplings[min(i, j), max(i, j)] = couplings.get((min(i, j), max(i, j)), 0) + J
    (folder / "bonds.txt").write_text("".join(f"{i} {j} {J}\n" for (i, j), J in couplings.items()))
    text = f"seed = 5\nreplicas = {REPLICAS}\n"
    text += '[model]\nkind = "ising"\n' if states == 2 else f'[model]\nkind = "potts"\n[potts]\nstates = {states}\n'
    if name in GRIDS:
        size, periodic = GRIDS[name]
        text += f"[lattice]\ngrid = {size}\nperiodic = {str(periodic).lower()}\n[[exchange]]\nshell = 1\nJ = 1.0\n"
    else:
        text += f'[lattice]\nsites = {sites}\n[[exchange]]\nfile = "bonds.txt"\n'
    return text + '[initial]\nstate = "random"\n'


def pulls(values, expected):
    """Deviation of the mean over replicas from `expected`, in units of its error. Also the
    correlation of the first and the last values of series, compared with 0: if a replica is frozen,
    these values are equal. @param values [sample, replica]"""
    third = len(values) // 3
    means, first, last = values.mean(axis=0), values[:third].mean(axis=0), values[-third:].mean(axis=0)
    error = means.std(ddof=1) / math.sqrt(means.size)
    if error < 1e-12:
        assert means.mean() == pytest.approx(expected, abs=1e-9)
        return []
    if first.std() < 1e-12 or last.std() < 1e-12:
        return [(means.mean() - expected) / error]
    alike = np.corrcoef(first, last)[0, 1] * math.sqrt(means.size)
    return [(means.mean() - expected) / error, alike]


def of_stage(stage, states, rungs):
    energy, order = (stage[f"series/{name}/value"][()] for name in ("energy", "magnetisation"))
    square = order**2 if states == 2 else (order**2).sum(axis=-1)
    return energy[:, ::rungs], square.reshape(energy.shape)[:, ::rungs]


CASES = {
    "ising": (2, "monte-carlo", "metropolis", ""),
    "ising, glauber": (2, "monte-carlo", "glauber", ""),
    "ising, heat bath": (2, "monte-carlo", "heat-bath", ""),
    "ising, swendsen-wang": (2, "monte-carlo", "swendsen-wang", ""),
    "ising, wolff": (2, "monte-carlo", "wolff", ""),
    "ising, tempering": (2, "tempering", "metropolis", "general"),
    "potts": (3, "monte-carlo", "metropolis", ""),
    "potts, heat bath": (3, "monte-carlo", "heat-bath", ""),
    "potts, wolff": (3, "monte-carlo", "wolff", ""),
}


def assert_as_expected(found, name, values, expected):
    own = pulls(values, expected)
    assert all(abs(pull) < 5 for pull in own), (name, own)
    found += own


def assert_chi_square(found):
    """Tests that deviations match the errors: they are neither larger nor smaller."""
    chi_square = np.square(found).mean()
    assert abs(chi_square - 1) < 5 * math.sqrt(2 / len(found)), chi_square


def results_of(folder, name, text):
    study, output = folder / "study.toml", folder / "study.h5"
    study.write_text(text)
    run = larmor("run", study, "-o", output, "--force")
    assert run.returncode == 0, (name, run.stderr)
    return output


@pytest.mark.parametrize("case", CASES)
def test_averages_are_those_over_all_states(tmp_path, case):
    states, kind, sampler, engine = CASES[case]
    found = []
    for name, graph in GRAPHS.items():
        sites, bonds = graph
        if states**sites > 60000 or (not DEPTH and name not in IN_SHORT):
            continue
        if sampler in ("swendsen-wang", "wolff") and any(J == 0 or J < 0 and states > 2 for _, _, J in bonds):
            continue
        text = study_text(tmp_path, name, states)
        for temperature in TEMPERATURES:
            output = results_of(tmp_path, name, text + stage_text(kind, sampler, engine, temperature))
            with h5py.File(output) as file:
                measured = of_stage(file[f"stages/01-{kind}"], states, 2 if kind == "tempering" else 1)
            for values, expected in zip(measured, exact(sites, bonds, states, temperature)):
                assert_as_expected(found, (name, temperature), values, expected)
    assert_chi_square(found)


@pytest.mark.parametrize("sampler", ["metropolis", "heat-bath", "swendsen-wang", "wolff"])
def test_phi4_of_ising_spins_has_these_averages_too(tmp_path, sampler):
    found = []
    for name, (size, periodic) in GRIDS.items():
        if not DEPTH and name not in IN_SHORT:
            continue
        sites, bonds = GRAPHS[name]
        for temperature in (*TEMPERATURES, math.inf):
            kappa = 0.5 / temperature
            text = f"""
seed = 4
replicas = {REPLICAS}
[model]
kind = "phi4"
[lattice]
size = {size}
periodic = {str(periodic).lower()}
[phi4]
components = 1
kappa = {kappa}
lambda = "infinity"
[initial]
state = "random"
"""
            output = results_of(tmp_path, name, text + stage_text("monte-carlo", sampler, "", 0).replace(
                "temperature = 0\n", ""))
            with h5py.File(output) as file:
                series = file["stages/01-monte-carlo/series"]
                action = series["action/value"][()]
                square = series["magnetisation/value"][()].reshape(action.shape)**2
            energy, order = exact(sites, bonds, 2, temperature)
            # Since phi^2 = 1, the action is S = E / T + 1.
            assert_as_expected(found, (name, temperature), action, 1 + energy / temperature)
            assert_as_expected(found, (name, temperature), square, order)
    assert_chi_square(found)


@pytest.mark.parametrize("name", ["ring of 4", "chain", "torus 2 2", "square of 4, open"])
def test_samples_in_words_have_the_averages_over_all_couplings(tmp_path, name):
    samples, copies, temperature = 64, 2, 1.5
    size, periodic = GRIDS[name]
    text = f"""
seed = 8
replicas = {2 * samples * copies}
samples = {samples}
[model]
kind = "ising"
[lattice]
grid = {size}
periodic = {str(periodic).lower()}
[[exchange]]
shell = 1
J = 0.0
disorder = 1.0
disorder_distribution = "bimodal"
disorder_by_replica = true
[initial]
state = "random"
"""
    output = results_of(tmp_path, name, text + stage_text("tempering", "metropolis", "samples", temperature))
    with h5py.File(output) as file:
        measured = of_stage(file["stages/01-tempering"], 2, 2)
    sites, bonds = GRAPHS[name]
    # Both bonds between two sites have one sign.
    pairs = sorted({(min(i, j), max(i, j)) for i, j, _ in bonds})
    signed = []
    for signs in itertools.product((-1, 1), repeat=len(pairs)):
        sign = dict(zip(pairs, signs))
        signed.append([(i, j, sign[min(i, j), max(i, j)]) for i, j, _ in bonds])
    expected = np.mean([exact(sites, own, 2, temperature) for own in signed], axis=0)
    for values, mean in zip(measured, expected):
        of_samples = values.mean(axis=0).reshape(samples, copies).mean(axis=1)
        error = of_samples.std(ddof=1) / math.sqrt(samples)
        assert abs(of_samples.mean() - mean) < 4 * error + 1e-9
