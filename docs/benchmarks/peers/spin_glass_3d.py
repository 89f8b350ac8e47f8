#!/usr/bin/env python3
"""Compares the transition of the three-dimensional +-J glass with a published study.

    python3 spin_glass_3d.py build/release/larmor [--backend cuda] [--sizes 4 6 8 10 12] [--shorter 1]

The study is that of PeaPods, `validation/spin_glass_3d` of its repository: 3840 samples of each size, two
copies, 31 temperatures from 1.0 to 1.6, an exchange after every sweep, averages over the second half. It
took the hours given here on 96 Arm cores (Neoverse V2). Its couplings differ from ours, so that results agree
within the scatter of samples. The script prints xi/L and U_4 = <q^4> / <q^2>^2 of both studies at T = 1.0, 1.1
and 1.2, the difference in units of its error, and the times. `--shorter 4` makes a quarter of the sweeps. The
script needs numpy and h5py.
"""

import argparse
import pathlib
import subprocess
import tempfile
import time

import h5py
import numpy as np

SAMPLES, COPIES = 3840, 2
TEMPERATURES = np.round(np.linspace(1.0, 1.6, 31), 2)
# By size: sweeps, hours, and at T = 1.0, 1.1, 1.2 (xi/L, error, U_4, error).
PUBLISHED = {
    4: (2**14, 0.01357, [(0.6852, 0.0044, 1.4277, 0.0053), (0.6205, 0.0038, 1.4924, 0.0055), (0.5627, 0.0033, 1.5642, 0.0058)]),
    6: (2**15, 0.06988, [(0.7128, 0.0040, 1.4165, 0.0044), (0.6362, 0.0033, 1.4859, 0.0046), (0.5665, 0.0028, 1.5681, 0.0050)]),
    8: (2**16, 0.29134, [(0.7319, 0.0042, 1.4090, 0.0048), (0.6446, 0.0035, 1.4860, 0.0050), (0.5635, 0.0030, 1.5834, 0.0054)]),
    10: (2**17, 1.16334, [(0.7474, 0.0048, 1.3971, 0.0049), (0.6497, 0.0040, 1.4805, 0.0053), (0.5591, 0.0033, 1.5898, 0.0055)]),
    12: (2**18, 3.72563, [(0.7497, 0.0044, 1.3998, 0.0049), (0.6482, 0.0037, 1.4843, 0.0052), (0.5522, 0.0030, 1.5999, 0.0056)]),
}
STUDY = """
seed = 2026
replicas = {replicas}
samples = {samples}
[model]
kind = "ising"
[lattice]
type = "sc"
size = [{edge}, {edge}, {edge}]
[[exchange]]
shell = 1
J = 0.0
disorder = 1.0
disorder_distribution = "bimodal"
disorder_by_replica = true
disorder_seed = 5
[[stage]]
kind = "tempering"
temperature = {temperatures}
exchange_every = 1
thermalisation = {half}
sweeps = {half}
measure_every = {every}
measure = ["overlap"]
keep_series = false
keep_configurations = 0
"""


def run(program, backend, edge, sweeps, folder):
    """Seconds, and an open results file."""
    study, output = folder / f"{edge}.toml", folder / f"{edge}.h5"
    half = sweeps // 2
    study.write_text(
        STUDY.format(
            replicas=SAMPLES * COPIES * len(TEMPERATURES),
            samples=SAMPLES,
            edge=edge,
            temperatures=TEMPERATURES.tolist(),
            half=half,
            every=max(1, half // 64),
        )
    )
    begin = time.perf_counter()
    subprocess.run([program, "run", study, "-o", output, "--backend", backend], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin, h5py.File(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(PUBLISHED), choices=PUBLISHED)
    parser.add_argument("--shorter", type=int, default=1)
    options = parser.parse_args()
    for edge in options.sizes:
        sweeps, hours, rows = PUBLISHED[edge]
        with tempfile.TemporaryDirectory() as folder:
            seconds, results = run(options.program, options.backend, edge, sweeps // options.shorter, pathlib.Path(folder))
            with results:
                stage = results["stages/01-tempering"]
                overlap = stage["overlap"]
                print(
                    f"L = {edge}: {seconds:.1f} s; published {hours * 3600:.0f} s on 96 cores, "
                    f"{hours * 3600 / options.shorter / seconds:.1f} times as long for the sweeps made here"
                )
                for T, (ratio, ratio_error, fourth, fourth_error) in zip((1.0, 1.1, 1.2), rows):
                    n = int(np.argmin(abs(stage["temperature"][()] - T)))
                    of = lambda name: (overlap[f"{name}/value"][n], overlap[f"{name}/error"][n])
                    x, x_error = of("correlation_length_ratio")
                    g, g_error = of("overlap_binder")
                    u, u_error = 3 - 2 * g, 2 * g_error
                    q, q_error = of("overlap_square")
                    e, e_error = (stage[f"averages/energy/{what}"][n] for what in ("value", "error"))
                    print(
                        f"  T = {T}: xi/L {x:.4f}({x_error:.4f}), published {ratio:.4f}({ratio_error:.4f}), "
                        f"{(x - ratio) / np.hypot(x_error, ratio_error):+.1f} errors apart; U_4 {u:.4f}({u_error:.4f}), "
                        f"{fourth:.4f}({fourth_error:.4f}), {(u - fourth) / np.hypot(u_error, fourth_error):+.1f}; "
                        f"energy {e:.5f}({e_error:.5f}), <q^2> {q:.4f}({q_error:.4f})"
                    )


if __name__ == "__main__":
    main()
