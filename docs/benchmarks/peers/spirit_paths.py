"""Compares minimum-energy paths of Spirit (PyPI) and Larmor: the same systems, first paths and tolerances.

    python -m venv spirit-venv; spirit-venv/bin/pip install spirit h5py numpy
    OMP_NUM_THREADS=1 LARMOR=build/release/larmor spirit-venv/bin/python docs/benchmarks/peers/spirit_paths.py

Both begin with the first path of Larmor, between ends that Larmor has relaxed. The energies of both ends must
agree in both programs to 1e-10. A gradient is one evaluation of all spins of one image, so the number of
gradients is images times steps. Spirit first converges the path to 1e-2 without a climbing image, and then lets
the highest image climb."""

import os
import pathlib
import re
import sys
import tempfile
import time

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "reliability"))
from path_systems import SYSTEMS  # noqa: E402
from program import larmor, run_study  # noqa: E402
from spirit import constants, io, parameters, simulation, state, system  # noqa: E402
from spirit import chain as band  # noqa: E402

# Tolerance of the forces, in units of J, for both programs.
TOLERANCE = 1e-7
LOOSE = 1e-2
MOST_STEPS = 200000
SOLVERS = {
    "VP": simulation.SOLVER_VP,
    "VP_OSO": simulation.SOLVER_VP_OSO,
    "LBFGS_OSO": simulation.SOLVER_LBFGS_OSO,
    "LBFGS_Atlas": simulation.SOLVER_LBFGS_Atlas,
}
# Spirit's input for each system: cells, boundaries, and energies in meV for J = 1.
MODELS = {
    "skyrmion": {"cells": (48, 48), "periodic": (1, 1), "J": 1.0, "D": 0.5, "K": 0.0, "b": 0.2},
    "wall": {"cells": (40, 1), "periodic": (0, 0), "J": 1.0, "D": 0.0, "K": 0.5, "b": 0.0},
    "nucleation": {"cells": (40, 1), "periodic": (0, 0), "J": 1.0, "D": 0.0, "K": 0.1, "b": -0.08},
}


def input_of(model, folder):
    """An input file of Spirit. Energies are in meV, fields in T, moments of 1 Bohr magneton."""
    x, y = model["cells"]
    lines = {
        "bravais_lattice": "sc",
        "n_basis_cells": f"{x} {y} 1",
        "mu_s": "1",
        "boundary_conditions": f"{model['periodic'][0]} {model['periodic'][1]} 0",
        "hamiltonian": "heisenberg_neighbours",
        "external_field_magnitude": repr(abs(model["b"]) / constants.mu_B),
        "external_field_normal": f"0 0 {1 if model['b'] >= 0 else -1}",
        "anisotropy_magnitude": repr(model["K"]),
        "anisotropy_normal": "0 0 1",
        "n_shells_exchange": "1",
        "jij": repr(model["J"]),
        "n_shells_dmi": "1",
        "dij": repr(model["D"]),
        "dm_chirality": str(CHIRALITY),
        "ddi_method": "none",
        "gneb_force_convergence": repr(TOLERANCE),
        "gneb_n_iterations": str(MOST_STEPS),
        "gneb_output_any": "0",
        "llg_output_any": "0",
        "log_to_console": "0",
        "log_to_file": "0",
    }
    path = pathlib.Path(folder) / "input.cfg"
    path.write_text("".join(f"{key} {value}\n" for key, value in lines.items()))
    return str(path)


# D along z x r, as Larmor's direction "interface".
CHIRALITY = -2


