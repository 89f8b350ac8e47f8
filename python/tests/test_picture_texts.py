"""Texts, units and scales of pictures: titles, labels and legends, and that no picture is blank."""

import io

import larmor
import matplotlib.image
import numpy as np
import pytest
import results_file as synthetic
from larmor.labels import common_ends, key_name, shown_unit, wrapped
from larmor.pictures import Options, draw_all, note_of_point, title_of
from larmor.plot_ladder import plot_ladder
from larmor.plot_path import plot_path
from larmor.plot_scan import plot_scan
from larmor.plot_series import plot_series
from larmor.plot_spins import plot_spins
from larmor.stage_words import heading


def labels_of(figure):
    return [axes.get_ylabel() for axes in figure.axes if axes.get_visible()]


@pytest.fixture
def new_file(tmp_path):
    """Makes a results file: new_file(write, name) calls write(file) and opens it."""
    opened = []

    def make(write, name="made.h5"):
        path = tmp_path / name
        with synthetic.create(path) as file:
            write(file)
        opened.append(larmor.open(path))
        return opened[-1]

    yield make
    for results in opened:
        results.close()


def as_atoms(file):
    synthetic.add_model(file)
    file["model/masses"] = np.full(12, 183.84)


# Names and numbers


@pytest.mark.parametrize(("key", "unit", "label", "equals"), [
    ("stage.1.temperature", "K", "Temperature $T$ (K)", "$T$ = 3 K"),
    ("stage.2.temperature", "", r"Temperature $k_\mathrm{B}T$", r"$k_\mathrm{B}T$ = 3"),
    ("field.B.3", "T", "Field $B_z$ (T)", "$B_z$ = 3 T"),
    ("lattice.size", "", "Size of the lattice $L$", "$L$ = 3"),
    ("exchange.1.J", "meV", "Exchange $J$ (meV)", "$J$ = 3 meV"),
    ("exchange.2.J", "eV", "Exchange 2 $J_2$ (eV)", "$J_2$ = 3 eV"),
    ("stage.1.sweeps", "", "Stage 1: sweeps", "Stage 1: sweeps = 3"),
    ("structure.file", "", "Structure: file", "Structure: file = 3"),
])
def test_keys_have_names_and_units(key, unit, label, equals):
    name = key_name(key, unit)
    assert (name.label, name.equals("3")) == (label, equals)


def test_energies_of_electronvolts_are_not_written_in_thousands():
    assert shown_unit("eV", np.array([-0.2, np.nan])) == (1e3, "meV")
    assert shown_unit("eV", np.array([0.1, -350.0])) == (1.0, "eV")
    assert shown_unit("eV/A^3") == (1.0, "eV/Å$^3$") and shown_unit("cm^-1") == (1.0, "cm$^{-1}$")


def test_long_titles_have_lines_that_fit():
    assert wrapped("one two three", 8) == "one two\nthree"
    assert wrapped("$T$ = 300 K and more", 8) == "$T$ = 300 K and more"


def test_only_differing_parts_of_file_names_are_shown():
    names = ["set/w_1.extxyz", "set/w_22.extxyz"]
    front, back = common_ends(names)
    assert [name[front:len(name) - back] for name in names] == ["1", "22"]
    assert common_ends(["heun", "rk4"]) == (0, 0)


# Titles


def test_a_title_says_stage_temperature_and_more(new_file):
    def write(file):
        stage = synthetic.add_stage(file, "02-monte-carlo", completed=0)
        stage.attrs["title"] = "cost $"
        synthetic.add_temperature(stage, np.array([300.0]), "K")

    stage = new_file(write).stages[0]
    assert heading("Study", stage, "replica 3") == (
        "Study\nstage 2: monte-carlo (cost \\$), $T$ = 300 K, replica 3, unfinished")
    assert heading("", stage, with_temperature=False) == "stage 2: monte-carlo (cost \\$), unfinished"


