"""The heat bath of the dynamics and Monte Carlo sample one equilibrium, for any damping, scheme and moments."""
# Rooms: spins

import subprocess

import h5py
import numpy as np
import pytest

from running import LARMOR, ROOT

STUDY = """
seed = {seed}
replicas = 16
units = "material"

[lattice]
{lattice}
size = [{size}, {size}, {size}]
constant = "2.87 Å"

{couplings}

[initial]
state = "aligned"
"""

IRON = (ROOT / "examples" / "bcc-iron" / "study.toml").read_text()
IRON_COUPLINGS = IRON[IRON.index("[[exchange]]"):IRON.index("[initial]")]

# The alloy has two sublattices with moments in the ratio 1 to 1.6, antiferromagnetic nearest
# neighbours and an axis.
ALLOY_LATTICE = """cell = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
basis = [[0, 0, 0], [0.5, 0.5, 0.5]]
species = ["Co", "Fe"]
moment = ["1.7 μB", "2.7 μB"]"""
ALLOY_COUPLINGS = """
[[exchange]]
shell = 1
J = "3 mRy"

[[exchange]]
shell = 2
J = "-0.4 mRy"

[[anisotropy]]
K = "1 meV"
species = "Co"
"""

MONTE_CARLO = """
[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
over_relaxation = 1
temperature = "{temperature} K"
thermalisation = 400
sweeps = 4000
measure_every = 2
measure = ["energy", "magnetisation", "sublattices"]
"""

DYNAMICS = """
[[stage]]
kind = "dynamics"
integrator = "{integrator}"
timestep = "{timestep} fs"
damping = {damping}
temperature = "{temperature} K"
steps = {settle}

[[stage]]
kind = "dynamics"
integrator = "{integrator}"
timestep = "{timestep} fs"
damping = {damping}
temperature = "{temperature} K"
steps = {steps}
measure = [
  {{ what = "energy", every = 50 }},
  {{ what = "magnetisation", every = 50 }},
  {{ what = "sublattices", every = 50 }},
]
"""


def stages(folder, text, names):
    """Averages of every stage of a study, by the name of the stage."""
    study, results = folder / "study.toml", folder / "study.h5"
    study.write_text(text)
    subprocess.run(
        [LARMOR, "run", str(study), "-o", str(results), "--progress", "quiet"], check=True
    )
    with h5py.File(results) as file:
        return {
            stage: {n: (group["averages"][n]["value"][0], group["averages"][n]["error"][0])
                    for n in names if n in group["averages"]}
            for stage, group in file["stages"].items()
        }


def assert_equal(dynamics, monte_carlo, case):
    for name, (value, error) in dynamics.items():
        expected, expected_error = monte_carlo[name]
        allowed = 3 * np.hypot(error, expected_error)
        print(f"{case} {name} {value:.6f} - {expected:.6f} = {value - expected:.6f} +- {allowed / 3:.6f}")
        assert abs(value - expected) < allowed, f"{case}: {name} {value} for {expected}"
        assert error < 0.02 * abs(value)


@pytest.mark.parametrize("temperature", [300, 600, 900])
def test_iron_at_any_damping(tmp_path, temperature):
    text = STUDY.format(
        seed=11, size=6, lattice='type = "bcc"\nmoment = "2.23 μB"', couplings=IRON_COUPLINGS
    ) + MONTE_CARLO.format(temperature=temperature)
    # The bias of a time step is of first order and grows with damping. Weakly damped spins relax
    # slowly.
    cases = [(0.1, 0.2, 40000), (0.5, 0.1, 20000), (1.0, 0.05, 30000)]
    for damping, timestep, steps in cases:
        text += DYNAMICS.format(
            integrator="depondt", timestep=timestep, damping=damping, temperature=temperature,
            settle=4000, steps=steps,
        )
    found = stages(tmp_path, text, ["energy", "magnetisation"])
    for n, (damping, *_) in enumerate(cases):
        assert_equal(
            found[f"{2 * n + 3:02d}-dynamics"], found["01-monte-carlo"], f"{temperature} K, {damping}"
        )


def test_unequal_moments_and_dampings_by_every_integrator(tmp_path):
    temperature = 300
    text = STUDY.format(
        seed=12, size=4, lattice=ALLOY_LATTICE, couplings=ALLOY_COUPLINGS
    ) + MONTE_CARLO.format(temperature=temperature)
    integrators = ("depondt", "heun", "semi-implicit", "midpoint")
    for integrator in integrators:
        text += DYNAMICS.format(
            integrator=integrator, timestep=0.05, damping=[0.2, 0.6], temperature=temperature,
            settle=8000, steps=40000,
        )
    found = stages(tmp_path, text, ["energy", "magnetisation_Co", "magnetisation_Fe"])
    for n, integrator in enumerate(integrators):
        assert_equal(found[f"{2 * n + 3:02d}-dynamics"], found["01-monte-carlo"], integrator)
