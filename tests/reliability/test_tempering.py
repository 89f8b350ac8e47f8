"""Parallel tempering in the whole program: checkpoints, threads, ranks, results, reweighting, and the
refusal of invalid ladders."""
# Rooms: tempering, study

import h5py
import numpy as np
import pytest

from program import assert_threads_change_no_bit, larmor, run_study
from ranks import assert_ranks_change_no_bit, needs_ranks
from running import assert_killed_runs_go_on

ISING = """
[model]
kind = "ising"
[lattice]
type = "square"
size = [6, 6]
[[exchange]]
shell = 1
J = 1.0
"""
SPINS = """
[lattice]
type = "square"
size = [6, 6]
[[exchange]]
shell = 1
J = 1.0
[[anisotropy]]
K = 0.3
"""
PHI4 = """
[model]
kind = "phi4"
[lattice]
size = [4, 4]
[phi4]
components = 2
kappa = [0.2, 0.25, 0.3, 0.34, 0.38, 0.42]
lambda = 0.5
"""
FIELDS = 'temperature = 2.5\nfield = { from = -0.2, to = 0.4, points = 6, spacing = "flow" }'
LADDER = 'temperature = { from = 1.0, to = 4.0, points = 6, spacing = "flow" }'

MATTERS = {
    "ising": (ISING, LADDER + '\nsampler = "glauber"\nmeasure = ["correlation-length"]'),
    "swendsen-wang": (ISING, LADDER + '\nsampler = "swendsen-wang"'),
    "bits": (ISING.replace("[6, 6]", "[64, 4]"), LADDER),
    "spins": (SPINS, LADDER.replace("1.0", "0.3") + '\nmeasure = ["energy-terms", "sublattices"]'),
    "phi4": (PHI4, ""),
    "fields-of-spins": (SPINS, 'temperature = 0.6\nfield = { from = 0.0, to = 1.0, points = 6, spacing = "flow" }\n'
                        'direction = [1, 0, 2]\nmeasure = ["energy-terms", "sublattices"]'),
    "fields": (ISING, FIELDS + '\nmeasure = ["correlation-length"]'),
}
LADDERS = {"phi4": ("kappa", 0.2, 0.42), "spins": ("temperature", 0.3, 4.0), "fields": ("field", -0.2, 0.4),
           "fields-of-spins": ("field", 0.0, 1.0)}
by_matter = pytest.mark.parametrize("matter", MATTERS)


def text(matter, replicas=12, sweeps=3000, keys="", after=""):
    tables, stage = MATTERS[matter]
    return f"""
seed = 11
replicas = {replicas}
{tables}
[[stage]]
kind = "tempering"
{stage}
thermalisation = 1300
sweeps = {sweeps}
exchange_every = 3
measure_every = 4
keep_configurations = {replicas}
{keys}
{after}
"""


def stage_of(results):
    return results["stages/01-tempering"]


@by_matter
def test_killed_runs_go_on_with_the_same_bits(tmp_path, matter):
    study = tmp_path / "study.toml"
    study.write_text(text(matter, sweeps=60))
    assert_killed_runs_go_on(study)


@by_matter
def test_threads_change_no_bit(tmp_path, matter):
    study = tmp_path / "study.toml"
    study.write_text(text(matter))
    assert_threads_change_no_bit(study)


# Twelve replicas are two blocks of eight, and a border of blocks lies inside a ladder. If there are
# sixteen replicas on two rungs, each rank has whole ladders.
@needs_ranks
@pytest.mark.parametrize("matter, replicas", [("ising", 12), ("bits", 12), ("spins", 12), ("phi4", 18),
                                              ("spins", 48), ("fields", 12), ("fields-of-spins", 12)])
def test_ranks_change_no_bit(tmp_path, matter, replicas):
    study = tmp_path / "study.toml"
    study.write_text(text(matter, replicas=replicas, sweeps=1200))
    assert_ranks_change_no_bit(study)


