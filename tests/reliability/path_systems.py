"""Systems with known lowest saddles: from a closed form, from another program, or from Newton's
method for a chain with spins in a plane. Each system starts in its first state and has one stage,
minimum-energy-path.

Energies are in units of J, and so is mu_B B of a moment in a field B."""

import dataclasses

import h5py
import numpy as np

from program import run_study


@dataclasses.dataclass(frozen=True)
class PathSystem:
    name: str
    study: str
    forward: float  # barrier from the first state
    backward: float  # barrier from the last state
    error: float  # tolerance for the barriers


@dataclasses.dataclass(frozen=True)
class FoundPath:
    converged: bool  # true if at least the saddle has converged
    steps: int
    forward: float
    backward: float
    length: float  # geodesic, from the first image to the last

    def is_right_for(self, system):
        errors = (self.forward - system.forward, self.backward - system.backward)
        return self.converged and max(map(abs, errors)) < system.error


def find_path(folder, system, *options, seed=1, **keys):
    """Runs a system. @param keys keys of its stage @param options options of the program"""
    settings = [f"seed={seed}", *(f"stage.1.{key}={value}" for key, value in keys.items())]
    words = [word for setting in settings for word in ("--set", setting)]
    done, output = run_study(folder, system.study, *words, "--force", "--progress", "quiet", *options)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        return found_in(file)


def found_in(results):
    """The path in a group of results."""
    stage = results["stages/01-minimum-energy-path"]
    path = stage["path"]
    return FoundPath(
        stage.attrs["converged"] == 1 or stage.attrs["saddle_converged"] == 1,
        int(stage.attrs["steps"]),
        path.attrs["barrier_forward"],
        path.attrs["barrier_backward"],
        path["reaction_coordinate"][-1],
    )


# Tolerance of the forces that gives barriers to ten digits.
FINE = 1e-8

UP = 'state = "aligned"'
DOWN = 'state = "aligned", direction = [0, 0, -1]'


def study_of(lattice, terms, first, last, **keys):
    """@param keys keys of the stage"""
    stage = "".join(f"{key} = {value}\n" for key, value in keys.items())
    return (
        f"seed = 1\ninitial = {{ {first} }}\n[lattice]\n{lattice}{terms}"
        f'[[stage]]\nkind = "minimum-energy-path"\nfinal = {{ {last} }}\n{stage}'
    )


def exchange(J):
    return f"[[exchange]]\nshell = 1\nJ = {J}\n"


def anisotropy(K, more=""):
    return f"[[anisotropy]]\nK = {K}\n{more}"


def field(*B):
    return f"[field]\nB = {list(B)}\n"


def open_chain(sites):
    return f'type = "chain"\nsize = [{sites}]\nperiodic = false\n'


def grain(K=0.7, h=0.5):
    """One spin with the energy - K cos^2 + 2 K h cos. The wells lie K (1 - h)^2 and K (1 + h)^2
    below a ring of saddles."""
    terms = anisotropy(K) + field(0, 0, -2 * K * h)
    study = study_of(open_chain(1), terms, UP, DOWN, tolerance=FINE)
    return PathSystem("grain", study, K * (1 - h) ** 2, K * (1 + h) ** 2, 1e-9)


def grain_in_a_field_across(K=0.7, h=0.3):
    """The field is perpendicular to the axis, so cos = sqrt(1 - h^2) in both wells. The saddle lies
    along the field."""
    terms = anisotropy(K) + field(2 * K * h, 0, 0)
    study = study_of(open_chain(1), terms, UP, DOWN, tolerance=FINE)
    return PathSystem("grain-in-a-field-across", study, K * (1 - h) ** 2, K * (1 - h) ** 2, 1e-9)


def stiff_grain(K=0.1, h=0.3):
    """27 spins that turn together, because their exchange is far above their anisotropy."""
    terms = exchange(10) + anisotropy(K) + field(0, 0, -2 * K * h)
    lattice = 'type = "sc"\nsize = [3, 3, 3]\nperiodic = false\n'
    study = study_of(lattice, terms, UP, DOWN, tolerance=FINE)
    return PathSystem("stiff-grain", study, 27 * K * (1 - h) ** 2, 27 * K * (1 + h) ** 2, 1e-9)


def two_grains(K=(0.5, 0.8)):
    """Two independent spins that turn one after the other. If they turned together, they would
    climb over the sum of both barriers."""
    lattice = (
        "cell = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nbasis = [[0, 0, 0], [0.5, 0, 0]]\n"
        'species = ["A", "B"]\nsize = [1, 1, 1]\nperiodic = false\n'
    )
    terms = anisotropy(K[0], 'species = "A"\n') + anisotropy(K[1], 'species = "B"\n')
    study = study_of(lattice, terms, UP, DOWN, tolerance=FINE)
    return PathSystem("two-grains", study, max(K), max(K), 1e-9)


def weak_pair(J=0.3, K=0.5):
    """Two spins with exchange J < K. First one spin turns, then the other spin. In a plane, the
    state theta_1 - theta_2 = pi / 2 with sin(2 theta_1) = - J / K is stationary and has the energy
    - K. Such states are the saddles before and after a minimum with one spin up and one spin
    down."""
    study = study_of(open_chain(2), exchange(J) + anisotropy(K), UP, DOWN, tolerance=FINE)
    return PathSystem("weak-pair", study, J + K, J + K, 1e-9)


def strong_pair(J=0.8, K=0.5):
    """Two spins with exchange J > K, which turn together."""
    study = study_of(open_chain(2), exchange(J) + anisotropy(K), UP, DOWN, tolerance=FINE)
    return PathSystem("strong-pair", study, 2 * K, 2 * K, 1e-9)


