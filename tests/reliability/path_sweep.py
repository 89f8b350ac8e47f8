#!/usr/bin/env python3
"""Paths of the systems of path_systems.py for all numbers of images, springs and seeds: which find the barrier?

    LARMOR=build/release/larmor python tests/reliability/path_sweep.py skyrmion --images 5 7 --spring-ratios 1 10

Prints a line for each run, and how many failed; the exit code is 1 if any did."""

import argparse
import concurrent.futures
import itertools
import pathlib
import sys
import tempfile
import time

from path_systems import SYSTEMS, find_path


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("systems", nargs="*", default=list(SYSTEMS), metavar="system",
                        help="all if left out: " + ", ".join(SYSTEMS))
    parser.add_argument("--images", type=int, nargs="+", default=list(range(5, 42, 2)))
    parser.add_argument("--spring-ratios", type=float, nargs="+", default=[1, 10, 100])
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(1, 11)))
    parser.add_argument("--backend", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--jobs", type=int, default=1, help="so many runs at a time")
    parser.add_argument("--failures-only", action="store_true", help="print a line for failures only")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="a key of the stage; may be given several times")
    arguments = parser.parse_args()
    unknown = set(arguments.systems) - set(SYSTEMS)
    if unknown:
        parser.error(f"unknown systems: {', '.join(sorted(unknown))}")
    return arguments


def main():
    arguments = parsed()
    further = dict(setting.split("=", 1) for setting in arguments.set)
    print(f"{'system':<24}{'images':>7}{'ratio':>9}{'seed':>6}{'steps':>8}{'length':>10}"
          f"{'barrier':>15}{'error':>10}{'seconds':>9}")
    failed = runs = 0

    def run(choice):
        name, images, ratio, seed = choice
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = find_path(pathlib.Path(folder), SYSTEMS[name], "--backend", arguments.backend,
                              seed=seed, images=images, spring_ratio=ratio, **further)
        return found, time.monotonic() - begun

    choices = list(itertools.product(
        arguments.systems, arguments.images, arguments.spring_ratios, arguments.seeds
    ))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for (name, images, ratio, seed), (found, seconds) in zip(choices, pool.map(run, choices)):
            system = SYSTEMS[name]
            right = found.is_right_for(system)
            runs += 1
            failed += not right
            if right and arguments.failures_only:
                continue
            verdict = "" if right else "  wrong" if found.converged else "  not converged"
            print(f"{name:<24}{images:>7}{ratio:>9}{seed:>6}{found.steps:>8}{found.length:>10.3f}"
                  f"{found.forward:>15.9f}{found.forward - system.forward:>10.1e}{seconds:>9.2f}"
                  f"{verdict}", flush=True)
    print(f"{failed} of {runs} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