@needs_ranks
@pytest.mark.parametrize("matter", ["spins", "fields-of-spins"])
def test_ranks_that_share_a_lattice_change_no_bit(tmp_path, matter):
    study = tmp_path / "study.toml"
    # A large lattice rarely exchanges replicas over so wide a range.
    narrow = text(matter, replicas=6, sweeps=400).replace("[6, 6]", "[12, 12]")
    narrow = narrow.replace("from = 0.3", "from = 2.0").replace("to = 1.0", "to = 0.2")
    study.write_text(narrow)
    assert_ranks_change_no_bit(study)


def ising_energies(configurations):
    spins = configurations.reshape(-1, 6, 6).astype(float)
    return -np.mean(spins * (np.roll(spins, 1, 1) + np.roll(spins, 1, 2)), axis=(1, 2))


def test_replicas_end_at_the_rungs_where_they_began(tmp_path):
    run, output = run_study(tmp_path, text("ising", sweeps=1200))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        stage = stage_of(results)
        assert list(stage["configuration_rung"]) == 2 * list(range(6))
        # The last sample belongs to the last state of the run.
        last = stage["series/energy/value"][-1]
        np.testing.assert_allclose(ising_energies(stage["configuration"][()]), last, atol=1e-12)


@pytest.mark.parametrize("sampler", ["glauber", "swendsen-wang", "metropolis"])
def test_the_stage_that_follows_has_the_field_of_the_study(tmp_path, sampler):
    after = f"""[[stage]]
kind = "monte-carlo"
temperature = 2.5
sweeps = 20
measure_every = 1
sampler = "{sampler}"
"""
    run, output = run_study(tmp_path, text("fields", after=after))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        last = stage_of(results)["series/energy/value"][-1]
        spins = stage_of(results)["configuration"][()]
        fields = np.tile(stage_of(results)["field"][()], 2)
        np.testing.assert_allclose(ising_energies(spins) - fields * spins.mean(axis=1), last, atol=1e-8)
        stage = results["stages/02-monte-carlo"]
        # If there is no field, energies are multiples of 4 J.
        energies = stage["series/energy/value"][()] * 36
        np.testing.assert_allclose(energies, 4 * np.round(energies / 4), atol=1e-9)


def test_the_stage_that_follows_finds_replicas_by_rung(tmp_path):
    after = """[[stage]]
kind = "monte-carlo"
temperature = 1e-3
thermalisation = 0
sweeps = 1
measure_every = 1
sampler = "swendsen-wang"
"""
    run, output = run_study(tmp_path, text("spins", sweeps=1200, after=after.replace("swendsen-wang",
                                                                                      "metropolis")))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        before = stage_of(results)["series/energy/value"][-1]
        then = results["stages/02-monte-carlo/series/energy/value"][-1]
        # One sweep at zero temperature lowers the energy and forgets little.
        assert np.all(then <= before + 1e-12)
        assert np.corrcoef(before, then)[0, 1] > 0.9


@by_matter
def test_results_have_every_rung(tmp_path, matter):
    run, output = run_study(tmp_path, text(matter))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        stage = stage_of(results)
        key, first, last = LADDERS.get(matter, ("temperature", 1.0, 4.0))
        ladder = stage[key][()]
        assert len(ladder) == 6 and np.all(np.diff(ladder) > 0)
        assert (ladder[0], ladder[-1]) == (first, last)
        assert [name for name in ("temperature", "field", "kappa") if name in stage] == [key]
        for average in stage["averages"].values():
            assert average["value"].shape == (6,)
            assert np.all(np.isfinite(average["value"]))
        series = stage["series/action/value" if matter == "phi4" else "series/energy/value"]
        assert series.shape == (750, 12)
        energy = stage["averages/action/value" if matter == "phi4" else "averages/energy/value"][()]
        by_rung = series[()].reshape(750, 2, 6).mean(axis=(0, 1))
        np.testing.assert_allclose(energy, by_rung, rtol=1e-12)
        ladder = stage["ladder"]
        assert ladder["acceptance"].shape == ladder["stuck"].shape == (5,)
        assert np.all((0 < ladder["acceptance"][()]) & (ladder["acceptance"][()] <= 1))
        assert ladder["flow"][0] == 1 and ladder["flow"][5] == 0
        assert ladder["round_trips"].shape == (2,)
        if matter != "phi4":
            assert ladder["tried"].shape[1] == 6 and len(ladder["tried"]) >= 4