def study_between_relaxed_ends(folder, name, images):
    """The study of a system whose ends are read from files, relaxed."""
    done, output = run_study(folder, SYSTEMS[name].study, "--set", f"stage.1.images={images}",
                             "--force", "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    study = SYSTEMS[name].study
    for key, image in (("initial", 0), ("final", images - 1)):
        exported = larmor("export", output, "--replica", image, "-o", folder / f"{key}.extxyz", "--force")
        assert exported.returncode == 0, exported.stderr
        state_of_file = f'{key} = {{ state = "file", file = "{key}.extxyz" }}'
        study, found = re.subn(rf"^{key} = .*$", state_of_file, study, flags=re.M)
        assert found == 1
    return study + "relax = false\n"


def by_larmor(folder, study, images, **keys):
    settings = {"images": images, "tolerance": TOLERANCE, "steps": MOST_STEPS, **keys}
    words = [word for key, value in settings.items() for word in ("--set", f"stage.1.{key}={value}")]
    done, output = run_study(folder, study, *words, "--force", "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        stage = file["stages/01-minimum-energy-path"]
        return {
            "barrier": stage["path"].attrs["barrier_forward"],
            "energy": stage["path/energy"][:],
            "spins": stage["configuration"][:],
            "steps": int(stage.attrs["steps"]),
            "gradients": images * int(stage.attrs["steps"]),
            "seconds": stage.attrs["wall_seconds"],
            "converged": stage.attrs["converged"] == 1,
        }


def energy_of(p, image, folder):
    """Energy in double precision, as the sum over spins: Spirit gives it only in files."""
    path = folder / "energy.ovf"
    path.unlink(missing_ok=True)
    io.image_write_energy_per_spin(p, str(path), fileformat=io.FILEFORMAT_OVF_BIN8, idx_image=image)
    raw = path.read_bytes()
    columns = int(raw.split(b"valuedim: ")[1].split()[0])
    mark = b"Begin: Data Binary 8\n"
    # The numbers begin after a check value of eight bytes, which shows the byte order.
    numbers = np.frombuffer(raw, offset=raw.index(mark) + len(mark) + 8,
                            count=columns * system.get_nos(p))
    return numbers.reshape(-1, columns)[:, 0].sum()


def by_spirit(folder, name, first, solver):
    with state.State(input_of(MODELS[name], folder), quiet=True) as p:
        images = len(first["spins"])
        band.image_to_clipboard(p)
        band.set_length(p, images)
        for n, spins in enumerate(first["spins"]):
            system.get_spin_directions(p, idx_image=n)[:] = spins
        band.update_data(p)
        for n in (0, images - 1):
            energy = energy_of(p, n, folder)
            assert abs(energy / first["energy"][n] - 1) < 1e-10, (energy, first["energy"][n])
        begun = time.monotonic()
        parameters.gneb.set_convergence(p, LOOSE)
        steps = simulation.start(p, simulation.METHOD_GNEB, solver).total_iterations
        energies = [energy_of(p, n, folder) for n in range(images)]
        parameters.gneb.set_climbing_falling(
            p, parameters.gneb.IMAGE_CLIMBING, idx_image=int(np.argmax(energies))
        )
        parameters.gneb.set_convergence(p, TOLERANCE)
        run = simulation.start(p, simulation.METHOD_GNEB, solver)
        seconds = time.monotonic() - begun
        steps += run.total_iterations
        energies = [energy_of(p, n, folder) for n in range(images)]
        return {
            "barrier": max(energies) - energies[0],
            "steps": steps,
            "gradients": steps * images,
            "seconds": seconds,
            "converged": run.max_torque <= 1.01 * TOLERANCE,
        }


def line(name, images, program, found):
    print(
        f"{name:<12}{images:>7}  {program:<20}{found['barrier']:>15.9f}"
        f"{found['barrier'] - SYSTEMS[name].forward:>10.1e}{found['steps']:>9}"
        f"{found['gradients']:>11}{found['seconds']:>9.2f}"
        f"{'' if found['converged'] else '  not converged'}",
        flush=True,
    )


def main():
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print(f"{'system':<12}{'images':>7}  {'program':<20}{'barrier':>15}{'error':>10}{'steps':>9}"
          f"{'gradients':>11}{'seconds':>9}")
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = pathlib.Path(name_of_folder)
        for name, images in (("skyrmion", 15), ("wall", 9), ("nucleation", 15)):
            study = study_between_relaxed_ends(folder, name, images)
            line(name, images, "Larmor", by_larmor(folder, study, images))
            first = by_larmor(folder, study, images, steps=1, climb="false")
            for solver, number in SOLVERS.items():
                line(name, images, f"Spirit {solver}", by_spirit(folder, name, first, number))


if __name__ == "__main__":
    main()
