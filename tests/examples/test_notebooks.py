"""Scripts and notebooks of examples/notebooks: they run, have equal code, and find known values."""
# Rooms: study, ising, spins, atoms, ground_states, correlations, spinwaves

import os
import re
import runpy
import warnings

import pytest

import larmor
from running import LARMOR, ROOT, require_potential

FOLDER = ROOT / "examples" / "notebooks"
LINES = 20
# A condition on the variables of each script at its end, and the optional packages of the script.
FOUND = {
    # The crossing lies 0.004 below the critical temperature, by corrections to scaling.
    "critical_temperature": ("abs(critical.value - 4.5115 + 0.004) < 3 * critical.error < 0.015 and len(table) == 8",
                             ["pandas"]),
    # docs/benchmarks/landscape.md has the barrier and the prefactor by Larmor and by Spirit.
    "skyrmion_lifetime": ("abs(stage.path.barrier_forward - 0.0387608) < 1e-6 and "
                          "abs(lifetimes.forward.value[0] / 1.4196e18 - 1) < 1e-3", ["pandas"]),
    # A run of ten times the length finds 5.7(2), and this one has an error of 0.6.
    "thermal_expansion": ("abs(1e6 * slope / start - 5.7) < 2.0", ["ase"]),
    "problem_of_dimod": ("solution.is_proven and solution.energy == 0 and sum(teams[0]) == sum(teams[1])", ["dimod"]),
    # A frequency of S(q,w) is 0.031 from the next.
    "spin_waves": ("distance < 0.04", ["xarray"]),
}


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LARMOR", LARMOR)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))


def require(name):
    for package in FOUND[name][1]:
        pytest.importorskip(package, reason=f"no {package} here")
    if name == "thermal_expansion":
        require_potential("W_2940_2017_2.snap")


def cells_of(name):
    nbformat = pytest.importorskip("nbformat", reason="no nbformat here")
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


@pytest.mark.parametrize("name", FOUND)
def test_a_script_finds_known_values(name):
    require(name)
    with warnings.catch_warnings():
        # The studies are short.
        warnings.simplefilter("ignore", larmor.LarmorWarning)
        names = runpy.run_path(str(FOLDER / f"{name}.py"))
    assert eval(FOUND[name][0], names), {key: names[key] for key in names if not key.startswith("_")}
    assert sorted(os.listdir()) == sorted(re.findall(r'savefig\("(.*?)"\)', (FOLDER / f"{name}.py").read_text("utf-8")))


@pytest.mark.parametrize("name", FOUND)
def test_a_notebook_finds_known_values(name):
    require(name)
    nbclient = pytest.importorskip("nbclient", reason="no nbclient here")
    pytest.importorskip("ipykernel", reason="no ipykernel here")
    notebook = cells_of(name)
    check = notebook.cells[-1].copy()
    check.update(id="check", source=f"assert {FOUND[name][0]}")
    notebook.cells.append(check)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    shown = {kind for cell in notebook.cells if cell.id.startswith("shown")
             for output in cell.outputs for kind in output.get("data", {})}
    assert ("text/html" in shown) == any(cell.id.startswith("shown") for cell in notebook.cells)


@pytest.mark.parametrize("name", FOUND)
def test_a_notebook_has_the_code_of_its_script_and_no_outputs(name):
    cells = [cell for cell in cells_of(name).cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
    script = (FOLDER / f"{name}.py").read_text("utf-8")
    assert len(script.splitlines()) <= LINES
    code = "\n".join(cell.source for cell in cells if not cell.id.startswith("shown"))
    own = script.split('"""\n', 1)[1]
    assert [line for line in code.splitlines() if line] == [line for line in own.splitlines() if line]


def test_each_script_is_tested():
    assert {path.stem for path in FOLDER.glob("*.py")} == {path.stem for path in FOLDER.glob("*.ipynb")} == set(FOUND)
