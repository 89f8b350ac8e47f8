"""Contents of results and checkpoints must match layouts.txt, in which each layout has a number. If
the contents change, the number must rise.

    LARMOR_RENEW_LAYOUTS=1 pytest tests/reliability/test_layouts.py

writes layouts.txt again. Before this, `results_format_version` (io/results/results_reader.hpp) or
`checkpoint_layout` (study/run/session.cpp) must be raised.
"""
# Rooms: io, study

import os
import pathlib
import signal

import h5py

from checkpoint_blocks import blocks_of
from program import larmor, write_study
from running import start, stop_once_there

WRITTEN_DOWN = pathlib.Path(__file__).with_name("layouts.txt")

LATTICE = '[lattice]\ntype = "square"\nsize = [24, 24]\n[[exchange]]\nshell = 1\nJ = 1\n'
# Each study has one stage that would take hours. It is stopped after its first checkpoint.
STAGES = {
    "anneal": 'kind = "anneal"\ntemperature = { from = 3.0, to = 0.5, factor = 0.99 }\nsweeps = 10000000\n',
    "monte-carlo": 'kind = "monte-carlo"\ntemperature = 1.0\nsweeps = 100000000\n'
    'measure = ["energy", "magnetisation", "energy-terms", "spin-temperature", "site-energy", "site-spins",'
    ' "topological-charge", { what = "structure-factor", path = ["G", "X"] }]\ntrajectory_every = 100000\n',
    "tempering": 'kind = "tempering"\ntemperature = { from = 1.0, to = 1.01, spacing = "flow" }\nsweeps = 100000000\n'
    'thermalisation = 20000\nexchange_every = 2\nmeasure = ["energy-terms", "sublattices"]\n',
    "dynamics": 'kind = "dynamics"\ntimestep = 0.02\nsteps = 100000000\ntemperature = 0.1\ndamping = 0.1\n'
    'measure = [{ what = "energy", every = 1000 }, { what = "magnetisation", every = 1000 },'
    ' { what = "autocorrelation", every = 100000 }, { what = "site-energy", every = 1000 },'
    ' { what = "site-spins", every = 1000 },'
    ' { what = "structure-factor", path = ["G", "X"], every = 100000 }]\n',
    "hysteresis": 'kind = "hysteresis"\ndirection = [0, 0, 1]\nfield = { from = 1.0, to = -1.0, points = 100000 }\n',
}


# This scan has sizes, with temperatures within the stage, and a loop.
SCAN = (
    LATTICE.replace("[24, 24]", "[4, 4]")
    + '[[stage]]\nkind = "monte-carlo"\ntemperature = [1.0, 0.5]\nsweeps = 20\n'
    '[[stage]]\nkind = "hysteresis"\ndirection = [0, 0, 1]\nfield = [1.0, 0.0, -1.0]\n'
    '[[scan]]\nkey = "lattice.size"\nvalues = [[4, 4], [5, 5]]\nwith = [{ key = "title", values = ["a", "b"] }]\n'
    '[[scan]]\nkey = "field.B.3"\nvalues = [0.0, 0.1]\n'
)


def checkpoint_of(folder, name, stage):
    study, output = folder / f"{name}.toml", folder / f"{name}.h5"
    study.write_text(f"replicas = 2\n{LATTICE}[[stage]]\n{stage}")
    process = start("run", study, "-o", output, "--checkpoint-every", "0.05")
    code, _, errors = stop_once_there(process, folder / f"{name}.h5.ckpt", signal.SIGTERM)
    assert code == 143, errors
    layout, found = blocks_of(folder / f"{name}.h5.ckpt")
    return layout, sorted(f"{block} {kind}" for block, (kind, _) in found.items())


def results_layout(path):
    """Every dataset with its type and number of axes, and every attribute."""
    lines = []

    def attributes(item):
        # HDF5 adds attributes of its own for dimension scales, which are left out.
        own = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"}
        return " ".join(sorted(set(item.attrs) - own))

    def add(name, item):
        if isinstance(item, h5py.Dataset):
            kind = "text" if item.dtype == object else str(item.dtype)
            lines.append(f"/{name} {kind}[{item.ndim}] {attributes(item)}".rstrip())
        elif attributes(item):
            lines.append(f"/{name} {attributes(item)}")

    with h5py.File(path) as file:
        version = int(file.attrs["format_version"])
        lines.append("/ " + attributes(file))
        file.visititems(add)
    return version, sorted(lines)


def sections(text):
    """Contents of results and of checkpoints of each kind of stage, by the line with their number."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("  "):
            number = line
        found.setdefault(number, []).append(line)
    return found


def test_layouts_are_those_written_down(tmp_path):
    study, output = write_study(tmp_path / "study.toml", sweeps=60), tmp_path / "study.h5"
    run = larmor("run", study, "-o", output)
    assert run.returncode == 0, run.stderr
    version, lines = results_layout(output)
    scan = tmp_path / "scan.toml"
    scan.write_text(SCAN.replace("[[exchange]]", "[field]\nB = [0, 0, 0]\n[[exchange]]"))
    run = larmor("run", scan, "-o", tmp_path / "scan.h5")
    assert run.returncode == 0, run.stderr
    lines += [line for line in results_layout(tmp_path / "scan.h5")[1] if line.startswith("/scan")]
    text = f"results format {version}\n" + "".join(f"  {line}\n" for line in lines)
    study.write_text(LATTICE + '[[stage]]\nkind = "monte-carlo"\ntemperature = [1.0, 0.99]\nsweeps = 2000\n'
                     'measure_every = 2\n')
    for words in (("run", study, "-o", output, "--force"), ("reweight", output)):
        done = larmor(*words)
        assert done.returncode == 0, done.stderr
    version, lines = results_layout(tmp_path / "study-reweighted.h5")
    lines = [line for line in lines if line.startswith("/reweighted")]
    text += f"results format {version}, reweighted\n" + "".join(f"  {line}\n" for line in lines)
    study.write_text("replicas = 4\n" + LATTICE + "[[stage]]\n" + STAGES["tempering"].replace("100000000", "20"))
    done = larmor("run", study, "-o", output, "--force")
    assert done.returncode == 0, done.stderr
    lines = [line for line in results_layout(output)[1] if line.startswith("/stages")]
    text += f"results format {version}, tempering\n" + "".join(f"  {line}\n" for line in lines)
    for name, stage in STAGES.items():
        layout, found = checkpoint_of(tmp_path, name, stage)
        text += f"checkpoint layout {layout}, {name}\n" + "".join(f"  {line}\n" for line in found)
    if os.environ.get("LARMOR_RENEW_LAYOUTS"):
        before = WRITTEN_DOWN.read_text() if WRITTEN_DOWN.exists() else ""
        known = sections(before)
        for number, lines in sections(text).items():
            assert known.get(number, lines) == lines, f"what {number} holds has changed, and the number has not"
        WRITTEN_DOWN.write_text(text)
    assert text == WRITTEN_DOWN.read_text(), "a layout has changed: see the head of this file"
