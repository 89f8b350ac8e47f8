#!/usr/bin/env python3
"""Do two builds of larmor give equal results, dataset by dataset, bit for bit?

    tools/same_results.py [--backend cuda] OLD NEW [EXAMPLE ...]

runs every study of examples/ (or those named) with both programs and compares /stages, /scan, /points and
/model. It leaves out data that depends on the clock or on the program.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
GROUPS = ("stages", "scan", "points", "model")
# Names of data that differ between runs: seconds and ranks of points, texts of studies, and
# provenance.
OF_THE_RUN = ("seconds", "rank", "provenance", "study")
OF_THE_CLOCK = ("wall_seconds", "rate")
# Attributes of HDF5 that point to other datasets.
SCALES = ("DIMENSION_LIST", "REFERENCE_LIST")


def datasets(path):
    found = {}

    def collect(name, item):
        if any(part in OF_THE_RUN for part in name.split("/")):
            return
        for attribute, value in item.attrs.items():
            if attribute not in OF_THE_CLOCK and attribute not in SCALES:
                found[f"{name}@{attribute}"] = value
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]

    with h5py.File(path) as file:
        for group in GROUPS:
            if group in file:
                collect(group, file[group])
                file[group].visititems(lambda name, item, g=group: collect(f"{g}/{name}", item))
    return found


def same(one, other):
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    return one.tolist() == other.tolist() if one.dtype == object else one.tobytes() == other.tobytes()


def results_of(program, study, backend, folder):
    """Results of a study, empty if it cannot run on that backend."""
    output = folder / "results.h5"
    command = [program, "run", study, "-o", output, "--progress", "quiet", "--backend", backend]
    done = subprocess.run(command, stdout=subprocess.DEVNULL)
    if done.returncode == 2 and backend != "auto":
        return {}
    done.check_returncode()
    return datasets(output)


def differences(old, new, backend, study):
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        before = results_of(old, study, backend, pathlib.Path(one))
        after = results_of(new, study, backend, pathlib.Path(other))
    words = [f"{name} is gone" for name in before.keys() - after.keys()]
    words += [f"{name} is new" for name in after.keys() - before.keys()]
    words += [f"{name} differs" for name in before.keys() & after.keys()
              if not same(before[name], after[name])]
    return len(after), sorted(words)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("old")
    arguments.add_argument("new")
    arguments.add_argument("examples", nargs="*")
    arguments.add_argument("--backend", default="auto", help="backend of larmor run (auto)")
    chosen = arguments.parse_args()
    failed, count_of_studies = False, 0
    for study in sorted((ROOT / "examples").glob("*/*.toml")):
        if "[[stage]]" not in study.read_text():
            continue  # the input of a fit
        if chosen.examples and study.parent.name not in chosen.examples:
            continue
        count_of_studies += 1
        count, words = differences(chosen.old, chosen.new, chosen.backend, study)
        print(f"{study.relative_to(ROOT)}: " + (", ".join(words) if words else
                                                f"the same {count} datasets and attributes"), flush=True)
        failed = failed or bool(words)
    if count_of_studies == 0:
        print("no example has one of these names; give the name of a folder of examples/", file=sys.stderr)
    return 1 if failed or count_of_studies == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
