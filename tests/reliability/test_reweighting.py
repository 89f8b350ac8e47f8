"""larmor reweight, and larmor scaling with its output."""
# Rooms: study

import csv
import io
import json
import os
import subprocess
import sys

import h5py
import numpy as np
import pytest

from program import ROOT, larmor, run_study

sys.path.insert(0, str(ROOT / "python"))

import larmor as reader

ISING = """
seed = 5
replicas = 32
title = "Square Ising model"
[model]
kind = "ising"
[lattice]
type = "square"
size = [8, 8]
[[exchange]]
shell = 1
J = 1.0
[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
temperature = {temperature}
thermalisation = 500
sweeps = {sweeps}
measure_every = 4
"""
SIZES = '[[scan]]\nkey = "lattice.size"\nvalues = [[6, 6], [8, 8], [12, 12]]\n'
T_C = 2 / np.log(1 + np.sqrt(2))

HEISENBERG = """
seed = 3
replicas = 16
units = "material"
[lattice]
type = "sc"
size = [4, 4, 4]
constant = "3 angstrom"
moment = "2.2 muB"
[[exchange]]
shell = 1
J = "10 meV"
[[stage]]
kind = "monte-carlo"
sampler = "heat-bath"
temperature = "180 K"
thermalisation = 300
sweeps = 2000
measure_every = 5
measure = ["energy", "magnetisation", "energy-terms"]
"""


