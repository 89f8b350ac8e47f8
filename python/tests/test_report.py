"""The page of larmor report: its parts, its remarks on results, and its references."""

import html
import json
import re
import unicodedata
from pathlib import Path

import larmor
import numpy as np
import pytest
import results_file as synthetic
import scaling_laws
from larmor.cli import main
from larmor.report import references, remarks, report_page
from larmor.report.plain_math import to_html, to_text
from larmor.report.references import references_of
from larmor.report.study_text import coloured
from larmor.report.vector_picture import VectorPicture, vector_picture
from larmor.style import new_figure, styled
from test_plot_fit import add_fit


def noise(length, replicas, memory=0.0, seed=1):
    """[length, replicas] numbers of variance 1, each of which keeps the part `memory` of the one before."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(length, replicas))
    for n in range(1, length):
        values[n] = memory * values[n - 1] + np.sqrt(1 - memory**2) * values[n]
    return values


def sampled(path, energy, study="", kind="monte-carlo", **attributes):
    """A finished stage with a series of the energy; study: more text of the study."""
    with synthetic.create(path) as file:
        del file["study/completed"], file["provenance/legs/02"]
        file["study/completed"] = study
        stage = synthetic.add_stage(file, f"01-{kind}")
        stage.attrs.update(attributes)
        synthetic.add_series(stage, "energy", energy)
    return path


def remarks_on(path):
    with larmor.open(path) as results:
        return remarks.remarks_of(results)


def texts_on(path, level=None):
    return " | ".join(remark.text for remark in remarks_on(path) if level in (None, remark.level))


# ---- remarks ----

def test_long_quiet_series_are_not_doubted(tmp_path):
    assert remarks_on(sampled(tmp_path / "quiet.h5", noise(600, 4, memory=0.8))) == []


def test_a_drift_is_found(tmp_path):
    energy = noise(600, 4) + 3 * np.exp(-np.arange(600) / 150)[:, None]
    assert "Not thermalised: the energy still drifts" in texts_on(sampled(tmp_path / "drift.h5", energy), "severe")


def test_a_short_relaxation_is_found(tmp_path):
    energy = noise(600, 4) + 6 * np.exp(-np.arange(600) / 20)[:, None]
    assert "The first tenth has the mean" in texts_on(sampled(tmp_path / "short.h5", energy), "severe")


def test_a_drift_of_one_rung_is_found(tmp_path):
    energy = noise(400, 6)
    energy[:200, 1::3] += 2
    path = sampled(tmp_path / "rungs.h5", energy, kind="tempering", rungs=3)
    with synthetic.h5py.File(path, "a") as file:
        synthetic.add_temperature(file["stages/01-tempering"], np.array([0.5, 0.75, 1.0]))
    assert "drifts at temperature 0.75." in texts_on(path)


def test_replicas_that_disagree_are_found_unless_they_differ(tmp_path):
    energy = noise(600, 4) + np.array([0.0, 0.0, 0.0, 4.0])
    assert "Replicas disagree in the energy" in texts_on(sampled(tmp_path / "trapped.h5", energy), "caution")
    study = "[[exchange]]\nJ = 1.0\ndisorder_by_replica = true\n"
    assert remarks_on(sampled(tmp_path / "disorder.h5", energy, study)) == []


def test_differences_of_halves_have_their_errors():
    for _, share, most in remarks._PARTS:
        found = [remarks.difference(noise(1000, 2, memory=0.8, seed=seed), share)[2] for seed in range(100)]
        assert max(found) < most
        # The mean of |z| of a normal deviate is 0.8; its standard error here is 0.06.
        assert np.mean(found) == pytest.approx(0.8, abs=0.2)


def test_autocorrelation_time_is_that_of_the_process():
    # 1/2 + sum a^t = 1/2 + a / (1 - a)
    assert remarks.autocorrelation_time(noise(40000, 4, memory=0.8)) == pytest.approx(4.5, rel=0.06)
    assert remarks.autocorrelation_time(np.ones((50, 2))) == 0.5


def test_few_samples_are_found(thermal):
    assert "Too short" not in texts_on(thermal)
    with synthetic.h5py.File(thermal, "a") as file:
        file["stages/01-monte-carlo/averages/energy/samples"][1] = 200  # at an autocorrelation time of 3
    text = texts_on(thermal, "caution")
    assert (
        "Too short to trust the errors of energy at temperature 1 K" in text
        and "The smallest number of them is 33." in text
    )
    with synthetic.h5py.File(thermal, "a") as file:
        file["stages/01-monte-carlo/averages/energy/reliable"] = np.ones(3)
    assert "Too short" not in texts_on(thermal)


def test_unfinished_work_is_severe(dynamic):
    with synthetic.h5py.File(dynamic, "a") as file:
        file.attrs["completed"] = 0
    text = texts_on(dynamic, "severe")
    assert "The run has not ended." in text and "This stage is unfinished." in text


def test_versions_that_differ_are_told(tmp_path):
    with synthetic.create(tmp_path / "legs.h5") as file:
        file["provenance/legs/02"].attrs["version"] = "0.2.0"
    assert "0.1.0, 0.2.0" in texts_on(tmp_path / "legs.h5", "caution")


def test_an_energy_that_should_stay_is_watched(tmp_path):
    study = '[[stage]]\nkind = "dynamics"\ndamping = [{}]\ntemperature = 0.0\n'
    energy = -2 + 1e-3 * np.linspace(0, 3, 50)[:, None] + np.zeros((1, 2))
    path = sampled(tmp_path / "drift.h5", energy, study.format(0.0), "dynamics")
    assert "The energy per site changes by 0.003, which is 0.15 % of it." in texts_on(path, "caution")
    assert remarks_on(sampled(tmp_path / "damped.h5", energy, study.format(0.1), "dynamics")) == []


def test_minima_and_paths_that_have_not_converged(tmp_path):
    with synthetic.create(tmp_path / "minima.h5") as file:
        synthetic.add_stage(file, "01-minimise").attrs.update(converged=0, replicas_converged=2)
        synthetic.add_stage(file, "02-minimise").attrs.update(converged=1)
        synthetic.add_stage(file, "03-minimum-energy-path").attrs.update(converged=0, saddle_converged=0)
        stage = synthetic.add_stage(file, "04-minimum-energy-path")
        stage.attrs.update(converged=1)
        stage.create_group("lifetime/saddle").attrs.update(unstable_modes=2)
    found = [(remark.where[:7], remark.level) for remark in remarks_on(tmp_path / "minima.h5")]
    assert found == [("Stage 1", "severe"), ("Stage 3", "severe"), ("Stage 4", "severe")]
    assert "2 unstable modes in place of 1" in texts_on(tmp_path / "minima.h5")


def test_a_ladder_with_few_exchanges_and_round_trips(tmp_path):
    with synthetic.create(tmp_path / "ladder.h5") as file:
        stage = synthetic.add_stage(file, "01-tempering")
        stage.attrs["note"] = "lowest energy -1.5"
        synthetic.add_temperature(stage, np.array([1.0, 1.5, 2.0]))
        ladder = stage.create_group("ladder")
        ladder.attrs.update(of="temperature", ladders=2)
        for name, value in (
            ("acceptance", [0.4, 0.02]),
            ("acceptance_error", [0.01, 0.01]),
            ("flow", [1, 0.5, 0]),
            ("flow_error", [0, 0.1, 0]),
            ("diffusivity", [0.1, 0.1]),
            ("stuck", [0, 1]),
            ("round_trips", [3.0, 0.0]),
            ("round_trip_time", [500.0]),
            ("round_trip_time_error", [50.0]),
        ):
            ladder[name] = np.array(value, dtype=float)
    text = texts_on(tmp_path / "ladder.h5", "caution")
    assert "1 of 2 neighbouring rungs exchange in less than 10 %" in text and "is 2 %, between 1.5 and 2" in text
    assert "a ladder has 1.5 on average, and 1 of 2 ladders have none" in text
    assert texts_on(tmp_path / "ladder.h5", "note") == "Note of the program: lowest energy -1.5"


def test_points_of_a_scan_that_are_not_done(tmp_path):
    with synthetic.create(tmp_path / "scan.h5") as file:
        axis = ("field.B.3", np.array([0.0, 1.0]), "T")
        synthetic.add_scan(file, [axis], {"energy": np.array([-1.0, np.nan])}, done=np.array([1, 0]))
    assert texts_on(tmp_path / "scan.h5", "severe") == "1 of 2 points are not done."


def test_points_of_a_scan_with_few_samples(tmp_path):
    with synthetic.create(tmp_path / "scan.h5") as file:
        synthetic.add_scan(
            file, [("field.B.3", np.array([0.0, 1.0]), "T")], {"energy": np.array([[-1.0, -0.9], [-0.8, -0.7]])}
        )
        file["scan/summary/01-monte-carlo/energy/reliable"] = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert "few samples are independent in up to 1 of 2 points." in texts_on(tmp_path / "scan.h5", "caution")


def test_points_and_stages_are_counted_in_words(tmp_path, unsaved_pictures):
    with synthetic.create(tmp_path / "scan.h5") as file:
        synthetic.add_scan(file, [("field.B.3", np.array([0.0, 1.0]), "T")], {"energy": np.array([-1.0, -0.5])})
        point = file.create_group("points/1")
        point.create_group("stages/01-minimise").attrs.update(kind="minimise", completed=1, converged=0)
    with larmor.open(tmp_path / "scan.h5") as results:
        page = report_page(results)
    assert "Point 1, Stage 1 (minimise)" in page and "Points of a scan count from 0" in page


# ---- references ----

def referred(study, tmp_path):
    with synthetic.create(tmp_path / "study.h5") as file:
        del file["study/completed"]
        file["study/completed"] = study
    with larmor.open(tmp_path / "study.h5") as results:
        return {reference.key for reference in references_of(results)}


@pytest.mark.parametrize(
    "stage, keys, other",
    [
        (
            'kind = "monte-carlo"\nsampler = "wolff"\nover_relaxation = 2',
            {"wolff1989", "creutz1987"},
            {"metropolis1953"},
        ),
        (
            'kind = "dynamics"\nintegrator = "auto"\ntemperature = 0.5',
            {"depondt2009", "garciapalacios1998"},
            {"mentink2010"},
        ),
        ('kind = "dynamics"\nintegrator = "auto"\ntemperature = 0.0', set(), {"depondt2009", "garciapalacios1998"}),
        (
            'kind = "dynamics"\nintegrator = "midpoint"\n[[stage.measure]]\nwhat = "topological-charge"',
            {"daquino2005", "berg1981"},
            {"rugh1997"},
        ),
        (
            'kind = "tempering"\nsampler = "heat-bath"\n[stage.temperature]\nspacing = "flow"',
            {"hukushima1996", "katzgraber2006", "miyatake1986"},
            {"predescu2004"},
        ),
        (
            'kind = "minimum-energy-path"\nspring_ratio = 1.0\n[stage.lifetime]\ntemperature = [1.0]',
            {"bessarab2015", "bessarab2012"},
            {"asgeirsson2021", "vineyard1957"},
        ),
    ],
    ids=["wolff", "heat-bath", "no-heat-bath", "midpoint", "ladder", "path"],
)
def test_references_are_those_of_the_methods_used(stage, keys, other, tmp_path):
    found = referred(f'[model]\nkind = "spins"\n[[stage]]\n{stage}\n', tmp_path)
    assert keys | {"larmor"} <= found and not other & found


def test_zeros_with_units_are_zeros(tmp_path):
    study = ('[model]\nkind = "spins"\n[[exchange]]\ndisorder = "0 eV"\n[[stage]]\nkind = "dynamics"\n'
             'integrator = "auto"\ntemperature = "0.0 K"\n')
    assert referred(study, tmp_path) == {"larmor"}
    assert {"edwards1975", "garciapalacios1998", "salmon2011"} <= referred(study.replace('"0 eV"', '"2e-3 eV"').replace('"0.0 K"', '"0.5 K"'), tmp_path)


def test_references_of_atoms(tmp_path):
    found = referred(
        '[model]\nkind = "atoms"\n[[snap]]\nprefix = "W"\n[[stage]]\nkind = "md"\nthermostat = "nose-hoover"\nbarostat = "mtk"\n',
        tmp_path,
    )
    assert {"thompson2015", "swope1982", "martyna1992", "martyna1994", "tuckerman2006"} <= found
    assert not {"ziegler1985", "bussi2007", "miyatake1986"} & found


def test_every_entry_is_complete_and_used():
    rules = references._OF_STAGES + references._OF_SPINS + references._OF_ATOMS + references._OF_STATES
    used = {key for _, keys, _ in rules for key in keys}
    entries, text = references._entries(), Path(references.__file__).read_text(encoding="utf-8")
    for key, entry in entries.items():
        assert key in used or f'"{key}"' in text, key
        assert entry.keys() >= {"author", "title", "year"} and entry.keys() & {"journal", "booktitle", "publisher"}, key
        assert re.search(r"(\d{4})", key)[1] == entry["year"]
        first = entry["author"].split(" and ")[0]
        plain = unicodedata.normalize("NFD", first).encode("ascii", "ignore").decode().lower()
        assert re.sub(r"\d{4}.*", "", key) in re.sub(r"[^a-z]", "", plain), key
        assert references._bibtex(key).count("{") == references._bibtex(key).count("}")
    assert used <= entries.keys()


# ---- the page ----

def test_a_study_is_coloured_and_complete():
    study = '# a <b> & "c"\n[[stage]]\nkind = "md"   # x\nlist = [1.5e3, true, \'t\']\nin = { a = 2 }\n'
    shown = coloured(study)
    assert html.unescape(re.sub(r"</?span[^>]*>", "", shown)) == study
    for part in (
        '<span class="c"># a &lt;b&gt;',
        '<span class="h">[[stage]]',
        '<span class="k">kind',
        '<span class="n">1.5e3',
        '<span class="k"> a',
    ):
        assert part in shown


@pytest.mark.parametrize(
    "label, text, markup",
    [
        (
            "Specific heat $C$ ($k_\\mathrm{B}$ per site)",
            "Specific heat C (k_B per site)",
            "Specific heat C (k<sub>B</sub> per site)",
        ),
        (r"$\langle |M| \rangle$ <&", "⟨|M|⟩ <&", "⟨|M|⟩ &lt;&amp;"),
        (r"$k_\mathrm{B}T^{-1}$", "k_B\u2009T^−1", "k<sub>B</sub>T<sup>−1</sup>"),
        (r"5 \$ and $\mu$", "5 $ and μ", "5 $ and μ"),
        ("one $ sign", "one $ sign", "one $ sign"),
        (r"$\sqrt{\frac{a}{b}}$", "√(a/b)", "√(a/b)"),
    ],
    ids=["words", "signs", "indices", "dollar", "lonely", "root"],
)
def test_labels_become_text(label, text, markup):
    assert (to_text(label), to_html(label)) == (text, markup)


def test_the_legend_of_a_figure_names_the_curves_of_all_axes():
    with styled():
        figure = new_figure(6, 3)
        for axes in figure.subplots(1, 2):
            for colour, name in (("tab:blue", "L = 8"), ("tab:red", "L = 16")):
                axes.errorbar([1, 2], [3, np.nan], [0.5, 0.1], color=colour, label=name)
                axes.fill_between([1, 2], [2, 3], [4, 5], color=colour, alpha=0.2)
        figure.legend(*figure.axes[0].get_legend_handles_labels())
        figure.suptitle("A title")
    drawn = vector_picture(figure, "p7")
    text = json.dumps(drawn.description, allow_nan=False)
    entries = json.loads(text)["legends"]
    assert [entry["label"] for entry in entries] == ["L = 8", "L = 16"]
    for entry in entries:
        # a line, its bars, its caps and its band in each of two axes
        assert len(entry["targets"]) == 10
        assert all(f'id="{target}"' in drawn.svg for target in [entry["text"], *entry["targets"]])
    assert not set(entries[0]["targets"]) & set(entries[1]["targets"])
    curve = drawn.description["axes"][0]["curves"][0]
    assert curve["y"] == [3, None] and curve["ey"] == [0.5, None]
    assert drawn.title == "A title" and re.findall(r'\bid="(?!p7-)', drawn.svg) == []
    assert not re.search(r"<metadata|<!--|https?://(?!www.w3.org)", drawn.svg)


def test_a_page_of_a_scan_has_its_numbers(tmp_path):
    with synthetic.create(tmp_path / "scan.h5", title="Scan & co") as file:
        axes = [
            ("lattice.size", np.array(["[8, 8]", "[16, 16]"]), ""),
            ("stage.1.temperature", np.array([1.0, 2.0, 3.0]), "K"),
        ]
        synthetic.add_scan(file, axes, {"energy": np.arange(6.0).reshape(2, 3), "gap": np.full((2, 3), 1e-7)})
    with larmor.open(tmp_path / "scan.h5") as results:
        page = report_page(results)
    assert "<h1>Scan &amp; co</h1>" in page and page.count('<figure class="picture"') == 1
    rows = re.findall(r"<tr><th scope=\"row\" class=\"text\">(\[.*?)</tr>", page)
    assert len(rows) == 6 and 'data-value="5" data-error="0.1">5.00(10)' in rows[5]
    assert "Size of the lattice L</th>" in page


def test_minima_have_no_autocorrelation_time(tmp_path, unsaved_pictures):
    for kind, expected in (("minimise", 0), ("md", 1)):
        path = tmp_path / f"{kind}.h5"
        with synthetic.create(path) as file:
            stage = synthetic.add_stage(file, f"01-{kind}")
            synthetic.add_average(stage, "energy", np.array([-0.3]), np.array([0.1]))
        with larmor.open(path) as results:
            assert report_page(results).count("Autocorrelation time") == expected, kind


@pytest.fixture
def unsaved_pictures(monkeypatch):
    """Leaves pictures out of pages, since saving takes most of the time."""
    empty = VectorPicture("<svg />", {"width": 1, "axes": []}, "", "")
    monkeypatch.setattr("larmor.report.page.vector_picture", lambda figure, prefix: empty)


def test_a_page_of_a_fit_and_one_of_curves(tmp_path, unsaved_pictures):
    with synthetic.create(tmp_path / "fit.h5") as file:
        add_fit(file)
    with larmor.open(tmp_path / "fit.h5") as results:
        page = report_page(results)
    assert page.count('<figure class="picture"') == 2 and "Errors of the force" in page and "thompson2015" in page
    path = scaling_laws.write(tmp_path / "curves.h5", lengths=(8, 16), draws=20)
    with larmor.open(path) as results:
        page = report_page(results)
    assert (
        page.count('<figure class="picture"') == 2
        and "Curves of lattice.size = [16, 16, 16]" in page
        and "shirts2008" in page
    )


def test_the_command_writes_a_page_once(tmp_path, capsys):
    synthetic.create(tmp_path / "begun.h5", title="Just begun").close()
    results, written, other = str(tmp_path / "begun.h5"), tmp_path / "begun-report.html", tmp_path / "mine.html"
    assert main(["report", results]) == 0
    assert capsys.readouterr().out == f"{written}\n"
    page = written.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "Just begun" in page and not re.search(r'(src|href)="https?:', page)
    assert main(["report", results]) == 2
    assert "exists already; --force overwrites it" in capsys.readouterr().err
    assert main(["report", results, "--force"]) == 0
    other.write_text("<p>mine</p>")
    assert main(["report", results, "-o", str(other), "--force"]) == 2
    assert other.read_text() == "<p>mine</p>" and "is not a report of Larmor" in capsys.readouterr().err


def test_a_report_from_python_is_written_once(tmp_path):
    synthetic.create(tmp_path / "begun.h5").close()
    with larmor.open(tmp_path / "begun.h5") as results:
        path = results.report()
        assert path == tmp_path / "begun-report.html" and results.report(force=True) == path
        with pytest.raises(larmor.InputError, match="exists already; force=True overwrites it"):
            results.report(path)
        with pytest.raises(larmor.MachineError, match="cannot be written"):
            results.report("/proc/no/report.html")


def test_a_damaged_file_is_told(thermal, capsys):
    with synthetic.h5py.File(thermal, "a") as file:
        del file["stages/01-monte-carlo/averages/energy/value"]
        file["stages/01-monte-carlo/averages/energy/value"] = "text"
    assert main(["report", str(thermal)]) == 3
    assert "damaged, or not in the results format" in capsys.readouterr().err
