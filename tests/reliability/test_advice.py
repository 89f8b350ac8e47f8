"""Advice about a study appears once, on stderr. `check` and `run` report on lattice and
Hamiltonian. `run` repeats advice about stages only if the advice is a warning."""
# Rooms: study

import json
import re

import pytest

from program import larmor, run_study
from ranks import needs_ranks, run_on_ranks

EXCHANGE = "[[exchange]]\nshell = 1\nJ = 1\n"
STAGE = '[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nthermalisation = 0\nsweeps = 10\n'
CHAIN = '[lattice]\ntype = "chain"\nsize = [8]\n'
IRON = '[lattice]\ntype = "bcc"\nsize = [3, 3, 3]\n'


def notes(text):
    return [line for line in text.splitlines() if line.startswith("note: ")]


@pytest.mark.parametrize("text, words", [
    ('[lattice]\ntype = "sc"\nsize = [6, 6, 6]\n[[exchange]]\nshell = 12\nJ = 1\n',
     ["exchange: bonds reach around the periodic lattice", "along vector 1"]),
    ('[lattice]\ntype = "chain"\nsize = [2]\n' + EXCHANGE,
     ["exchange: bonds reach around", "3 along vector 1"]),
    (CHAIN + EXCHANGE + "[[dmi]]\natoms = [0, 0]\noffset = [[5, 0, 0]]\nstrength = 0.1\n",
     ["dmi: bonds reach around", "11 along vector 1"]),
    ('[lattice]\ntype = "chain"\nsize = [2]\n' + EXCHANGE + "disorder = 0.5\n",
     ["exchange: some pairs of sites are coupled twice"]),
    (CHAIN + "[field]\nB = [0, 0, 1]\n", ["no term couples two spins"]),
    (CHAIN, ["no term of a Hamiltonian"]),
    ('units = "material"\n' + IRON + '[[exchange]]\nshell = 1\nJ = "20 meV"\n',
     ["the lattice has no constant", "1 Å"]),
], ids=["shell", "two-sites", "offset", "disorder", "field-alone", "nothing", "no-constant"])
def test_check_and_run_say_it_once(tmp_path, text, words):
    stage = STAGE.replace("1.0", '"300 K"') if "material" in text else STAGE
    run, output = run_study(tmp_path, text + stage)
    check = larmor("check", tmp_path / "study.toml")
    for shown in (run, check):
        assert shown.returncode == 0, shown.stderr
        assert len(notes(shown.stderr)) == 1, shown.stderr
        for word in words:
            assert word in notes(shown.stderr)[0]
        assert "note: " not in shown.stdout
    assert output.exists()


@pytest.mark.parametrize("text", [
    CHAIN + EXCHANGE,
    '[lattice]\ntype = "chain"\nsize = [2]\nperiodic = false\n' + EXCHANGE,
    '[lattice]\ntype = "honeycomb"\nsize = [3, 3]\n' + EXCHANGE,
    CHAIN + "[dipolar]\nstrength = 1\nmethod = \"bonds\"\n",
], ids=["chain", "open", "honeycomb", "dipoles"])
def test_there_is_nothing_to_say(tmp_path, text):
    run, _ = run_study(tmp_path, text + STAGE)
    assert run.returncode == 0 and notes(run.stderr) == []
    assert notes(larmor("check", tmp_path / "study.toml").stderr) == []


@pytest.mark.parametrize("second, said", [("0.0 0.0 -1.0", True), ("0.0 0.0 1.0", False)],
                         ids=["antiferromagnet", "ferromagnet"])
def test_directions_of_a_momfile_are_not_used(tmp_path, second, said):
    (tmp_path / "positions").write_text("1 1 0 0 0\n2 1 0.5 0.5 0.5\n")
    (tmp_path / "moments").write_text(f"1 1 2.2 0.0 0.0 1.0\n2 1 2.2 {second}\n")
    run, _ = run_study(
        tmp_path,
        "[lattice]\ncell = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nsize = [3, 3, 3]\n"
        f'posfile = "positions"\nmomfile = "moments"\n{EXCHANGE}{STAGE}',
    )
    assert run.returncode == 0, run.stderr
    assert [("directions" in note, "'moments'" in note) for note in notes(run.stderr)] == (
        [(True, True)] if said else []
    )


ALONE = "[field]\nB = [0, 0, 1]\n"