def test_a_list_of_temperatures_stays_as_it_is(tmp_path):
    study = text("ising").replace(LADDER, "temperature = [4.0, 3.1, 2.5, 1.75]")
    run, output = run_study(tmp_path, study)
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        assert list(stage_of(results)["temperature"]) == [4.0, 3.1, 2.5, 1.75]
        assert "tried" not in stage_of(results)["ladder"]


def test_averages_do_not_need_series(tmp_path):
    averages = []
    for keys in "", "keep_series = false":
        folder = tmp_path / f"with{len(keys)}"
        folder.mkdir()
        run, output = run_study(folder, text("ising", sweeps=1200, keys=keys))
        assert run.returncode == 0, run.stderr
        with h5py.File(output) as results:
            stage = stage_of(results)
            assert ("series" in stage) == (keys == "")
            averages.append([stage[f"averages/{name}/{what}"][()] for name in stage["averages"]
                             for what in ("value", "error") if what in stage[f"averages/{name}"]])
    for a, b in zip(*averages, strict=True):
        np.testing.assert_array_equal(a, b)
    refused = larmor("reweight", output)
    assert refused.returncode == 2 and "keep_series" in refused.stderr


@pytest.mark.parametrize("matter", ["ising", "phi4"])
def test_reweighting_makes_curves_over_the_rungs(tmp_path, matter):
    keys = 'measure = ["moments"]' if matter == "phi4" else ""
    run, output = run_study(tmp_path, text(matter, sweeps=8000, keys=keys))
    assert run.returncode == 0, run.stderr
    run = larmor("reweight", output, "-o", tmp_path / "curves.h5")
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results, h5py.File(tmp_path / "curves.h5") as curves:
        stage = stage_of(results)
        name, energy = ("kappa", None) if matter == "phi4" else ("temperature", "energy")
        (system,) = curves["reweighted/systems"].values()
        at = system[name][()]
        np.testing.assert_allclose((at[0], at[-1]), (stage[name][0], stage[name][-1]))
        if energy:
            own = np.interp(stage[name][()], at, system["curves"][energy]["value"][()])
            error = stage["averages/energy/error"][()]
            assert np.all(np.abs(own - stage["averages/energy/value"][()]) < 6 * error + 0.01)