class PlanarChain:
    """An open chain of spins in a plane, H = - J sum cos(t_i - t_i+1) - sum (K cos(t_i)^2 + b cos(t_i))."""

    def __init__(self, sites, J, K, b):
        self.sites, self.J, self.K, self.b = sites, J, K, b

    def energy(self, t):
        bonds = -self.J * np.cos(np.diff(t)).sum()
        return bonds - (self.K * np.cos(t) ** 2 + self.b * np.cos(t)).sum()

    def gradient(self, t):
        bonds = self.J * np.sin(np.diff(t))
        slope = self.K * np.sin(2 * t) + self.b * np.sin(t)
        slope[1:] += bonds
        slope[:-1] -= bonds
        return slope

    def hessian(self, t):
        bonds = self.J * np.cos(np.diff(t))
        diagonal = 2 * self.K * np.cos(2 * t) + self.b * np.cos(t)
        diagonal[1:] += bonds
        diagonal[:-1] += bonds
        return np.diag(diagonal) - np.diag(bonds, 1) - np.diag(bonds, -1)

    def wall(self, centre, first):
        """Angles of a wall between domains with the angles `first` (0 or pi) and pi - first."""
        width = np.sqrt(self.J / (2 * self.K))
        t = 2 * np.arctan(np.exp((np.arange(self.sites) - centre) / width))
        return t if first == 0 else np.pi - t

    def stationary(self, guess, ways_down):
        """Energy of the stationary state near a guess. @param ways_down number of directions in
        which the curvature is negative"""
        t = np.array(guess, dtype=float)
        for _ in range(100):
            t -= np.linalg.solve(self.hessian(t), self.gradient(t))
        assert np.abs(self.gradient(t)).max() < 1e-12, self.gradient(t)
        assert (np.linalg.eigvalsh(self.hessian(t)) < 0).sum() == ways_down
        return self.energy(t)


def wall_state(centre=None, direction="[0, 0, 1]"):
    text = f'state = "domain-wall", direction = {direction}, normal = [1, 0, 0], '
    text += "inside = [0, 1, 0], width = 1"
    return text if centre is None else text + f", centre = [{centre}, 0, 0]"


def nucleation(sites=40, J=1.0, K=0.1, h=0.4, guided=True):
    """A chain against its field. A wall enters at one end and moves on without a barrier. @param
    guided whether the first path contains a wall; otherwise all spins turn together at first"""
    chain = PlanarChain(sites, J, K, -2 * K * h)
    terms = exchange(J) + anisotropy(K) + field(0, 0, chain.b)
    keys = {"through": f"[{{ {wall_state(direction='[0, 0, -1]')} }}]"} if guided else {}
    saddle = chain.stationary(chain.wall(0.0, first=np.pi), ways_down=1)
    return PathSystem(
        "nucleation" if guided else "nucleation-unguided",
        study_of(open_chain(sites), terms, UP, DOWN, tolerance=FINE, **keys),
        saddle - chain.energy(np.zeros(sites)),
        saddle - chain.energy(np.full(sites, np.pi)),
        1e-9,
    )


def reversal(sites=60, J=1.0, K=0.1):
    """Reversal of a chain without a field. The energy of the wall depends on its position only near
    the ends, except for a Peierls barrier of about 1e-7. The top is so flat that no path converges
    to the last digits."""
    chain = PlanarChain(sites, J, K, 0.0)
    terms = exchange(J) + anisotropy(K)
    through = f"[{{ {wall_state()} }}]"
    study = study_of(open_chain(sites), terms, UP, DOWN, through=through, tolerance=1e-5)
    barrier = chain.stationary(chain.wall(sites / 2, 0), 1) - chain.energy(np.zeros(sites))
    return PathSystem("reversal", study, barrier, barrier, 1e-6)


def wall(name, sites=40, J=1.0, K=0.5, steps=1, rows=1):
    """A wall between two sites moves by `steps` sites, over Peierls barriers. @param rows rows of a
    strip"""
    chain = PlanarChain(sites, J, K, 0.0)
    middle = sites // 2 - 0.5
    lattice = open_chain(sites)
    if rows > 1:
        lattice = f'type = "square"\nsize = [{sites}, {rows}]\nperiodic = [false, true]\n'
    terms = exchange(J) + anisotropy(K)
    first, last = (chain.stationary(chain.wall(middle + s, 0), 0) for s in (0, steps))
    saddles = [chain.stationary(chain.wall(middle + s + 0.5, 0), 1) for s in range(steps)]
    ends = wall_state(middle), wall_state(middle + steps)
    return PathSystem(
        name,
        study_of(lattice, terms, *ends, tolerance=FINE),
        rows * (max(saddles) - first),
        rows * (max(saddles) - last),
        1e-9,
    )


def skyrmion(size=48):
    """A skyrmion of interface DMI shrinks and disappears."""
    lattice = f'type = "square"\nsize = [{size}, {size}]\n'
    terms = exchange(1.0) + '[[dmi]]\nshell = 1\nstrength = 0.5\ndirection = "interface"\n'
    first = 'state = "skyrmion", radius = 6, helicity = "180 deg"'
    study = study_of(lattice, terms + field(0, 0, 0.2), first, UP)
    return PathSystem("skyrmion", study, 4.52856710895, 5.20795603833, 1e-7)


SYSTEMS = {
    system.name: system
    for system in (
        grain(),
        grain_in_a_field_across(),
        stiff_grain(),
        two_grains(),
        weak_pair(),
        strong_pair(),
        nucleation(),
        nucleation(guided=False),
        reversal(),
        wall("wall"),
        wall("wall-over-two-sites", steps=2),
        wall("wall-of-a-strip", rows=3),
        skyrmion(),
    )
}
