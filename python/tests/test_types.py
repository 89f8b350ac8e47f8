"""Types of the package, as mypy --strict sees them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy", reason="no mypy here")

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("ase_atoms", "atom_curves", "engine", "errors", "estimate", "evaluation", "fit_results", "fitting", "given_arrays", "hdf5_values",
           "html_table", "ladder", "lattice_averages", "lifetimes", "lowest_states", "model", "options", "overlap",
           "pair_correlations", "panels", "path", "program", "progress_display", "quantities", "results",
           "results_handle", "reweighted", "running", "samples", "scan", "solving", "spin_waves", "stage",
           "structure_factor", "study", "study_tables", "study_toml", "study_values", "style", "tables",
           "transitions", "version", "wave_vectors")

# Lines that end with "wrong" have an error, and other lines have none.
SCRIPT = """
import larmor
import numpy as np

study = larmor.Study(title="x", seed=1, replicas=np.int64(16), units="reduced")
study = larmor.Study(titel="x")  # wrong
study.model(kind="ising")
study.model(kind="isin")  # wrong
study.lattice(type="sc", size=np.array([16, 16, 16]), constant="1 nm")
study.lattice(type="simple cubic")  # wrong
table = study.exchange(shell=1, J=np.float64(1.0))
table["J"] = 2
study.exchange(shel=1)  # wrong
study.random_field(width=0.1, axis=(0, 0, 1))
study.structure(file=larmor.Structure(["W"], [[0.0, 0.0, 0.0]]))
study.stage("monte-carlo", temperature=[1.44, 1.5], sweeps=20_000, measure=["energy", {"what": "site-spins"}])
study.stage("monte-carlo", temprature=1.44)  # wrong
study.stage("monte carlo", temperature=1.44)  # wrong
study.stage("md", timestep="1 fs", thermostat="bussi")
study.scan({"stage.1.temperature": np.linspace(1, 2, 11)}).run("x.h5", progress=False, backend="cpu")
study.scan(key="seed", values=[1, 2])["values"] = range(3)
study.run(backend="gpu")  # wrong
results: larmor.Results = larmor.run(study, set={"replicas": 2}, on_progress=lambda event: print(event["done"]))
with study.start("x.h5", threads=1) as sim:
    sim.each(10, lambda sim: print(sim.step, sim.time))
    sim.run(steps="all")  # wrong
    if sim.run(steps=100).done:
        sim.spins = -sim.spins
plan: larmor.Plan = larmor.check({"lattice": {"type": "sc"}})
energy: float = larmor.solve({(0, 1): 1.0}, certify=True).energy
one: larmor.Evaluated = larmor.evaluate(larmor.Structure(["W"], [[0.0, 0.0, 0.0]]), larmor.Potential("x"))
version: str = larmor.__version__
try:
    larmor.resume("x.h5", from_start=True)
except larmor.Interrupted as stop:
    print(stop.output.name)
except larmor.LarmorError as error:
    print(error.key, error.remedy, error.line)
"""


def test_types_of_the_package_and_of_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    modules = [str(ROOT / "python/larmor" / f"{name}.py") for name in MODULES]
    done = subprocess.run([sys.executable, "-m", "mypy", "--follow-imports=silent", "--cache-dir", tmp_path / "cache",
                           "--config-file", ROOT / "pyproject.toml", *modules, script],
                          capture_output=True, text=True, cwd=tmp_path, env={"MYPYPATH": str(ROOT / "python")})
    wrong = {number for number, line in enumerate(SCRIPT.splitlines(), 1) if line.endswith("# wrong")}
    reported = re.findall(r"^(.*):(\d+): error", done.stdout, re.MULTILINE)
    assert {(Path(file).name, int(line)) for file, line in reported} == {("script.py", line) for line in wrong}, done
