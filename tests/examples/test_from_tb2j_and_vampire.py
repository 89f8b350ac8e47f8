"""The cases of docs/from-tb2j.md and docs/from-vampire.md, which describe the iron of docs/from-uppasd.md."""
# Rooms: imports

import re
import subprocess
import tomllib

import h5py
import pytest

from running import LARMOR, ROOT, run_example

J0_MEV = 8 * 18.2 + 6 * 10.3 - 12 * 0.813 - 24 * 1.2
CASES = {"from-tb2j": "exchange.out", "from-vampire": "input"}


def page(name):
    return (ROOT / "docs" / f"{name}.md").read_text()


def blocks(name, language):
    return re.findall(rf"```{language}\n(.*?)```", page(name), re.S)


def program(*arguments):
    return subprocess.run([LARMOR, *map(str, arguments)], capture_output=True, text=True, check=True)


@pytest.mark.parametrize("name", CASES)
def test_the_page_shows_the_files_and_the_notes_of_the_case(name):
    case = ROOT / "examples" / name
    known = "\n".join(path.read_text() for path in case.iterdir() if path.suffix not in (".md", ".png"))
    known += program("check", case / CASES[name]).stderr.replace("note: ", "")
    shown = blocks(name, "text") + blocks(name, "toml")
    assert len(shown) >= 4
    for block in shown:
        # Comments of the study are not shown.
        assert block in known or block in re.sub(r" +# .*", "", known), block


@pytest.mark.parametrize("name", CASES)
def test_the_study_of_the_folder_is_the_converted_file(name):
    case = ROOT / "examples" / name
    written = program("convert", case / CASES[name], "-o", "-").stdout
    assert tomllib.loads(written) == tomllib.loads((case / "study.toml").read_text())


@pytest.mark.parametrize("name", CASES)
def test_the_ferromagnet_has_the_energy_of_the_other_pages(name):
    shown = program("check", ROOT / "examples" / name / CASES[name])
    (energy,) = re.findall(r"ferromagnetic bond energy (\S+) eV a site", shown.stdout)
    assert float(energy) == pytest.approx(-J0_MEV / 1e3, rel=1e-5)
    assert J0_MEV == pytest.approx(168.844, abs=1e-9)


def test_averages_are_those_of_uppasd(tmp_path):
    for arguments in ((ROOT / "examples/from-vampire/input",), (ROOT / "examples/from-tb2j/exchange.out", "--set",
                                                                 "stage.1.temperature=\"300 K\"")):
        output = tmp_path / "out.h5"
        program("run", *arguments, "-o", output, "--force", "--progress", "quiet")
        with h5py.File(output) as file:
            averages = file["/stages/01-monte-carlo/averages"]
            assert averages["energy/value"][0] == pytest.approx(-0.14181, rel=0.003)
            assert averages["magnetisation/value"][0] == pytest.approx(1.9549, rel=0.005)


def test_the_study_of_the_folder_runs(tmp_path):
    output = run_example("from-tb2j", tmp_path, "stage.1.sweeps=200", "stage.1.thermalisation=100")
    with h5py.File(output) as file:
        stage = file["/stages/01-monte-carlo"]
        magnetisation = stage["averages/magnetisation/value"][()]
    # The stage cools through the ordering temperature.
    assert magnetisation[0] < 0.5 < 2 < magnetisation[-1]