REFUSED = {
    "unsorted": ("temperature = [1.0, 3.0, 2.0, 4.0]", "not in order", "temperature ="),
    "negative": ("temperature = [-1.0, 3.0]", "-1", "temperature ="),
    "twice": ("temperature = [1.0, 1.0, 2.0]", "twice", "temperature ="),
    "one rung": ("temperature = [1.0]", "one value", "temperature ="),
    "one temperature": ("temperature = 1.0", "one value", "temperature ="),
    "no range": ("temperature = { from = 2.0, to = 2.0 }", "twice", "temperature ="),
    "not a number": ("temperature = [1.0, nan]", "nan", "temperature ="),
    "one point": ("temperature = { from = 1.0, to = 2.0, points = 1 }", "1 rungs", "temperature ="),
    "points in words": ('temperature = { from = 1.0, to = 2.0, points = "all" }', "all", "temperature ="),
    "unknown spacing": ('temperature = { from = 1.0, to = 2.0, spacing = "even" }', "even", "temperature ="),
    "rungs that replicas are no multiple of": (
        "temperature = { from = 1.0, to = 2.0, points = 5 }", "replicas = 12", "temperature ="),
    "copies that replicas are no multiple of": (
        "temperature = { from = 1.0, to = 2.0, points = 4 }\ncopies = 2", "2 copies", "copies ="),
    "more copies than replicas": ("temperature = { from = 1.0, to = 2.0 }\ncopies = 7", "two rungs", "temperature ="),
    "too short to tune": (LADDER + "\nthermalisation = 1000", "too few", "thermalisation ="),
    "measured by clusters": (
        LADDER + '\nsampler = "wolff"\nmeasure = ["cluster-sizes"]', "cluster-sizes", "measure ="),
    "two ladders": ("temperature = [1.0, 2.0]\nfield = [0, 0.1]", "both ladders", "temperature ="),
    "fields at no temperature": ("field = [0, 0.1]", "temperature", "[[stage]]"),
    "fields at a negative temperature": ("temperature = -1\nfield = [0, 0.1]", "-1", "temperature ="),
    "one field": ("temperature = 2.0\nfield = 0.1", "one value", "field ="),
    "unsorted fields": ("temperature = 2.0\nfield = [0, 0.2, 0.1]", "not in order", "field ="),
    "a field twice": ("temperature = 2.0\nfield = [0, 0.1, 0.1]", "twice", "field ="),
    "a field that is no number": ("temperature = 2.0\nfield = [0, nan]", "nan", "field ="),
    "fields by factors": (
        'temperature = 2.0\nfield = { from = 0, to = 1, spacing = "geometric" }', "geometric", "field ="),
    "fields that replicas are no multiple of": ("temperature = 2.0\nfield = [0, 1, 2, 3, 4]", "replicas = 12", "field ="),
    "fields of clusters": ('temperature = 2.0\nfield = [0, 0.1]\nsampler = "wolff"', "only without a field", "field ="),
    "fields of bits": ('temperature = 2.0\nfield = [0, 0.1]\nengine = "bits"', "differ in a field", "engine ="),
    "fields too short to tune": (FIELDS + "\nthermalisation = 1000", "too few", "thermalisation ="),
    "measured more seldom than sampled": (LADDER + "\nmeasure_every = 90000", "measures every", "measure_every ="),
}


REFUSED_OF_SPINS = {
    "clusters": ('field = [0, 0.1]\nsampler = "wolff"', "only without a field", "field ="),
    "a direction without fields": ("direction = [0, 0, 1]", "ladder of fields", "direction ="),
    "no direction": ("field = [0, 0.1]\ndirection = [0, 0, 0]", "zero", "direction ="),
    "temperature of the spins": ('field = [0, 0.1]\nmeasure = ["spin-temperature"]', "differ in a field", "measure ="),
}


@pytest.mark.parametrize("case", REFUSED_OF_SPINS)
def test_what_makes_no_ladder_of_fields_of_spins_is_refused(tmp_path, case):
    keys, words, line = REFUSED_OF_SPINS[case]
    temperature = "temperature = 2.0" if "field =" in keys else "temperature = [1.0, 2.0]"
    study = f'replicas = 12\n{SPINS}[[stage]]\nkind = "tempering"\nsweeps = 100\n{temperature}\n{keys}\n'
    run, output = run_study(tmp_path, study)
    assert run.returncode == 2, run.stdout + run.stderr
    assert words in run.stderr and run.stderr.count("error") == 1
    place = int(run.stderr.split("study.toml:")[1].split(":")[0])
    assert study.splitlines()[place - 1].startswith(line)
    assert not output.exists()


@pytest.mark.parametrize("case", REFUSED)
def test_what_makes_no_ladder_is_refused(tmp_path, case):
    keys, words, line = REFUSED[case]
    study = f'replicas = 12\n{ISING}[[stage]]\nkind = "tempering"\nsweeps = 100\n{keys}\n'
    run, output = run_study(tmp_path, study)
    assert run.returncode == 2, run.stdout + run.stderr
    assert words in run.stderr and "study.toml:" in run.stderr
    assert run.stderr.count("error") == 1
    place = int(run.stderr.split("study.toml:")[1].split(":")[0])
    assert study.splitlines()[place - 1].startswith(line)
    assert not output.exists()


