#!/usr/bin/env python3
"""Whole steps of molecular dynamics of tungsten by LAMMPS and by Larmor, in turn: atom-steps a second.

    snap_md_speed.py build/cuda/larmor "lmp -k on g 1 -sf kk -pk kokkos newton on neigh half" --backend cuda
    snap_md_speed.py build/release/larmor "mpirun -n 1 lmp" --cells 6 --steps 200

Needs h5py. Both read W_2940_2017_2, SNAP with ZBL, from the folder LAMMPS_POTENTIALS. They run at constant energy in
steps of 0.5 fs, from perfect bcc boxes at 600 K. LAMMPS's time is that of its loop, Larmor's that of its
stages. The table has the best round of each, with the worst in brackets.
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import h5py

LAMMPS_INPUT = """
units metal
atom_style atomic
lattice bcc 3.1803
region box block 0 {cells} 0 {cells} 0 {cells}
create_box 1 box
create_atoms 1 box
mass 1 183.84
include {potentials}/W_2940_2017_2.snap
neighbor 0.5 bin
neigh_modify every 1 delay 0 check yes
velocity all create 600 87287
timestep 0.0005
fix 1 all nve
thermo 100
run {warm}
run {steps}
"""

STUDY = """
units = "material"
[model]
kind = "atoms"
[lattice]
type = "bcc"
size = [{cells}, {cells}, {cells}]
constant = "3.1803 Å"
species = ["W"]
[atoms]
temperature = "600 K"
[[snap]]
script = "W_2940_2017_2.snap"
[[stage]]
kind = "md"
timestep = "0.5 fs"
steps = {steps}
measure = [ {{ what = "thermodynamics", every = {every} }} ]
"""


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} fails:\n{done.stdout[-2000:]}")
    return done.stdout


def lammps_round(arguments, folder, cells):
    (folder / "in.md").write_text(
        LAMMPS_INPUT.format(cells=cells, potentials=os.environ["LAMMPS_POTENTIALS"],
                            warm=arguments.steps // 4, steps=arguments.steps))
    out = run([*shlex.split(arguments.lammps), "-in", "in.md", "-log", "none"], folder)
    seconds, steps, atoms = re.findall(r"Loop time of (\S+) .* for (\d+) steps with (\d+) atoms", out)[-1]
    return int(steps) * int(atoms) / float(seconds)


def larmor_round(arguments, folder, cells):
    (folder / "md.toml").write_text(STUDY.format(cells=cells, steps=arguments.steps, every=min(100, arguments.steps)))
    run([arguments.larmor.resolve(), "run", "md.toml", "--backend", arguments.backend, "--threads", "1", "-o",
         "md.h5", "--force"], folder)
    with h5py.File(folder / "md.h5") as results:
        seconds = results["stages/01-md"].attrs["wall_seconds"]
    return 2 * cells**3 * arguments.steps / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("larmor", type=pathlib.Path)
    parser.add_argument("lammps", help="the command that starts LAMMPS")
    parser.add_argument("--cells", type=int, nargs="+", default=[10, 32], help="edges of boxes in cells of two atoms")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    arguments = parser.parse_args()
    if "LAMMPS_POTENTIALS" not in os.environ:
        sys.exit("set LAMMPS_POTENTIALS to the folder of W_2940_2017_2.snap")
    print("| atoms | LAMMPS, atom-steps/s | Larmor, atom-steps/s | ratio |")
    print("|---|---|---|---|")
    for cells in arguments.cells:
        with tempfile.TemporaryDirectory() as path:
            folder = pathlib.Path(path)
            theirs, ours = [], []
            for _ in range(arguments.rounds):
                theirs.append(lammps_round(arguments, folder, cells))
                ours.append(larmor_round(arguments, folder, cells))
        print(f"| {2 * cells**3} | {max(theirs):.3g} ({min(theirs):.3g}) | {max(ours):.3g} ({min(ours):.3g}) "
              f"| {max(ours) / max(theirs):.1f} |", flush=True)


if __name__ == "__main__":
    main()
