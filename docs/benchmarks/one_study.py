"""Compares the speed of stages in one study of four stages and in studies with only one of them.

    LARMOR=build/release/larmor python docs/benchmarks/one_study.py [--backend cuda] [--size 64] [--replicas 8]

The long study relaxes spins, computes their spin waves, samples at a temperature and measures S(q,w). Prints the
speed of sampling and dynamics in each study, in spin updates a second, and their ratio. Needs h5py."""

import argparse
import os
import pathlib
import subprocess
import tempfile

import h5py

SYSTEM = """
seed = 1
replicas = {replicas}
[lattice]
type = "sc"
size = [{size}, {size}, {size}]
[[exchange]]
shell = 1
J = 1.0
[initial]
state = "aligned"
"""
RELAX = """
[[stage]]
kind = "minimise"
perturbation = 0.3
[[stage]]
kind = "spin-waves"
path = ["Γ", "X", "M", "Γ"]
"""
SAMPLE = """
[[stage]]
kind = "monte-carlo"
temperature = 0.5
thermalisation = {sweeps}
sweeps = {sweeps}
"""
FOLLOW = """
[[stage]]
kind = "dynamics"
integrator = "rk4"
timestep = 0.05
steps = {steps}
measure = ["energy", {{ what = "structure-factor", path = ["Γ", "X", "M", "Γ"], every = 10 }}]
"""


def rates(larmor, folder, text, options):
    """Spin updates a second of every stage of a study, by kind."""
    study, output = folder / "study.toml", folder / "out.h5"
    study.write_text(text)
    subprocess.run([larmor, "run", study, "-o", output, "--force", "--progress", "quiet", *options], check=True)
    with h5py.File(output) as file:
        return {stage.attrs["kind"]: float(stage.attrs["rate"]) for stage in file["stages"].values()
                if "rate" in stage.attrs}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--replicas", type=int, default=8)
    parser.add_argument("--sweeps", type=int, default=10000)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--repetitions", type=int, default=3, help="of which the fastest counts")
    chosen = parser.parse_args()
    larmor = os.environ.get("LARMOR", str(pathlib.Path(__file__).resolve().parents[2] / "build/release/larmor"))
    keys = vars(chosen)
    studies = {"one study": SYSTEM + RELAX + SAMPLE + FOLLOW, "sampling": SYSTEM + SAMPLE,
               "dynamics": SYSTEM + SAMPLE.replace("{sweeps}", "100") + FOLLOW}
    best = {name: {} for name in studies}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(chosen.repetitions):
            for name, text in studies.items():
                found = rates(larmor, pathlib.Path(folder), text.format(**keys), ["--backend", chosen.backend])
                for kind, rate in found.items():
                    best[name][kind] = max(rate, best[name].get(kind, 0))
    for kind, single in (("monte-carlo", "sampling"), ("dynamics", "dynamics")):
        together, apart = best["one study"][kind], best[single][kind]
        print(f"{kind:<12} in one study {together / 1e9:8.3f} G/s   in its own {apart / 1e9:8.3f} G/s   ratio {together / apart:.4f}")


if __name__ == "__main__":
    main()