def test_kappa_that_makes_no_ladder_is_refused(tmp_path):
    for kappa, words in (("[0.3, 0.2, 0.25]", "not in order"), ("[0.3]", "one value")):
        study = PHI4.replace("[0.2, 0.25, 0.3, 0.34, 0.38, 0.42]", kappa)
        run, _ = run_study(tmp_path, f'replicas = 3\n{study}[[stage]]\nkind = "tempering"\n')
        assert run.returncode == 2 and words in run.stderr and "kappa =" in run.stderr


def test_a_ladder_that_cannot_be_tuned_is_refused(tmp_path):
    # The rungs are few and the system is large, so no exchange is accepted, however many are
    # proposed.
    study = text("ising", replicas=3, sweeps=10).replace("[6, 6]", "[40, 40]")
    study = study.replace("thermalisation = 1300", "thermalisation = 20000")
    run, _ = run_study(tmp_path, study.replace("points = 6", "points = 3"))
    assert run.returncode == 2, run.stdout
    assert "temperature" in run.stderr and "study.toml:" in run.stderr


DISORDER = "J = 0.0\ndisorder = 1.0\ndisorder_by_replica = true"


def test_replicas_of_disorder_of_their_own_are_refused(tmp_path):
    run, _ = run_study(tmp_path, text("ising").replace("J = 1.0", DISORDER))
    assert run.returncode == 2 and "disorder" in run.stderr and "samples" in run.stderr
    assert "study.toml:" in run.stderr


@pytest.mark.parametrize("matter", ["ising", "spins"])
def test_rungs_and_copies_of_a_sample_share_its_disorder(tmp_path, matter):
    keys = text(matter, replicas=24, sweeps=2000).replace("J = 1.0", DISORDER)
    run, output = run_study(tmp_path, keys.replace("replicas = 24", "replicas = 24\nsamples = 2", 1))
    assert run.returncode == 0, run.stderr
    with h5py.File(output) as results:
        stage = stage_of(results)
        # Two copies of a sample have equal ground states. Two samples have different ground states.
        coldest = stage["series/energy/value"][()].reshape(-1, 4, 6)[:, :, 0].min(axis=0)
        spread = np.ptp(stage["series/energy/value"][()].reshape(-1, 4, 6)[:, :, 0].mean(axis=0)[:2])
        between = abs(coldest[0] - coldest[2])
        assert abs(coldest[0] - coldest[1]) < 0.3 * between and spread < 0.5 * between
        assert np.all(np.isfinite(stage["averages/energy/error"][()]))
        assert np.all(stage["averages/energy/reliable"][()] == 0)


@pytest.mark.parametrize("samples, words",
                         [(5, "not a multiple"), (8, "fewer than two rungs"), (4, "no whole ladders")])
def test_samples_that_make_no_ladders_are_refused(tmp_path, samples, words):
    keys = text("ising").replace("J = 1.0", DISORDER).replace("points = 6", "points = 4" if samples == 4 else
                                                              "points = \"auto\"")
    run, _ = run_study(tmp_path, keys.replace("replicas = 12", f"replicas = 12\nsamples = {samples}"
                                              if samples != 8 else "replicas = 8\nsamples = 8", 1))
    assert run.returncode == 2 and words in run.stderr and "study.toml:" in run.stderr


DISORDERED = """
seed = 2
{head}
[model]
kind = "ising"
[lattice]
grid = [4, 4]
[[exchange]]
shell = 1
J = 0.0
disorder = 1.0
disorder_by_replica = true
"""
LADDER_STAGE = """[[stage]]
kind = "tempering"
temperature = {temperature}
{copies}
sweeps = 20
thermalisation = 0
"""