def scaling(*arguments):
    """Runs larmor scaling to its end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    return subprocess.run([sys.executable, "-m", "larmor", "scaling", *map(str, arguments)], capture_output=True,
                          text=True, env=environment)


def curve(path, name, system="01"):
    """Temperatures, values and errors."""
    with h5py.File(path) as file:
        group = file[f"reweighted/systems/{system}"]
        return group["temperature"][()], group[f"curves/{name}/value"][()], group[f"curves/{name}/error"][()]


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    """Three sizes of the square Ising model, and their curves."""
    folder = tmp_path_factory.mktemp("sizes")
    text = ISING.format(temperature="[2.4, 2.3, 2.2]", sweeps=6000) + SIZES
    done, output = run_study(folder, text)
    assert done.returncode == 0, done.stderr
    done = larmor("reweight", output, cwd=folder)
    assert done.returncode == 0, done.stderr
    return output, folder / "out-reweighted.h5", done.stdout


def test_curves_agree_with_the_averages_of_the_run(sizes):
    results, reweighted, _ = sizes
    with h5py.File(results) as file:
        temperature = file["scan/stages/01-monte-carlo/temperature"][0]
        summary = {name: (group["value"][()], group["error"][()])
                   for name, group in file["scan/summary/01-monte-carlo"].items()}
    off = []
    for size in range(3):
        for name in ("energy", "specific_heat", "magnetisation", "susceptibility", "binder_cumulant"):
            T, value, error = curve(reweighted, name, f"{size + 1:02}")
            for at, t in enumerate(temperature):
                plain, plain_error = (array[size, at] for array in summary[name])
                # Samples of other temperatures add information. Errors become smaller, and hardly
                # ever larger.
                off.append((np.interp(t, T, value) - plain) / plain_error)
                assert np.interp(t, T, error) < 1.2 * plain_error, (name, size, t)
    # Both results use common samples, so that they differ by less than their errors.
    assert np.sqrt(np.mean(np.square(off))) < 1 and np.max(np.abs(off)) < 3


def test_averages_of_the_run_stand_beside_the_curves(sizes):
    results, reweighted, _ = sizes
    with h5py.File(results) as file, reader.open(reweighted) as curves:
        for n, system in enumerate(curves.reweighted.systems):
            assert "averages" not in system.states
            assert set(system.raw) == {"energy", "specific_heat", "magnetisation", "susceptibility", "binder_cumulant"}
            for name, (value, error) in system.raw.items():
                summary = file[f"scan/summary/01-monte-carlo/{name}"]
                rising = np.argsort(file["scan/stages/01-monte-carlo/temperature"][n])
                assert np.array_equal(value, summary["value"][n][rising]), name
                assert np.array_equal(error, summary["error"][n][rising]), name


def test_sizes_cross_at_the_critical_temperature(sizes, tmp_path):
    done = scaling(sizes[1], "--omega", "none", "--json", tmp_path / "found.json", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["lengths"] == [6, 8, 12]
    critical = found["T_c"]
    # The crossings of such small sizes have corrections to scaling.
    assert abs(critical["value"] - T_C) < 4 * critical["error"] + 0.01 and critical["error"] < 0.01
    exponents = found["exponents"]
    assert abs(exponents["nu"]["value"] - 1) < 4 * exponents["nu"]["error"] + 0.06
    assert abs(exponents["eta"]["value"] - 0.25) < 4 * exponents["eta"]["error"] + 0.04
    assert (tmp_path / "out-reweighted-collapse.png").stat().st_size > 10000


def test_the_table_is_short_and_show_has_all_of_it(sizes):
    _, reweighted, printed = sizes
    assert printed.count("temperature(s) from 2.2 to 2.4") == 3 and "11 of 101 temperatures" in printed
    assert "lattice.size = [6, 6, 1]" in printed or "lattice.size = [6, 6]" in printed
    shown = larmor("show", reweighted)
    assert shown.returncode == 0 and "binder_cumulant" in shown.stdout
    assert larmor("show", reweighted, "--all").stdout.count("\n") > 303
    rows = list(csv.DictReader(io.StringIO(larmor("show", reweighted, "--csv").stdout)))
    assert len(rows) == 303
    T, value, error = curve(reweighted, "binder_cumulant")
    assert [float(row["binder_cumulant"]) for row in rows[:101]] == value.tolist()
    tables = json.loads(larmor("show", reweighted, "--json").stdout)["tables"]
    assert tables[0]["labels"][0]["values"] == T.tolist()


def test_no_bit_depends_on_threads(sizes, tmp_path):
    results, reweighted, _ = sizes
    again = tmp_path / "again.h5"
    assert larmor("reweight", results, "-o", again, "--threads", 1).returncode == 0
    with h5py.File(again) as one, h5py.File(reweighted) as other:
        for size in ("01", "02", "03"):
            for name, group in one[f"reweighted/systems/{size}/curves"].items():
                np.testing.assert_array_equal(group["draws"], other[f"reweighted/systems/{size}/curves/{name}/draws"])


def test_files_of_one_temperature_each_are_put_together(tmp_path):
    files = []
    for number, T in enumerate((2.2, 2.35)):
        text = ISING.format(temperature=T, sweeps=1000).replace("seed = 5", f"seed = {number}")
        folder = tmp_path / str(number)
        folder.mkdir()
        done, output = run_study(folder, text)
        assert done.returncode == 0, done.stderr
        files.append(output)
    output = tmp_path / "both.h5"
    done = larmor("reweight", *files, "--temperatures", "2.2:2.35:4", "-o", output)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        (system,) = file["reweighted/systems"].values()
        np.testing.assert_allclose(system["temperature"], [2.2, 2.25, 2.3, 2.35])
        np.testing.assert_array_equal(system["states/temperature"], [2.2, 2.35])
        assert file["reweighted/files"][()].tolist() == [str(path).encode() for path in files]
        assert file.attrs["completed"] == 1 and file["provenance"].attrs["seed"] == 1


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    """A small Heisenberg magnet at one temperature, in material units."""
    folder = tmp_path_factory.mktemp("vectors")
    done, output = run_study(folder, HEISENBERG)
    assert done.returncode == 0, done.stderr
    return output


def test_vector_spins_in_material_units_are_those_of_the_run(vectors, tmp_path):
    output = tmp_path / "curves.h5"
    done = larmor("reweight", vectors, "-o", output, "--temperatures", 180, "--observables", "energy_exchange")
    assert done.returncode == 0, done.stderr
    with h5py.File(vectors) as file, h5py.File(output) as reweighted:
        averages = file["stages/01-monte-carlo/averages"]
        curves = reweighted["reweighted/systems/01/curves"]
        for name in ("energy", "magnetisation", "specific_heat", "susceptibility", "binder_cumulant",
                     "energy_exchange"):
            value, error = averages[name]["value"][0], averages[name]["error"][0]
            # The fluctuations of the run have a correction for bias, of a thousandth.
            assert curves[name]["value"][0] == pytest.approx(value, abs=0.1 * error, rel=1e-9), name
            assert curves[name]["error"][0] == pytest.approx(error, rel=0.35), name
            assert curves[name]["value"].attrs.get("unit", "") == averages[name]["value"].attrs.get("unit", ""), name
        moments = np.linalg.norm(file["stages/01-monte-carlo/series/magnetisation/value"][()], axis=-1)
        assert curves["magnetisation_squared"]["value"][0] == pytest.approx(np.mean(moments**2), rel=1e-12)
        assert curves["magnetisation_squared"]["value"].attrs["unit"] == "μB^2"
        assert reweighted["reweighted/systems/01/temperature"].attrs["unit"] == "K"


def test_what_runs_derive_of_another_order_parameter_is_left_out(tmp_path):
    done, output = run_study(tmp_path, HEISENBERG.replace('"energy-terms"', '"sublattices"'))
    assert done.returncode == 0, done.stderr
    curves = tmp_path / "curves.h5"
    done = larmor("reweight", output, "-o", curves, "--temperatures", 180, "--order", "magnetisation_atom_0")
    assert done.returncode == 0, done.stderr
    with reader.open(curves) as results:
        raw = results.reweighted.systems[0].raw
        assert {"energy", "specific_heat", "magnetisation_atom_0"} <= set(raw)
        assert not {"susceptibility", "binder_cumulant"} & set(raw)


def refused(*arguments, cwd=None):
    """The message of the program, which must end with 2 and write nothing."""
    done = larmor("reweight", *arguments, cwd=cwd)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    return done.stderr


@pytest.mark.parametrize("arguments, message", [
    (["--temperatures", "170:190"], "lowest:highest:number"),
    (["--temperatures", "190:170:5"], "lowest:highest:number"),
    (["--temperatures", "170:190:1"], "lowest:highest:number"),
    (["--temperatures", "170:190:2.5"], "lowest:highest:number"),
    (["--temperatures", "170:190:5000"], "from 2 to 1000"),
    (["--temperatures", "-5"], "lowest:highest:number"),
    (["--temperatures", "hot"], "lowest:highest:number"),
    (["--temperatures", "400"], "do not reach 400"),
    (["--observables", "enrgy_exchange"], "did you mean 'energy_exchange'?"),
    (["--observables", "topological_charge"], "`measure`"),
    (["--order", "polarisation"], "no series 'polarisation'"),
    (["--stage", "2"], "no stage 2"),
    (["--draws", "5"], "from 20"),
    (["--frobnicate"], "frobnicate"),
], ids=lambda value: None if isinstance(value, str) else " ".join(value))
def test_wrong_options_are_refused(vectors, tmp_path, arguments, message):
    assert message in refused(vectors, "-o", tmp_path / "no.h5", *arguments)
    assert not list(tmp_path.iterdir())


def test_files_are_not_overwritten(vectors, tmp_path):
    there = tmp_path / "there.h5"
    there.write_text("mine")
    assert "--force" in refused(vectors, "-o", there)
    assert there.read_text() == "mine"
    there.unlink()
    for _ in range(2):
        assert larmor("reweight", vectors, "-o", there, "--force").returncode == 0
    before = vectors.read_bytes()
    assert "results files themselves" in refused(vectors, "-o", vectors, "--force")
    assert vectors.read_bytes() == before


def test_wrong_files_are_refused(sizes, vectors, tmp_path):
    results, reweighted, _ = sizes
    assert "there is no results file" in refused(tmp_path / "none.h5")
    assert "so they hold equal samples" in refused(vectors, vectors, "-o", tmp_path / "no.h5")
    assert "model.kind" in refused(results, vectors, "-o", tmp_path / "no.h5")
    assert "holds reweighted curves" in refused(reweighted, "-o", tmp_path / "no.h5")
    text = tmp_path / "text.h5"
    text.write_text("no results")
    assert "not an HDF5 file" in refused(text)
    assert not list(tmp_path.glob("no.h5"))


@pytest.mark.parametrize("change, message", [
    (('kind = "monte-carlo"', 'kind = "anneal"'), "kind \"anneal\" never store it"),
    (("[2.3]", "[0.5, 9.0]"), "the energies sampled at the temperatures 0.5 and 9 of"),
    (("J = 1.0", "J = 1.0\ndisorder = 0.3\ndisorder_by_replica = true"), "exchange.1.disorder_by_replica"),
], ids=["anneal", "no_overlap", "disorder_by_replica"])
def test_runs_that_cannot_be_reweighted_are_refused(tmp_path, change, message):
    text = ISING.format(temperature="[2.3]", sweeps=200).replace(*change)
    if "anneal" in change[1]:
        text = text.replace("[2.3]", "{ from = 2.3, to = 2.2, points = 2 }").replace("thermalisation = 500\n", "")
        text = text.replace("measure_every = 4\n", "")
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert message in refused(output)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.h5", "study.toml"]


def test_correlation_lengths_over_the_edge_cross(tmp_path):
    text = ISING.format(temperature="[2.32, 2.24]", sweeps=2000).replace("heat-bath", "swendsen-wang")
    text = text.replace("measure_every = 4", 'measure_every = 4\nmeasure = ["correlation-length"]')
    done, output = run_study(tmp_path, text + SIZES)
    assert done.returncode == 0, done.stderr
    curves = tmp_path / "curves.h5"
    done = larmor("reweight", output, "-o", curves)
    assert done.returncode == 0, done.stderr
    with h5py.File(output) as file:
        averages = file["scan/summary/01-monte-carlo"]
        lengths = np.mean([averages[f"correlation_length_{axis}/value"][()] for axis in "xy"], axis=0)
        error = averages["correlation_length_x/error"][()]
    for size, edge in enumerate((6, 8, 12)):
        T, value, _ = curve(curves, "correlation_length_over_edge", f"{size + 1:02}")
        for at, t in enumerate((2.32, 2.24)):
            assert abs(np.interp(t, T, value) * edge - lengths[size, at]) < 3 * error[size, at]
    done = scaling(curves, "--omega", "none", "--of", "correlation_length_over_edge", "--json",
                   tmp_path / "found.json")
    assert done.returncode == 0, done.stderr
    critical = json.loads((tmp_path / "found.json").read_text())["T_c"]
    # The corrections of this observable differ from those of the Binder cumulant.
    assert abs(critical["value"] - T_C) < 4 * critical["error"] + 0.01 and critical["error"] < 0.01
    # The value of the infinite torus is 0.9050488: J. Salas and A. D. Sokal, J. Stat. Phys. 98, 551
    # (2000).
    T, value, error = curve(curves, "correlation_length_over_edge", "03")
    assert abs(np.interp(T_C, T, value) - 0.905) < 4 * np.interp(T_C, T, error) + 0.02


def test_commands_for_runs_refuse_curves(sizes, tmp_path):
    reweighted = sizes[1]
    done = larmor("export", reweighted, "-o", tmp_path / "spins.extxyz")
    assert done.returncode == 2 and "holds reweighted curves and no spins" in done.stderr
    done = larmor("resume", reweighted)
    assert done.returncode == 2 and "nothing to resume" in done.stderr


FIELDS = """
seed = {seed}
replicas = {replicas}
[model]
kind = "phi4"
[lattice]
size = {size}
[phi4]
components = {components}
kappa = {kappa}
lambda = {coupling}
[[stage]]
kind = "monte-carlo"
sampler = "{sampler}"
thermalisation = 200
sweeps = {sweeps}
measure_every = {every}
"""


def fields(kappa, size=(4, 4), components=1, coupling='"infinity"', sampler="swendsen-wang", replicas=12,
           sweeps=3000, every=1, seed=5):
    return FIELDS.format(kappa=kappa, size=list(size), components=components, coupling=coupling, sampler=sampler,
                         replicas=replicas, sweeps=sweeps, every=every, seed=seed)


def kappa_curve(path, name, system="01"):
    """Values of kappa, values and errors."""
    with h5py.File(path) as file:
        group = file[f"reweighted/systems/{system}"]
        return group["kappa"][()], group[f"curves/{name}/value"][()], group[f"curves/{name}/error"][()]


def enumerated(kappa):
    """Averages over all states of spins on the periodic 4 x 4 lattice, by the names of curves."""
    spins = 1 - 2 * ((np.arange(1 << 16)[:, None] >> np.arange(16)) & 1).astype(np.int8).reshape(-1, 4, 4)
    links = np.sum(spins * (np.roll(spins, 1, 1) + np.roll(spins, 1, 2)), axis=(1, 2), dtype=float)
    m = np.abs(np.mean(spins, axis=(1, 2), dtype=float))
    weight = np.exp(2 * kappa * (links - 32))
    weight /= weight.sum()

    def mean(x):
        return np.sum(weight * x)

    def slope(x):
        return 2 * (mean(x * links) - mean(x) * mean(links))

    m2, m4 = mean(m**2), mean(m**4)
    return {"bond": mean(links) / 32, "bond_slope": slope(links) / 32, "magnetisation": mean(m),
            "magnetisation_squared": m2, "magnetisation_fourth": m4,
            "susceptibility": 16 * (m2 - mean(m)**2), "binder_cumulant": 1 - m4 / (3 * m2**2),
            "binder_cumulant_slope": (2 * m4 / m2 * slope(m**2) - slope(m**4)) / (3 * m2**2),
            "magnetisation_log_slope": slope(m**2) / m2, "action": 1 - 2 * kappa * mean(links) / 16}


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    """Spins on the periodic 4 x 4 lattice on a ladder of kappa."""
    folder = tmp_path_factory.mktemp("ladder")
    done, output = run_study(folder, fields("[0.14, 0.2, 0.26]"))
    assert done.returncode == 0, done.stderr
    return output


def test_curves_over_kappa_are_those_of_all_states(ladder, tmp_path):
    """Curves are also exact between the sampled values."""
    curves = tmp_path / "curves.h5"
    done = larmor("reweight", ladder, "--kappa", "0.12:0.28:5", "--observables", "action", "-o", curves)
    assert done.returncode == 0, done.stderr
    assert "3 value(s) of kappa from 0.14 to 0.26" in done.stdout
    off = []
    for n, kappa in enumerate((0.12, 0.16, 0.20, 0.24, 0.28)):
        for name, truth in enumerated(kappa).items():
            at, value, error = kappa_curve(curves, name)
            assert at[n] == pytest.approx(kappa)
            assert error[n] < 0.03 * abs(truth), name
            off.append((value[n] - truth) / error[n])
    # Fifty numbers come from three sets of samples.
    assert np.max(np.abs(off)) < 3.5 and 0.4 < np.sqrt(np.mean(np.square(off))) < 1.6


def test_a_scan_of_kappa_is_one_system(tmp_path):
    text = fields("0.2", replicas=4) + '[[scan]]\nkey = "phi4.kappa"\nvalues = [0.14, 0.2, 0.26]\n'
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    assert larmor("reweight", output, "--kappa", "0.17", "-o", tmp_path / "curves.h5").returncode == 0
    with h5py.File(tmp_path / "curves.h5") as file:
        (system,) = file["reweighted/systems"].values()
        np.testing.assert_array_equal(system["states/kappa"], [0.14, 0.2, 0.26])
        assert not any(b"phi4.kappa" in line for line in system["model"][()])
        truth = enumerated(0.17)
        for name, group in system["curves"].items():
            assert abs(group["value"][0] - truth[name]) < 4 * group["error"][0], name


def test_a_ladder_goes_with_a_run_of_one_kappa(ladder, tmp_path):
    done, output = run_study(tmp_path, fields("0.3", replicas=3, seed=6))
    assert done.returncode == 0, done.stderr
    curves = tmp_path / "both.h5"
    assert larmor("reweight", ladder, output, "--kappa", 0.29, "-o", curves).returncode == 0
    with h5py.File(curves) as file:
        np.testing.assert_array_equal(file["reweighted/systems/01/states/kappa"], [0.14, 0.2, 0.26, 0.3])
    _, (value,), (error,) = kappa_curve(curves, "bond")
    assert abs(value - enumerated(0.29)["bond"]) < 4 * error
    assert "both have the seed 5 and the kappa 0.14" in refused(ladder, ladder, "-o", tmp_path / "no.h5")


def test_the_action_is_that_of_the_kappa_asked_for(tmp_path):
    """A Gaussian field has N / 2 per site at any kappa. Since kappa multiplies only the bonds,
    averages of the bonds are sums over modes."""
    done, output = run_study(tmp_path, fields("[0.1, 0.14]", size=(3, 4), components=2, coupling=0.0,
                                              sampler="heat-bath", sweeps=4000))
    assert done.returncode == 0, done.stderr
    curves = tmp_path / "curves.h5"
    done = larmor("reweight", output, "--kappa", "0.08:0.16:3", "--observables", "action,phi2", "-o", curves)
    assert done.returncode == 0, done.stderr
    cosines = np.add.outer(np.cos(2 * np.pi * np.arange(3) / 3), np.cos(2 * np.pi * np.arange(4) / 4))
    kappa, action, action_error = kappa_curve(curves, "action")
    for n in range(3):
        mode = 1 / (2 * (1 - 2 * kappa[n] * cosines))
        assert abs(action[n] - 1) < 4 * action_error[n] < 0.02
        for name, truth in (("phi2", 2 * np.mean(mode)), ("bond", np.mean(cosines * mode)),
                            ("magnetisation_squared", 2 * mode[0, 0] / 12)):
            _, value, error = kappa_curve(curves, name)
            assert abs(value[n] - truth) < 4 * error[n], name
            assert error[n] < 0.02 * truth, name


def curves_of_cubes(folder, sweeps):
    """Curves of spins on four cubes near their critical kappa."""
    text = fields("[0.107, 0.1108, 0.1146]", size=(4, 4, 4), sweeps=sweeps, every=2)
    done, output = run_study(folder, text + '[[scan]]\nkey = "lattice.size"\n'
                             "values = [[4, 4, 4], [6, 6, 6], [8, 8, 8], [10, 10, 10]]\n")
    assert done.returncode == 0, done.stderr
    done = larmor("reweight", output, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "out-reweighted.h5"


def test_python_reads_curves_over_kappa(tmp_path):
    with reader.open(curves_of_cubes(tmp_path, 300)) as results:
        reweighted = results.reweighted
        assert (reweighted.parameter, reweighted.conjugate, reweighted.response) == ("kappa", "bond", "bond_slope")
        system = reweighted.systems[3]
        assert system.length == 10 and system.dimensions == 3
        np.testing.assert_array_equal(system.parameter, system.kappa)
        with pytest.raises(reader.NotInResults, match="kappa"):
            system.temperature


def test_what_kappa_does_not_serve_is_refused(ladder, vectors, tmp_path):
    output = tmp_path / "no.h5"
    for words, message in ((("--temperatures", 2.2), "samples are at values of kappa"),
                           (("--kappa", "0.2:0.1:5"), "values of kappa and a number of points from 2 to 1000"),
                           (("--kappa=-3",), "do not reach -3"),
                           (("--kappa", "0.2", "--temperatures", "2"), "excludes"),
                           (("--observables", "improved_susceptibility"), "is a property of clusters"),
                           (("--observables", "largest_cluster"), "is a property of clusters"),
                           (("--order", "improved_magnetisation_squared"), "is a property of clusters"),
                           (("--order", "action"), "is not an order parameter"),
                           (("--observables", "phi3"), "no series 'phi3'")):
        assert message in refused(ladder, "-o", output, *words)
    assert "samples are at temperatures" in refused(vectors, "-o", output, "--kappa", "0.2")
    assert "model.kind" in refused(ladder, vectors, "-o", output)
    assert not output.exists()


def test_runs_without_bonds_say_what_to_measure(tmp_path):
    text = fields("0.2", sweeps=50) + 'measure = ["action"]\n'
    done, output = run_study(tmp_path, text)
    assert done.returncode == 0, done.stderr
    message = refused(output)
    assert "has series of the bond at values of kappa" in message and 'put "moments" into `measure`' in message
    done = larmor("run", tmp_path / "study.toml", "-o", output, "--force", "--set", "lattice.size=[1]",
                  "--set", 'stage.1.measure=["moments"]')
    assert done.returncode == 0, done.stderr
    assert "has no bonds" in refused(output)


def test_help_has_examples():
    done = larmor("reweight", "--help")
    assert done.returncode == 0 and "--temperatures 4.49:4.53:81" in done.stdout
    assert "--kappa 0.108:0.114:61" in done.stdout
    done = scaling("--help")
    assert done.returncode == 0 and "--omega 0.83" in done.stdout