def notes_of_check_and_run(tmp_path, text, *arguments):
    run, _ = run_study(tmp_path, text, *arguments)
    check = larmor("check", tmp_path / "study.toml")
    for shown in (run, check):
        assert shown.returncode == 0, shown.stderr
    assert notes(run.stderr) == notes(check.stderr)
    return notes(run.stderr)


def test_a_scan_says_once_what_holds_for_all_points(tmp_path):
    scan = '[[scan]]\nkey = "seed"\nvalues = [1, 2, 3]\n'
    said = notes_of_check_and_run(tmp_path, CHAIN + ALONE + STAGE + scan)
    assert said == ["note: no term couples two spins: each is independent"]


SIZES = '[[scan]]\nkey = "lattice.size"\nvalues = [[8], [2], [2], [9], [2]]\n'


def test_a_scan_names_the_first_point_of_those_that_are_meant(tmp_path):
    said = notes_of_check_and_run(tmp_path, CHAIN + EXCHANGE + STAGE + SIZES)
    assert len(said) == 1, said
    assert said[0].startswith(
        "note: point 1 (lattice.size = [2]) and 2 more: exchange: bonds reach around"
    )


@needs_ranks
def test_ranks_that_share_a_scan_say_the_same(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(CHAIN + EXCHANGE + STAGE + SIZES)
    check = larmor("check", study)
    done = run_on_ranks(3, "run", study, "-o", tmp_path / "out.h5")
    assert done.returncode == 0, done.stderr
    assert len(notes(check.stderr)) == 1
    assert [line for line in notes(done.stderr) if "reach" in line] == notes(check.stderr)


STUDY = """
[lattice]
type = "square"
size = [4, 4]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "monte-carlo"
temperature = 1.0
sweeps = 10
[[stage]]
kind = "dynamics"
timestep = {timestep}
steps = 10
"""
WORDS = "timestep: a spin turns by at most"


def advice_of(text):
    return [line[line.index(WORDS):] for line in text.splitlines() if WORDS in line]


@pytest.mark.parametrize("timestep, warns", [(0.05, False), (0.15, True), (0.4, True)])
def test_a_run_warns_of_a_timestep_that_check_warns_of(tmp_path, timestep, warns):
    done, output = run_study(tmp_path, STUDY.format(timestep=timestep), "--progress", "quiet")
    assert done.returncode == 0, done.stderr
    checked = advice_of(larmor("check", tmp_path / "study.toml").stdout)
    assert len(checked) == 1 and ("; safe" in checked[0]) != warns
    assert advice_of(done.stderr) == (checked if warns else [])
    if warns:
        assert f"note: stage 2 dynamics: {WORDS}" in done.stderr


def test_pulses_turn_spins_too(tmp_path):
    pulse = 'pulse = [{ B = [0, 0, 50], start = 0, duration = 1 }]\n'
    done, _ = run_study(tmp_path, STUDY.format(timestep=0.01) + pulse)
    assert done.returncode == 0, done.stderr
    assert "coarse" in advice_of(done.stderr)[0]


@pytest.mark.parametrize("torque", [
    'kind = "polarised"\npolarisation = [0, 0, 1]\nfield_like = 50',
    'kind = "polarised"\npolarisation = [0, 0, 1]\ndamping_like = 5\nasymmetry = 0.9',
    'kind = "spin-transfer"\nvelocity = [50, 0, 0]',
    'kind = "spin-transfer"\nvelocity = [0, 0.1, 0]\nbeta = 500.0',
])
def test_torques_turn_spins_too(tmp_path, torque):
    """With a step of 0.01, the exchange turns spins by 0.04 rad, and a torque of 50 by 0.5 rad."""
    text = STUDY.format(timestep=0.01) + f"[[stage.torque]]\n{torque}\n"
    done, _ = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert " 0.54 rad a step" in advice_of(done.stderr)[0], done.stderr


def test_a_warning_among_json_lines_is_one(tmp_path):
    done, _ = run_study(tmp_path, STUDY.format(timestep=0.4), "--progress", "json")
    events = [json.loads(line) for line in done.stderr.splitlines()]
    assert events[0]["event"] == "start" and events[-1]["event"] == "end"
    notes = [event["text"] for event in events if event["event"] == "note"]
    assert len(notes) == 1 and notes[0].startswith(f"stage 2 dynamics: {WORDS}")


SCAN = '\n[[scan]]\nkey = "stage.2.timestep"\nvalues = [0.05, 0.15, 0.4]\n'


def test_a_scan_warns_once_of_the_first_point_that_needs_it(tmp_path):
    done, _ = run_study(tmp_path, STUDY.format(timestep=0.05) + SCAN)
    assert done.returncode == 0, done.stderr
    told = advice_of(done.stderr)
    assert len(told) == 1 and "coarse" in told[0], done.stderr
    assert "(stage.2.timestep = 0.15): stage 2 dynamics: " in done.stderr


@needs_ranks
def test_ranks_that_share_a_scan_warn_once(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(STUDY.format(timestep=0.05) + SCAN)
    done = run_on_ranks(3, "run", study, "-o", tmp_path / "out.h5")
    assert done.returncode == 0, done.stderr
    assert len(advice_of(done.stderr)) == 1, done.stderr


FORECAST = """
[model]
kind = "ising"
[lattice]
grid = [64, 64]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "monte-carlo"
temperature = {temperature}
sampler = "{sampler}"
sweeps = 100000
thermalisation = 0
{measure}
"""


def seconds_of(folder, **keys):
    study = folder / "study.toml"
    study.write_text(FORECAST.format(**({"temperature": "2.0", "sampler": "metropolis", "measure": ""} | keys)))
    done = larmor("check", study)
    assert done.returncode == 0, done.stderr
    amounts = re.search(r"^time +about (.*)$", done.stdout, re.M)[1]
    return sum(float(amount) * {"s": 1, "min": 60, "h": 3600}[unit] for amount, unit in re.findall(r"([\d.]+) (s|min|h)", amounts))


def test_forecasts_count_what_is_measured(tmp_path):
    # A measurement of correlations takes many times as long as an update of spins stored as bits.
    assert seconds_of(tmp_path, measure='measure = ["axis-correlations"]') > 5 * seconds_of(tmp_path)


@pytest.mark.parametrize("offsets, text", [
    (0, "terms     field;"),
    (3, "terms     exchange_1, exchange_2, exchange_3, field;"),
    (40, "terms     exchange (40), field;"),
], ids=["one", "named", "counted"])
def test_check_counts_many_terms(tmp_path, offsets, text):
    study = tmp_path / "study.toml"
    terms = "".join(f"[[exchange]]\natoms = [0, 0]\noffset = [[{n + 1}, 0, 0]]\nJ = {1 / (n + 1)}\n" for n in range(offsets))
    study.write_text(CHAIN.replace("8", "200") + terms + "[field]\nB = [0, 0, 1]\n" + STAGE)
    done = larmor("check", study)
    assert done.returncode == 0, done.stderr
    assert text in done.stdout, done.stdout


def test_forecasts_try_some_of_many_stages(tmp_path):
    study = tmp_path / "study.toml"
    stage = "[[stage]]\nkind = \"dynamics\"\ndamping = 0.1\ntimestep = 0.01\nsteps = 100000\n"
    several = (9, 100)
    study.write_text("[lattice]\ntype = \"sc\"\nsize = [20, 20, 20]\n" + EXCHANGE + "".join(
        f"{stage}measure = [{{ what = \"{what}\", every = 10 }}]\ntemperature = {n + 1}.0\n"
        for what, count in zip(("energy", "autocorrelation"), several) for n in range(count)))
    done = larmor("check", study)
    assert done.returncode == 0, done.stderr
    times = re.findall(r"^stage \d+ .*; about (.*)$", done.stdout, re.M)
    assert len(times) == sum(several)
    # A stage that is not tried takes as long as the one before it.
    first, second = times[:several[0]], times[several[0]:]
    assert all(second[n] == second[n - n % 13] for n in range(100))
    assert all(first[n] == first[n - n % 2] for n in range(9))


def test_forecasts_try_several_temperatures(tmp_path):
    # Clusters of a magnet at a high temperature are small.
    wolff = {"sampler": "wolff", "measure": "measure_every = 1000"}
    cold, hot = (seconds_of(tmp_path, temperature=T, **wolff) for T in ("1.0", "50.0"))
    both = seconds_of(tmp_path, temperature="[50.0, 1.0]", **wolff)
    assert cold > 5 * hot and both > 0.3 * cold
