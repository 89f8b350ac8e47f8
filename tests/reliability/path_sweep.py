#!/usr/bin/env python3
"""Success rate of the paths of path_systems.py, for all numbers of images, springs and seeds.

    LARMOR=build/release/larmor python tests/reliability/path_sweep.py skyrmion --images 5 7 --spring-ratios 1 10

Each system is one scan. When the scan ends, the lines of the system and the number of failures are
printed. The exit code is 1 if any run failed."""

import argparse
import itertools
import pathlib
import sys
import tempfile

import h5py

from path_systems import SYSTEMS, found_in
from program import run_study


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("systems", nargs="*", default=list(SYSTEMS), metavar="system",
                        help="all if left out: " + ", ".join(SYSTEMS))
    parser.add_argument("--images", type=int, nargs="+", default=list(range(5, 42, 2)))
    parser.add_argument("--spring-ratios", type=float, nargs="+", default=[1, 10, 100])
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(1, 11)))
    parser.add_argument("--backend", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--at-once", type=int, default=1, help="runs side by side")
    parser.add_argument("--failures-only", action="store_true", help="print a line for failures only")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="a key of the stage; may be given several times")
    arguments = parser.parse_args()
    unknown = set(arguments.systems) - set(SYSTEMS)
    if unknown:
        parser.error(f"unknown systems: {', '.join(sorted(unknown))}")
    return arguments


def scan_of(key, values):
    return f'[[scan]]\nkey = "{key}"\nvalues = {list(values)}\n'


def main():
    arguments = parsed()
    further = [word for setting in arguments.set for word in ("--set", f"stage.1.{setting}")]
    scans = (scan_of("stage.1.images", arguments.images)
             + scan_of("stage.1.spring_ratio", arguments.spring_ratios) + scan_of("seed", arguments.seeds))
    print(f"{'system':<24}{'images':>7}{'ratio':>9}{'seed':>6}{'steps':>8}{'length':>10}"
          f"{'barrier':>15}{'error':>10}")
    failed = runs = 0
    for name in arguments.systems:
        system = SYSTEMS[name]
        with tempfile.TemporaryDirectory() as folder:
            done, output = run_study(pathlib.Path(folder), system.study + scans, *further, "--progress", "quiet",
                                     "--backend", arguments.backend, "--points-at-once", str(arguments.at_once))
            assert done.returncode == 0, done.stderr
            with h5py.File(output) as file:
                found = [found_in(point) for _, point in sorted(file["points"].items(), key=lambda p: int(p[0]))]
        choices = itertools.product(arguments.images, arguments.spring_ratios, arguments.seeds)
        failed_here = 0
        for (images, ratio, seed), path in zip(choices, found, strict=True):
            right = path.is_right_for(system)
            runs += 1
            failed_here += not right
            if right and arguments.failures_only:
                continue
            verdict = "" if right else "  wrong" if path.converged else "  not converged"
            print(f"{name:<24}{images:>7}{ratio:>9}{seed:>6}{path.steps:>8}{path.length:>10.3f}"
                  f"{path.forward:>15.9f}{path.forward - system.forward:>10.1e}{verdict}")
        failed += failed_here
        print(f"{name}: {failed_here} of {len(found)} failed", flush=True)
    print(f"{failed} of {runs} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
