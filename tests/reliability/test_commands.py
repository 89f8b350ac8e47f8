"""Commands that take hardly any time, as a new user types them."""
# Rooms: study

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import pytest

from program import DEPTH, LARMOR, ROOT, larmor, write_study
from running import start, stop_once_there

POTENTIALS = pathlib.Path("/usr/share/lammps/potentials")

COMMANDS = [
    "run", "resume", "check", "show", "export", "new", "explain", "devices", "verify", "bench", "plot",
    "scaling", "symmetry"
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    shown = larmor(command, "--help")
    assert shown.returncode == 0
    assert "usage" in shown.stdout.lower()


def test_help_has_examples_and_names_every_command():
    shown = larmor("--help")
    assert "larmor run" in shown.stdout and "Examples" in shown.stdout
    for command in COMMANDS:
        assert command in shown.stdout


def test_wrong_arguments_give_exit_code_2():
    for arguments in ([], ["fly"], ["run"], ["run", "--colour", "x"], ["bench", "nothing"],
                      ["bench", "correlations", "--L", "100:x"], ["bench", "correlations", "--M", "1"],
                      ["bench", "correlations", "--methods", "fused,nothing"]):
        assert larmor(*arguments).returncode == 2


def test_the_benchmarks_are_a_program_beside_this_one():
    program = pathlib.Path(LARMOR).with_name("larmor-bench")
    for arguments in (["--help"], [], ["nothing"], ["mc", "--only", "a  'b' *", "--backend", "cpu"]):
        alone = subprocess.run([program, *arguments], capture_output=True, text=True)
        through = larmor("bench", *arguments)
        assert (through.returncode, through.stdout, through.stderr) == (
            alone.returncode, alone.stdout, alone.stderr)
    assert "Usage: larmor bench [OPTIONS] name" in larmor("bench", "--help").stdout
    refused = larmor("bench", "nothing")
    assert refused.returncode == 2 and refused.stdout == ""
    assert "there is no benchmark 'nothing'" in refused.stderr
    assert "the benchmarks are mc, llg, " in refused.stderr


def test_benchmarks_that_are_not_there_are_told_in_a_sentence(tmp_path):
    program = tmp_path / "larmor"
    shutil.copy2(LARMOR, program)
    for arguments in ([], ["--help"], ["mc"]):
        refused = subprocess.run([program, "bench", *arguments], capture_output=True, text=True)
        assert refused.returncode == 3 and refused.stdout == ""
        assert refused.stderr == (f"error: larmor-bench is missing in the folder of larmor, {tmp_path}; "
                                  "`make build` builds both\n")
    assert "bench" in subprocess.run([program, "--help"], capture_output=True, text=True).stdout


def test_a_benchmark_without_the_system_asked_for_names_those_that_there_are():
    refused = larmor("bench", "mc", "--backend", "cpu", "--only", "17^5")
    assert refused.returncode == 2
    assert "'17^5'" in refused.stderr and "16^3 x 8" in refused.stderr


@pytest.mark.parametrize("arguments, words", [
    (["--methods", "fused"], "--methods and --json require correlations on a GPU"),
    (["--json", "measured.json"], "--methods and --json require correlations on a GPU"),
    (["--methods", "nothing"], "nothing"),
    (["--L", "10:x"], "--L"),
    (["--L", "8,20:10"], "ends before it begins"),
    (["--L", "9000000000000000000"], "not a number from 1 to"),
    (["--L", "8:9000000000000000000:1"], "not a number from 1 to"),
    (["--precision", "single"], "double precision"),
])
def test_correlations_on_a_cpu_refuse_what_they_do_not_measure(tmp_path, arguments, words):
    refused = larmor("bench", "correlations", "--backend", "cpu", *arguments, cwd=tmp_path)
    assert refused.returncode == 2 and refused.stdout == ""
    assert refused.stderr.count("error:") == 1 and words in refused.stderr
    assert not list(tmp_path.iterdir())


def test_correlations_on_a_cpu_are_of_the_lattices_asked_for():
    shown = larmor("bench", "correlations", "--backend", "cpu", "--L", "6,8:10:1", "--M", "2",
                   "--only", "^2 x 2")
    assert shown.returncode == 0, shown.stderr
    rows = re.findall(r"^gemm-panels, C\^2, 1 q +(\d+) +(\d+) ", shown.stdout, re.M)
    assert rows == [(str(length**2), "6") for length in (6, 8, 9, 10)]
    assert re.findall(r"of the lattice, square (\d+)\^2 x 2,", shown.stdout) == ["6", "10"]


def test_snap_is_timed_by_the_methods_asked_for(tmp_path):
    shown = larmor("bench", "snap", "--cells", "1,2", "--twojmax", "2", "--methods", "generators,baseline",
                   "--json", "snap.json", "--only", "2^3 cells", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert re.findall(r"^2J = (\d+), (\d+) atoms, 26.0 neighbours", shown.stdout, re.M) == [("2", "16")]
    [system] = json.loads((tmp_path / "snap.json").read_text())["systems"]
    assert [method["name"] for method in system["methods"]] == ["baseline", "generators"]
    for method in system["methods"]:
        assert method["error"] < 1e-12
        assert sum(method["parts"].values()) == pytest.approx(method["seconds"])


@pytest.mark.parametrize("arguments, words", [
    (["--methods", "adjont"], "no method of SNAP is called"),
    (["--methods", ""], "no method of SNAP is called"),
    (["--snap", "W", "--twojmax", "8"], "leave out --twojmax or --snap"),
    (["--snap", "nothing"], "nothing.snapcoeff"),
    (["--precision", "single"], "double precision"),
    (["--only", "17^3"], "2J = 14, 6^3 cells"),
])
def test_snap_refuses_what_it_does_not_measure(arguments, words):
    refused = larmor("bench", "snap", *arguments)
    assert refused.returncode in (2, 3)
    assert refused.stderr.count("error:") == 1 and words in refused.stderr


def explained(names):
    """The text of `larmor explain` for each of several names."""
    assert len(names) > 1
    shown = larmor("explain", *names)
    assert shown.returncode == 0, shown.stderr
    # Each text follows its name, which is underlined.
    parts = re.split(r"(?:^|\n\n)(\S+)\n-+\n", shown.stdout)
    assert parts[0] == "" and parts[1::2] == list(names)
    return dict(zip(names, parts[2::2]))


@pytest.fixture(scope="module")
def starters(tmp_path_factory):
    """The folder with every starter, and the paths of their files by kind."""
    folder = tmp_path_factory.mktemp("starters")
    kinds = [line.split()[0] for line in larmor("new").stdout.splitlines()]
    written = {}
    for kind in kinds:
        told = larmor("new", kind, cwd=folder)
        assert told.returncode == 0, told.stderr
        written[kind] = folder / told.stdout.strip()
    return folder, written


def test_there_is_a_starter_for_every_task(starters):
    folder, written = starters
    assert {"spin-waves", "ising", "scaling", "potts", "phi4", "glass", "qubo", "quantum", "md", "elastic",
            "thermal-expansion", "skyrmion", "lifetime", "neutron", "uppasd"} <= set(written)
    models = {re.search(r'^kind = "(\w+)"', path.read_text(), re.M)[1] for path in written.values()
              if "[model]" in path.read_text()}
    kinds = json.loads(larmor("explain", "--json").stdout)["model_kinds"]
    assert models | {"spins"} == {kind["name"] for kind in kinds}
    helped = larmor("new", "--help").stdout
    assert all(kind in helped for kind in written)


def test_every_starter_passes_the_check(starters):
    folder, written = starters
    for kind, path in written.items():
        if "[[snap]]" in path.read_text() and not POTENTIALS.exists():
            continue
        if path.suffix != ".toml":
            solved = larmor("solve", path, "--certify", cwd=folder)
            assert solved.returncode == 0, solved.stderr
            continue
        checked = larmor("check", path, env={**os.environ, "LAMMPS_POTENTIALS": str(POTENTIALS)})
        assert checked.returncode == 0, f"{kind}: {checked.stderr}"
        assert "time" in checked.stdout and "memory" in checked.stdout


def test_starters_replace_no_files(starters, tmp_path):
    folder, written = starters
    for kind in written:
        assert larmor("new", kind, cwd=folder).returncode == 2
    assert "did you mean" in larmor("new", "spin-wave", cwd=folder).stderr
    (tmp_path / "jfile").write_text("mine\n")
    refused = larmor("new", "uppasd", cwd=tmp_path)
    assert refused.returncode == 2 and "jfile" in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["jfile"]
    (tmp_path / "jfile").unlink()
    assert larmor("new", "uppasd", tmp_path / "iron.toml").returncode == 0
    assert larmor("check", tmp_path / "iron.toml").returncode == 0


def test_every_key_of_the_starters_is_explained(starters):
    keys = set()
    for path in starters[1].values():
        keys |= set(re.findall(r"^(\w+) *=", path.read_text(), re.M))
    assert {"seed", "J", "timestep", "temperature"} <= keys
    for key, text in explained(sorted(keys)).items():
        # If several model kinds have a key of this name, it is shown with each kind.
        assert re.search(rf"^ *{re.escape(key)}( \(of kind \"\w+\"\))?: ", text, re.M)


def test_everything_listed_is_explained():
    tables = re.findall(r"^  (\S+) ", larmor("explain").stdout, re.M)
    assert {"lattice", "exchange", "dmi", "anisotropy", "field", "dynamics"} <= set(tables)
    listed = [(table, key) for table, text in explained(sorted(set(tables))).items()
              for key in re.findall(r"^  (\w+): ", text, re.M)]
    assert len(listed) > 300
    for name, text in explained([f"{table}.{key}" for table, key in listed]).items():
        assert name.split(".")[1] in text
    stages = larmor("explain", "stages").stdout
    assert all(kind in stages for kind in ("anneal", "monte-carlo", "dynamics"))
    wrong = larmor("explain", "exchange.shel")
    assert wrong.returncode == 2 and "exchange.shell" in wrong.stderr


def test_new_without_a_kind_lists_the_kinds(tmp_path):
    listed = larmor("new", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout == larmor("new", "list").stdout and "spin-waves" in listed.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name, words", [
    ("structure-factor", ["value of dynamics.measure.what", "value of monte-carlo.measure",
                          "keys with it: every, path", "max_frequency"]),
    ("trajectory", ["value of dynamics.measure.what", "keys with it: every, replicas\n"]),
    ("energy", ["value of dynamics.measure.what", "keys with it: every\n", "minimise.measure"]),
    ("heat-bath", ["value of anneal.sampler", "value of monte-carlo.sampler"]),
    ("polarised", ["value of dynamics.torque.kind", "damping_like", "asymmetry"]),
    ("spin-transfer", ["keys with it: velocity, beta, shape"]),
    ("stage.kind", ["study.stage.kind", "kind of the stage; `larmor explain KIND`", "minimum-energy-path"]),
    ("stage", ["kind: string"]),
    ("stage.1.timestep", ["dynamics.timestep", "length of a step"]),
    ("stage.measure.window", ["dynamics.measure.window", "blackman"]),
    ("measure.every", ["monte-carlo.measure.every", "dynamics.measure.every"]),
    ("monte-carlo.temperature.factor", ["ratio of each temperature to the one before"]),
    ("anneal.temperature.from", ["first temperature"]),
    ("hysteresis.field.points", ["number of fields"]),
    ("dynamics.measure.distance.width", ["of a bin"]),
    ("displacement.cells", ["largest numbers of cells to both sides"]),
    ("groups.sites", ["counted from 0"]),
    ("scan.values.points", ["number of values"]),
    ("spin-waves.ground_state.direction", ["a vector of any length except 0"]),
    ("with", ["scan.with", "keys that change together with this key, value by value"]),
    ("pair-correlations", ["error_blocks", "value of dynamics.measure.what"]),
    ("seed", ["study.seed", "alloy.seed"]),
    ("fit", ["input of `larmor fit`", "solver: table", "group: list of tables"]),
    ("fit.solver.method", ["normal-equations: A^T A x = A^T b", 'default "qr"']),
    ("meV", ["meV is a unit of energy", '"1 meV"', "explain units"]),
    ("ueV", ["ueV is a unit of energy", "the same as μeV"]),
    ("T", ["is a unit of magnetic field"]),
    ("Γ", ["wave vector of the lattices", "kagome: [0, 0, 0]"]),
    ("Gamma", ["fcc: [0, 0, 0]"]),
    ("W", ["fcc: [0.5, 1, 0]"]),
    ("study.lattice.size", ['lattice.size (of kind "spins"):', 'lattice.size (of kind "phi4"):']),
    ("study.lattice", ["study.lattice:", "the positions of the spins"]),
    ("study", ["lattice: table", "initial: table"]),
])
def test_every_name_of_a_study_is_explained(name, words):
    shown = larmor("explain", name)
    assert shown.returncode == 0, shown.stderr
    for word in words:
        assert word in shown.stdout, shown.stdout


@pytest.mark.parametrize("name", ["study.lattice.cell", "lattice.cell", "lattice.constant",
                                  "device.threads", "checkpoint.every"])
def test_a_key_is_explained_once(name):
    assert larmor("explain", name).stdout.count(":\n") == 1


@pytest.mark.parametrize("name, meant", [
    ("structur-factor", "'structure-factor'"), ("stage.kinds", "'stage.kind'"),
    ("dynamics.measure.evry", "'dynamics.measure.every'"), ("mesure.window", "'measure.window'"),
    ("heat-bat", "'heat-bath'"), ("unit", "'units'"), ("monte-carlo.temperature.form",
                                                       "'monte-carlo.temperature.from'"),
])
def test_near_misses_are_told_what_was_meant(name, meant):
    refused = larmor("explain", name)
    assert refused.returncode == 2 and f"did you mean {meant}?" in refused.stderr


def test_every_value_and_key_that_is_listed_is_explained():
    kinds = re.findall(r"^  (\S+) ", larmor("explain", "stages").stdout, re.M)
    values = {value for text in explained(kinds).values()
              for line in re.findall(r"one of: (.*)", text) for value in line.split(", ")}
    assert all(text for text in explained(sorted(values)).values())


def test_an_unknown_name_among_several_is_refused():
    refused = larmor("explain", "exchange.J", "exchange.shel")
    assert refused.returncode == 2 and "exchange.shell" in refused.stderr


def test_a_command_that_there_is_not_is_named(tmp_path):
    refused = larmor("rn", "study.toml")
    assert refused.returncode == 2 and refused.stdout == ""
    assert "'rn'" in refused.stderr and "did you mean 'run'?" in refused.stderr
    for command in COMMANDS:
        assert command in refused.stderr
    option = larmor("--versio")
    assert option.returncode == 2 and "did you mean '--version'?" in option.stderr


@pytest.mark.parametrize("arguments, option, value, needed", [
    (["export", "x.h5", "--replica", "all"], "--replica", "'all'", "a whole number from 0 on"),
    (["export", "x.h5", "--replica", "-1"], "--replica", "'-1'", "a whole number from 0 on"),
    (["export", "x.h5", "--point", "1.5"], "--point", "'1.5'", "a whole number from 0 on"),
    (["export", "x.h5", "--stage", "0"], "--stage", "'0'", "a whole number from 1 to 9999"),
    (["show", "x.h5", "--point", "-2"], "--point", "'-2'", "a whole number from 0 on"),
    (["run", "x.toml", "--threads", "many"], "--threads", "'many'", "a whole number from 1 to 4096"),
    (["run", "x.toml", "--checkpoint-every", "0"], "--checkpoint-every", "'0'", "a positive number"),
    (["run", "x.toml", "--checkpoint-every", "inf"], "--checkpoint-every", "'inf'",
     "a positive number"),
    (["bench", "correlations", "--M", "1"], "--M", "'1'", "a whole number from 2 to 2000"),
    (["bench", "snap", "--cells", "4,0"], "--cells", "'0'", "a whole number from 1 to 200"),
    (["bench", "snap", "--twojmax", "8,15"], "--twojmax", "'15'", "a whole number from 0 to 14"),
])
def test_numbers_of_options_are_asked_for_in_words(arguments, option, value, needed):
    refused = larmor(*arguments)
    assert refused.returncode == 2
    assert f"{option}: {value} is not {needed}" in refused.stderr
    assert not re.search(r"\d{7}", refused.stderr)


def test_results_are_told_from_studies(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=50)
    results = tmp_path / "r.h5"
    assert larmor("run", study, "-o", results).returncode == 0
    for command in ("check", "run"):
        refused = larmor(command, results)
        assert refused.returncode == 2
        assert f"'{results}' is a results file" in refused.stderr
        assert f"larmor show {results}" in refused.stderr
        assert f"larmor resume {results}" in refused.stderr


def test_every_unit_that_is_listed_is_accepted_and_no_other(tmp_path):
    """Units that `larmor explain units`, the conventions page and messages list."""
    # The text begins with the key of that name, which is left out.
    listed = larmor("explain", "units").stdout.split("Units of material studies")[1]
    rows = re.findall(r"^  ([a-z ]+): (.*)", listed, re.M)
    page = (ROOT / "docs" / "conventions.md").read_text()
    table = re.findall(r"^\| ([a-z ]+) \| (.*) \|$", page[page.index("| quantity | units |"):
                                                      page.index("## Dipoles")], re.M)
    assert [row for row in table if row[0] != "quantity"] == rows
    units = {name: re.findall(r"[^\s,()]+", text) for name, text in rows}
    assert len(units) == 12 and "mRy" in units["energy"] and "mu_B" in units["magnetic moment"]
    study = tmp_path / "study.toml"

    def checked(key, of_units):
        values = [f"1 {unit}" for unit in of_units]
        study.write_text("""
units = "material"
[lattice]
type = "chain"
size = [4]
[[exchange]]
shell = 1
J = "1 meV"
[[stage]]
kind = "dynamics"
timestep = "1 fs"
steps = 10
damping = 0.1
""" + f'[[scan]]\nkey = "{key}"\nvalues = {json.dumps(values, ensure_ascii=False)}\n')
        return larmor("check", study)

    takes = {
        "energy": ("exchange.1.J", "energy"), "length": ("lattice.constant", "length"),
        "time": ("stage.1.timestep", "time"), "temperature": ("stage.1.temperature", "temperature"),
        "magnetic moment": ("lattice.moment", "magnetic moment"),
    }
    same = {"energy", "temperature", "frequency"}
    for needed, (key, name) in takes.items():
        for kind, spellings in units.items():
            fits = kind == needed or (kind in same and needed in same)
            # If the key takes every unit, all units are tried, or else one unit.
            done = checked(key, spellings if fits else spellings[:1])
            if fits:
                assert done.returncode == 0 and f"{len(spellings)} value(s)" in done.stdout, (key, done.stderr)
                continue
            assert done.returncode == 2 and f"units of {name}: " in done.stderr
            listed = done.stderr.split(f"units of {name}: ")[1].splitlines()[0]
            expected = [u for k in units if k == needed or (needed in same and k in same)
                        for u in units[k]]
            words = re.findall(r"[^\s,():]+", re.sub(r"or of [a-z ]+: ", "", listed))
            assert sorted(words) == sorted(expected)


def test_show_prints_averages_with_errors(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=50)
    assert larmor("run", study, "-o", tmp_path / "r.h5").returncode == 0
    shown = larmor("show", tmp_path / "r.h5")
    assert shown.returncode == 0
    assert re.search(r"temperature +energy ", shown.stdout)
    assert re.search(r"\n +0\.5 +-\d+\.\d+\(\d+\)", shown.stdout)
    assert "structure-factor" in shown.stdout
    assert larmor("show", study).returncode == 2
    assert larmor("show", tmp_path / "none.h5").returncode == 2


def test_show_of_an_interrupted_run_says_how_to_go_on(tmp_path):
    study = write_study(tmp_path / "study.toml", sweeps=20000)
    output = tmp_path / "r.h5"
    code, _, errors = stop_once_there(start("run", study, "-o", output), output, signal.SIGTERM)
    assert code == 143, errors
    shown = larmor("show", output)
    assert shown.returncode == 0, shown.stderr
    assert f"not completed: larmor resume {output}" in shown.stdout


def test_devices_are_listed():
    assert "CPU" in larmor("devices").stdout


@pytest.mark.parametrize("precision", ["double", *(["single"] if DEPTH else [])])
def test_verify_finds_what_is_known_exactly(precision):
    verified = larmor("verify", "--quick", "--precision", precision)
    assert verified.returncode == 0, verified.stdout
    assert "WRONG" not in verified.stdout and f", {precision}\n" in verified.stdout
    for what in ("Langevin (Metropolis, cone)", "Langevin (heat bath, midpoint)",
                 "open chain (heat bath, depondt)", "precession of a chain of dipoles",
                 "S(q) of an open chain", "S(q,t) of a spin wave: frequency (fft)",
                 "optical phonon of a chain (zbl", "force on an atom (snap", "temperature of atoms (bussi)",
                 "critical Ising strip, odd level, Kaufman", "random Ising strip, enumeration",
                 "Heisenberg ring of 6 spins", "open quantum Ising chain, free fermions (random states)"):
        assert what in verified.stdout


def test_verify_takes_the_backend_that_is_asked_for():
    asked = larmor("verify", "--quick", "--backend", "cuda")
    if re.search(r"^GPU 0 .* free$", larmor("devices").stdout, re.M):
        assert asked.returncode == 0 and asked.stdout.startswith("on GPU 0"), asked.stdout
    else:
        assert asked.returncode == 3 and "GPU" in asked.stderr
    wrong = larmor("verify", "--quick", "--precision", "mixed")
    assert wrong.returncode == 2 and "mixed precision is for GPUs" in wrong.stderr


def test_version_and_devices_say_for_which_gpus_there_are_kernels():
    version, devices = larmor("--version").stdout, larmor("devices").stdout
    told = re.search(r"^kernels for GPUs of compute capability (\d.*)$", version, re.M)
    assert (told is None) == (", no CUDA" in version), version
    words = f"kernels for compute capability {told[1]}" if told else "CUDA  not in this build"
    assert words in devices, devices


def test_progress_as_json_lines(tmp_path):
    import json

    study = write_study(tmp_path / "study.toml", sweeps=50)
    run = larmor("run", study, "-o", tmp_path / "r.h5", "--progress", "json")
    events = [json.loads(line) for line in run.stderr.splitlines()]
    assert events[0]["event"] == "start" and events[-1]["event"] == "end"
