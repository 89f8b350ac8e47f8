"""Spins, fields and atoms on a GPU reach PyTorch and CuPy without a copy.

    LARMOR=build/release/larmor python3 tests/gpu/python_dlpack.py

Needs the module of Python, a GPU, and PyTorch or CuPy. Ends with the code 0 if all checks pass, and 2 if it cannot run.
"""

import importlib
import pathlib
import sys
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import larmor

FILM = """
seed = 3
replicas = {replicas}
[lattice]
type = "square"
size = [100, 100]
[[exchange]]
shell = 1
J = 1.0
[[dmi]]
shell = 1
strength = 0.2
direction = "interface"
[field]
B = [0, 0, 0.3]
[initial]
state = "random"
[[stage]]
kind = "dynamics"
timestep = 0.01
steps = 2000
temperature = 0.3
damping = 0.1
"""
ATOMS = """
units = "material"
replicas = 2
[model]
kind = "atoms"
[lattice]
type = "bcc"
size = [4, 4, 4]
constant = "2.9 Å"
species = ["W"]
[atoms]
temperature = "900 K"
[[zbl]]
inner = "3.4 Å"
outer = "4.2 Å"
[[stage]]
kind = "md"
timestep = "1 fs"
steps = 200
"""
PHI4 = """
replicas = 3
[model]
kind = "phi4"
[lattice]
size = [8, 8, 8]
[phi4]
kappa = 0.2
lambda = 1.0
components = 2
[[stage]]
kind = "monte-carlo"
thermalisation = 20
sweeps = 100
"""


class Torch:
    """PyTorch, as far as the checks need it."""

    def __init__(self):
        self.library = importlib.import_module("torch")

    def array(self, view):
        return self.library.from_dlpack(view)

    def address(self, array):
        assert array.device.type == "cuda", array.device
        return array.data_ptr()

    def on_host(self, array):
        return array.cpu().numpy()


class CuPy:
    """CuPy, as far as the checks need it."""

    def __init__(self):
        self.library = importlib.import_module("cupy")

    def array(self, view):
        return self.library.from_dlpack(view)

    def address(self, array):
        return array.data.ptr

    def on_host(self, array):
        return self.library.asnumpy(array)


def libraries():
    found = []
    for kind in (Torch, CuPy):
        try:
            found.append(kind())
        except ImportError:
            print(f"{kind.__name__}: not installed")
    return found


def start(text, precision):
    return larmor.start(larmor.Study.from_toml(text), backend="cuda", precision=precision)


def check_spins(library, replicas, precision):
    sim = start(FILM.format(replicas=replicas), precision)
    order = sim.site_order

    def canonical(array):
        blocks = library.on_host(array)
        return np.stack([blocks[r // 8, r % 8][np.argsort(order)] for r in range(replicas)])

    array = library.array(sim.view("spins"))
    before = sim.spins
    np.testing.assert_array_equal(canonical(array), before)
    for _ in range(3):
        sim.run(100)
        seen = canonical(array)
        np.testing.assert_array_equal(seen, sim.spins)
        again = library.array(sim.view("spins"))
        assert library.address(again) == library.address(array), "the spins moved"
    assert not np.array_equal(before, sim.spins)
    fields = library.array(sim.view("fields"))
    np.testing.assert_array_equal(canonical(fields), sim.fields())
    np.testing.assert_allclose(sim.torques(), np.cross(sim.spins, sim.fields()), atol=1e-12)
    # The memory stays as long as an array needs it.
    last = sim.spins
    sim.close()
    del sim
    np.testing.assert_array_equal(canonical(array), last)


def check_set(precision):
    """Spins that Python has set are those that kernels read."""
    sim = start(FILM.format(replicas=9), precision)
    along = np.zeros(sim.spins.shape)
    along[..., 0] = 1
    sim.spins = along
    # Along x, 4 bonds of J = 1 give the field 4 J, half of each bond's energy belongs to a site.
    np.testing.assert_allclose(sim.fields()[..., 0].mean(), 4, rtol=1e-5)
    np.testing.assert_allclose(sim.energies, -2 * 10_000, rtol=1e-5)


def check_others(library):
    for text, names in ((ATOMS, ("positions", "velocities", "forces")), (PHI4, ("phi",))):
        sim = start(text, None)
        arrays = {name: library.array(sim.view(name)) for name in names}
        sim.run(50)
        for name, array in arrays.items():
            np.testing.assert_array_equal(library.on_host(array), sim.array(name))


def main():
    warnings.simplefilter("ignore", larmor.LarmorWarning)
    found = libraries()
    if not found:
        print("neither PyTorch nor CuPy is installed")
        return 2
    for precision in ("double", "single", "mixed"):
        check_set(precision)
    for library in found:
        for precision in ("double", "single", "mixed"):
            for replicas in (1, 9):
                check_spins(library, replicas, precision)
        check_others(library)
        print(f"{type(library).__name__}: spins, fields, atoms and phi^4 fields without a copy")
    return 0


if __name__ == "__main__":
    sys.exit(main())