def test_motion_without_a_bath_names_the_temperature_before_it(new_file):
    def write(file):
        stage = synthetic.add_stage(file, "01-monte-carlo")
        synthetic.add_temperature(stage, np.array([0.5]))
        synthetic.add_stage(file, "02-dynamics")
        synthetic.add_stage(file, "03-dynamics")
        synthetic.add_stage(file, "04-dynamics")
        del file["study/completed"]
        file["study/completed"] = "\n".join(["[[stage]]", *["[[stage]]\ntemperature = 0.0"],
                                             '[[stage]]\ntemperature = "10 K"',
                                             "[[stage]]\ntemperature = 1.0\ntemperature_schedule = [[0, 1]]"])

    lines = [heading("", stage) for stage in new_file(write).stages]
    assert lines[1:] == ["stage 2: dynamics, started at $k_\\mathrm{B}T$ = 0.5", "stage 3: dynamics, $T$ = 10 K",
                         "stage 4: dynamics"]


def test_a_study_without_a_title_has_the_name_of_its_folder(tmp_path):
    folder = tmp_path / "cluster of $7"
    folder.mkdir()
    for name, title, expected in (("study.h5", "", "cluster of \\$7"), ("iron.h5", "", "iron"),
                                  ("fit.h5", "fit.toml", "cluster of \\$7"), ("b.h5", "B", "B")):
        synthetic.create(folder / name, title=title).close()
        with larmor.open(folder / name) as results:
            assert title_of(results) == expected


# Spins


def configuration(file, spins, name="01-anneal", size=(4, 4, 1)):
    synthetic.add_model(file, size)
    stage = synthetic.add_stage(file, name)
    synthetic.add_configuration(stage, np.tile(spins, (2, int(np.prod(size)), 1)).astype(float))
    return stage


def pixels(figure):
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    picture.seek(0)
    return matplotlib.image.imread(picture)[..., :3]


@pytest.mark.parametrize("size", [(4, 4, 1), (50, 50, 1)], ids=["arrows", "colours"])
@pytest.mark.parametrize("up", [1, -1])
def test_uniform_spins_are_not_blank(new_file, size, up):
    results = new_file(lambda file: configuration(file, [0, 0, up], size=size))
    drawn = pixels(plot_spins(results.stages[0], results.model, "Title"))
    coloured = np.abs(drawn - 1).max(axis=2) > 0.15
    assert coloured.mean() > 0.4


@pytest.mark.parametrize("state", [1, -1])
def test_uniform_states_are_not_blank(new_file, state):
    def write(file):
        synthetic.add_model(file, (4, 4, 1))
        file["model"].attrs["kind"] = "ising"
        synthetic.add_stage(file, "01-monte-carlo")["configuration"] = np.full((1, 16), state, dtype=np.int8)

    results = new_file(write)
    drawn = pixels(plot_spins(results.stages[0], results.model, "Title"))
    assert (np.abs(drawn - 1).max(axis=2) > 0.15).mean() > 0.4


def test_spins_of_a_ladder_name_the_temperature_of_their_rung(new_file):
    def write(file):
        stage = configuration(file, [0, 0, 1], "01-tempering")
        stage.attrs["rungs"] = 2
        synthetic.add_temperature(stage, np.array([1.0, 2.0]))
        stage["configuration_rung"] = [1, 0]

    results = new_file(write)
    titles = [plot_spins(results.stages[0], results.model, "Title", replica).get_suptitle() for replica in (None, 1)]
    assert titles == [f"Title\nstage 1: tempering, $k_\\mathrm{{B}}T$ = {T}, replica {replica}"
                      for T, replica in ((2, 0), (1, 1))]