@pytest.mark.parametrize("head, stages, replicas", [
    ("samples = 20", [("{ from = 0.5, to = 2.0, points = 12 }", "copies = 2")], 480),
    ("samples = 3", [("[0.5, 1.0, 2.0]", "")], 9),
    ("samples = 2", [("[0.5, 1.0, 2.0]", "copies = 2"), ("{ from = 0.5, to = 2.0, points = 6 }", "")], 12),
    ("samples = 2\nreplicas = 12", [("[0.5, 1.0, 2.0]", "")], 12),
], ids=["range", "list", "two_stages", "given"])
def test_samples_and_rungs_say_how_many_replicas_there_are(tmp_path, head, stages, replicas):
    ladders = "".join(LADDER_STAGE.format(temperature=temperature, copies=copies) for temperature, copies in stages)
    done, output = run_study(tmp_path, DISORDERED.format(head=head) + ladders)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        assert file["stages/01-tempering/series/energy/value"].shape[1] == replicas
        assert f"replicas = {replicas}" in file["study/completed"][()].decode()


def test_samples_without_ladders_have_a_replica_each(tmp_path):
    stage = '[[stage]]\nkind = "monte-carlo"\ntemperature = 1.0\nsweeps = 10\n'
    done, output = run_study(tmp_path, DISORDERED.format(head="samples = 5") + stage)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        assert file["stages/01-monte-carlo/series/energy/value"].shape[1] == 5


def test_stages_that_need_other_replicas_are_told(tmp_path):
    ladders = "".join(LADDER_STAGE.format(temperature=temperature, copies="") for temperature in ("[0.5, 1.0]", "[0.5, 1.0, 2.0]"))
    done, output = run_study(tmp_path, DISORDERED.format(head="samples = 2") + ladders)
    assert done.returncode == 2 and "needs 2 replicas of each sample, and another stage needs 3" in done.stderr and not output.exists()


def test_samples_of_no_disorder_are_refused(tmp_path):
    run, _ = run_study(tmp_path, text("ising").replace("replicas = 12", "replicas = 12\nsamples = 2", 1))
    assert run.returncode == 2 and "no disorder differs" in run.stderr


def test_plan_explanation_and_show(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(text("spins"))
    plan = larmor("check", study)
    assert plan.returncode == 0 and "6 rungs from 0.3 to 4" in plan.stdout
    explained = larmor("explain", "tempering")
    assert explained.returncode == 0
    assert "exchange_every" in explained.stdout
    explained = larmor("explain", "tempering.temperature")
    assert explained.returncode == 0 and "constant-acceptance" in explained.stdout
    run = larmor("run", study, "-o", tmp_path / "out.h5")
    assert run.returncode == 0 and "round trip" in run.stderr
    shown = larmor("show", tmp_path / "out.h5")
    assert shown.returncode == 0 and "cone_angle" in shown.stdout


CLUSTERS = """
seed = 2
[model]
kind = "{kind}"
{tables}
[lattice]
{lattice}
size = [4, 4]
[[stage]]
kind = "monte-carlo"
{temperature}
sampler = "{sampler}"
sweeps = 20
thermalisation = 0
{more}
"""
FERROMAGNET = "[[exchange]]\nshell = 1\nJ = 1.0\n"
CLUSTERED = {"ising": (FERROMAGNET, "temperature = 2.0"), "spins": (FERROMAGNET, "temperature = 2.0"),
           "phi4": ("[phi4]\ncomponents = 1\nkappa = 0.1\nlambda = 1.0\n", "")}


@pytest.mark.parametrize("kind", CLUSTERED)
@pytest.mark.parametrize("sampler, more, samples", [("swendsen-wang", "", 20), ("wolff", "", 20), ("metropolis", "", 2),
                                                    ("swendsen-wang", "measure_every = 5", 4)])
def test_updates_of_clusters_are_measured_each_time(tmp_path, kind, sampler, more, samples):
    tables, temperature = CLUSTERED[kind]
    done, output = run_study(tmp_path, CLUSTERS.format(kind=kind, tables=tables, temperature=temperature, sampler=sampler, more=more,
                                                      lattice="" if kind == "phi4" else 'type = "square"'))
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        assert len(file["stages/01-monte-carlo/series/magnetisation/value"]) == samples
        assert f"measure_every = {20 // samples}" in file["study/completed"][()].decode()
