"""Compares the rate of a skyrmion's collapse by Larmor and by Spirit (PyPI), for the same states.

    pip install spirit h5py numpy; python spirit_lifetime.py build/release/larmor"""

import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy
from spirit import chain, htst, state, system

HERE = pathlib.Path(__file__).parent
STAGE = "stages/01-minimum-energy-path"
SYSTEM = """
bravais_lattice sc
n_basis_cells 20 20 1
lattice_constant 1.0
mu_s 2.0
hamiltonian heisenberg_neighbours
boundary_conditions 1 1 0
external_field_magnitude 25
external_field_normal 0 0 1
anisotropy_magnitude 0
n_shells_exchange 1
jij 10
n_shells_dmi 1
dij 6
dm_chirality 1
ddi_method none
"""


def by_larmor(program, folder):
    results = folder / "results.h5"
    subprocess.run([program, "run", HERE / "larmor/skyrmion_lifetime.toml", "-o", results], check=True,
                   stdout=subprocess.DEVNULL)
    with h5py.File(results) as file:
        stage = file[STAGE]
        lifetime = stage["lifetime"]
        first, saddle = lifetime["first"], lifetime["saddle"]
        images = stage["configuration"][()]
        translates = images.shape[1]
        numbers = {
            "barrier, meV": 1e3 * lifetime["forward"].attrs["barrier"],
            "log det' at the minimum": first.attrs["log_determinant"],
            "log |det| at the saddle": saddle.attrs["log_determinant"],
            "lowest eigenvalue at the saddle, meV": 1e3 * saddle["eigenvalues"][0],
            "the next, meV": 1e3 * saddle["eigenvalues"][1],
            "volume of translations, one cell": numpy.exp(first.attrs["log_volume"]) / translates,
            # Per position of the skyrmion.
            "prefactor at 10 K, 1/ps": lifetime["forward/prefactor"][0],
        }
        return numbers, images[0], images[stage["path"].attrs["saddle_image"]]


def by_spirit(minimum, saddle, folder):
    config = folder / "spirit.cfg"
    config.write_text(SYSTEM)
    with state.State(str(config), quiet=True) as p:
        chain.image_to_clipboard(p)
        chain.insert_image_after(p)
        for image, spins in enumerate((minimum, saddle)):
            system.get_spin_directions(p, idx_image=image)[:] = spins
            system.update_data(p, idx_image=image)
        chain.update_data(p)
        htst.calculate(p, 0, 1)
        info = htst.get_info_dict(p)
        at_minimum = numpy.array(htst.get_eigenvalues_min(p), dtype=float) / 1e3
        at_saddle = numpy.array(htst.get_eigenvalues_sp(p), dtype=float) / 1e3
        return {
            "barrier, meV": system.get_energy(p, idx_image=1) - system.get_energy(p, idx_image=0),
            "log det' at the minimum": numpy.log(at_minimum[2:]).sum(),
            "log |det| at the saddle": numpy.log(abs(at_saddle)).sum(),
            "lowest eigenvalue at the saddle, meV": 1e3 * at_saddle[0],
            "the next, meV": 1e3 * at_saddle[1],
            "volume of translations, one cell": info["volume_min"],
            "prefactor at 10 K, 1/ps": info["prefactor"] * 10 ** info["temperature_exponent"] / 1e12,
        }


with tempfile.TemporaryDirectory() as place:
    ours, minimum, saddle = by_larmor(sys.argv[1], pathlib.Path(place))
    theirs = by_spirit(minimum, saddle, pathlib.Path(place))
for name, value in ours.items():
    print(f"{name:<38} {value:18.10g} {theirs[name]:16.8g}")