def test_the_spins_of_a_path_are_those_of_its_saddle(new_file):
    def write(file):
        stage = configuration(file, [0, 0, 1], "01-minimum-energy-path")
        frames = np.zeros((3, 16, 3))
        frames[0, :, 2], frames[1, :, 0], frames[2, :, 2] = 1, 1, -1
        del stage["configuration"]
        stage["configuration"] = frames
        for name in ("", "interpolation/"):
            stage[f"path/{name}reaction_coordinate"] = [0.0, 1.0, 2.0]
            stage[f"path/{name}energy"] = [0.0, 2.5, 0.0]
        stage["path/energy"].attrs["unit"] = "eV"
        stage["path"].attrs.update(saddle_image=1, barrier_forward=2.5, barrier_backward=2.5)

    results = new_file(write)
    drawing = draw_all(results, ["spins"], list(results.stages), Options())
    (figure,) = (picture.figure for picture in drawing.pictures)
    assert figure.get_suptitle().endswith("image 1 of 0 to 2 (saddle)")
    assert "(1.00, 0.00, 0.00)" in figure.axes[0].get_title(loc="right")
    first = plot_spins(results.stages[0], results.model, "", replica=0)
    assert first.get_suptitle().endswith("image 0 of 0 to 2")
    (axes,) = plot_path(results.stages[0]).axes
    assert axes.get_ylabel() == "Energy $E - E_0$ (eV)"
    assert [text.get_text() for text in axes.texts if text.get_text()] == ["2.5 eV", "2.5 eV"]


# Series


def test_a_series_shows_no_average_of_the_magnetisation(new_file):
    def write(file):
        stage = synthetic.add_stage(file, "01-monte-carlo")
        synthetic.add_series(stage, "magnetisation", np.array([[0.5], [-0.5], [0.5]]))
        many = synthetic.add_stage(file, "02-monte-carlo")
        synthetic.add_temperature(many, np.array([1.0, 2.0]))
        synthetic.add_series(many, "magnetisation", np.ones((8, 1, 3)), point=np.repeat([0, 1], 4))

    first, second = new_file(write).stages
    assert labels_of(plot_series(first)) == ["Magnetisation $M$ (per site)"]
    # Lines of several temperatures have lengths of vectors.
    assert labels_of(plot_series(second))[0] == "Magnetisation $|M|$ (per site)"


def test_signs_of_replicas_do_not_cancel_in_lines_of_several_temperatures(new_file):
    def write(file):
        stage = synthetic.add_stage(file, "01-monte-carlo")
        synthetic.add_temperature(stage, np.array([1.0, 2.0]))
        synthetic.add_series(stage, "magnetisation", np.tile([0.5, -0.5], (8, 1)), point=np.repeat([0, 1], 4))

    figure = plot_series(new_file(write).stages[0])
    assert labels_of(figure)[0] == "Magnetisation $|M|$ (per site)"
    assert all(np.all(line.get_ydata() == 0.5) for line in figure.axes[0].lines)


def test_replicas_of_unequal_couplings_are_not_averaged(new_file):
    def write(file):
        stage = synthetic.add_stage(file, "01-monte-carlo")
        stage["kappa"] = np.array([0.1, 0.3])
        synthetic.add_series(stage, "action", np.tile([1.0, 3.0, 2.0, 4.0], (5, 1)))
        synthetic.add_series(stage, "magnetisation", np.tile([1.0, 3.0, 2.0, 4.0], (5, 1)))

    figure = plot_series(new_file(write).stages[0])
    lines = figure.axes[0].lines
    assert [line.get_ydata()[0] for line in lines] == [1.5, 3.5]
    assert labels_of(figure)[1] == r"Hopping parameter $\kappa$"


def test_remainders_have_a_logarithmic_axis_and_constants_no_noise(new_file):
    def write(file):
        stage = synthetic.add_stage(file, "01-minimise")
        for name, value in (("energy", [-2.0, -2.1, -2.2]), ("topological_charge", [-1.0, -1 + 1e-15, -1.0]),
                            ("largest_torque", [1.0, 1e-3, 1e-6])):
            synthetic.add_series(stage, name, np.array(value)[:, None])

    energy, charge, torque = plot_series(new_file(write).stages[0]).axes
    assert energy.get_ylabel() == "Energy $E - E_0$ (per site)" and energy.get_title(loc="right") == "$E_0 = -2$"
    np.testing.assert_allclose(energy.lines[0].get_ydata(), [0, -0.1, -0.2])
    assert np.ptp(charge.get_ylim()) > 0.1
    assert (torque.get_yscale(), torque.get_xlabel()) == ("log", "Iteration")


def test_equal_legends_are_written_once(new_file):
    def write(file):
        stage = synthetic.add_stage(file, "01-md")
        for name in ("temperature", "pressure"):
            synthetic.add_series(stage, name, np.arange(6.0).reshape(3, 2))

    first, second = plot_series(new_file(write).stages[0]).axes
    assert first.get_legend() is not None and second.get_legend() is None


# Ladders and scans


def test_a_ladder_of_atoms_makes_steps_and_spans_decades(new_file):
    def write(file):
        as_atoms(file)
        stage = synthetic.add_stage(file, "01-tempering")
        synthetic.add_temperature(stage, np.array([1.0, 2.0, 4.0]), "K")
        ladder = stage.create_group("ladder")
        ladder.attrs.update(of="temperature", ladders=1)
        for name, value in (("acceptance", [0.5, 0.1]), ("flow", [1, 0.5, 0]), ("round_trip_time", [300.0])):
            ladder[name], ladder[f"{name}_error"] = value, np.full(len(value), np.nan)
        ladder["diffusivity"], ladder["stuck"], ladder["round_trips"] = [2.0, 0.001], [0.0, 0.0], [5.0]
        synthetic.add_series(stage, "energy", np.zeros((9, 3)), "eV", point=np.zeros(9))
        stage.attrs["rungs"] = 3

    stage = new_file(write).stages[0]
    figure = plot_ladder(stage, "Title")
    assert figure.axes[2].get_ylabel() == "Diffusivity (rungs$^2$ per time step)"
    assert figure.axes[2].get_yscale() == "log"
    assert figure.axes[1].get_title(loc="right").endswith("time steps")
    assert figure.get_suptitle() == "Title\nstage 1: tempering, 3 rungs"
    series = plot_series(stage).axes[0]
    assert (series.get_xlabel(), series.get_ylabel()) == ("Time step", "Energy $E$ (meV per atom)")


def scanned(new_file, axes, averages, stage="01-md"):
    return new_file(lambda file: synthetic.add_scan(file, axes, averages, stage=stage)).scan


def test_a_scan_of_atoms_shows_temperature_pressure_and_volume(new_file):
    names = ("cell_a", "cell_b", "cell_c", "conserved_quantity", "kinetic_energy", "potential_energy", "pressure",
             "temperature", "total_energy", "volume")
    scan = scanned(new_file, [("stage.1.pressure", np.array([0.0, 5.0]), "GPa")],
                   {name: np.array([1.0, 2.0]) * n for n, name in enumerate(names, 1)})
    assert labels_of(plot_scan(scan)) == ["Temperature $T$", "Pressure $P$", "Volume $V$", "Potential energy $U$"]


def test_panels_of_a_scan_differ(new_file):
    barrier, field = np.array([1.0, 2.0]), np.array([0.1, 0.2])
    scan = scanned(new_file, [("anisotropy.1.K", np.array([1.0, 2.0]), "")],
                   {"barrier_backward": barrier, "barrier_forward": barrier, "coercive_field": field,
                    "coercive_field_falling": -field, "coercive_field_rising": field, "gap": barrier})
    assert labels_of(plot_scan(scan, title="Title")) == [
        r"Barrier backward = forward $\Delta E$", "Coercive field = −falling = rising $B_c$", "Gap"]


def test_many_file_names_are_on_the_axis(new_file):
    files = np.array([f"set/w_{n:02}.extxyz" for n in range(20)])
    scan = scanned(new_file, [("structure.file", files, ""), ("stage.1.temperature", np.array([1.0, 2.0]), "K")],
                   {"energy": np.arange(40.0).reshape(20, 2)})
    figure = plot_scan(scan, title="Title")
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.get_xticklabels()] == [f"{n:02}" for n in range(20)]
    assert len(axes.containers) == 2 and axes.get_xlabel() == "Structure: file"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["1", "2"]
    assert figure.get_suptitle() == "Title\nstage 1: md"


def test_the_title_of_a_point_has_its_values(new_file):
    def write(file):
        synthetic.add_scan(file, [("field.B.3", np.array([0.0, 1.0]), "T"),
                                  ("lattice.size", np.array([[4.0, 4], [8, 8]]), "")], {"energy": np.zeros((2, 2))})

    assert note_of_point(new_file(write), 2) == "\npoint 2: $B_z$ = 1 T, $L$ = 4"
