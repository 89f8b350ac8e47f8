"""Finite-size scaling of curves that follow its laws, with a known critical temperature and exponents."""

import json

import h5py
import larmor
import numpy as np
import pytest
from larmor.cli import main
from larmor.plot_scaling import plot_collapse, plot_curves
from larmor.scaling import scale
from scaling_laws import AMPLITUDE, BETA_OVER_NU, E_C, NU, OMEGA, T_C, TEMPERATURE, U_C, found_in, write

def test_exact_curves_give_exact_numbers(tmp_path):
    found = found_in(write(tmp_path / "exact.h5", noise=1e-12), OMEGA)
    assert found.T_c.value == pytest.approx(T_C, abs=1e-6)
    value, error = found.T_c
    assert (value, error) == (found.T_c.value, found.T_c.error) and repr(found.T_c).startswith("<Number: ")
    assert found.at_critical.value == pytest.approx(U_C, abs=1e-6)
    assert found.energy.value == pytest.approx(E_C, abs=1e-5)
    assert found.amplitude.value == pytest.approx(AMPLITUDE, abs=1e-4)
    expected = {"nu": NU, "nu_of_order": NU, "eta": 2 * BETA_OVER_NU - 1, "beta_over_nu": BETA_OVER_NU,
                "gamma_over_nu": 3 - 2 * BETA_OVER_NU, "beta": BETA_OVER_NU * NU,
                "gamma": (3 - 2 * BETA_OVER_NU) * NU}
    assert {name: number.value for name, number in found.exponents_plain.items()} == pytest.approx(expected, abs=2e-5)
    assert {name: number.value for name, number in found.exponents.items()} == pytest.approx(expected, abs=2e-3)
    assert found.has_correction and not found.cuts
    # Crossings of two sizes lie below T_c, since the correction of the larger lattice is smaller.
    assert len(found.crossings) == 6
    assert all(crossing.parameter.value < T_C for crossing in found.crossings)
    assert found.critical_plain.value < T_C - 1e-3


def test_corrections_of_the_order_parameter_are_taken_out(tmp_path):
    found = found_in(write(tmp_path / "corrected.h5", noise=1e-12, of_order=0.3), OMEGA)
    assert abs(found.exponents_plain["eta"].value - (2 * BETA_OVER_NU - 1)) > 0.02
    assert found.exponents["eta"].value == pytest.approx(2 * BETA_OVER_NU - 1, abs=0.003)
    assert found.order_amplitude.value == pytest.approx(0.3, abs=0.03)


def test_three_sizes_are_enough_for_a_correction_of_exponents(tmp_path):
    path = write(tmp_path / "three.h5", (8, 12, 16), noise=1e-12, of_order=0.3)
    found = found_in(path, OMEGA)
    assert abs(found.exponents_plain["eta"].value - (2 * BETA_OVER_NU - 1)) > 0.02
    assert found.exponents["eta"].value == pytest.approx(2 * BETA_OVER_NU - 1, abs=0.005)
    # If there is no correction, there are only plain powers.
    plain = found_in(path, None)
    assert plain.exponents == plain.exponents_plain and not plain.has_correction


def test_sizes_may_be_chosen(tmp_path, capsys):
    path = write(tmp_path / "four.h5", noise=1e-4)
    found = found_in(path, OMEGA, lengths=[12, 16, 24])
    assert found.lengths == [12, 16, 24]
    assert found.as_dict() == found_in(write(tmp_path / "three.h5", (12, 16, 24), noise=1e-4), OMEGA).as_dict()
    assert main(["scaling", str(path), "--sizes", "12,16,24"]) == 0
    assert "sizes 12, 16, 24" in capsys.readouterr().out
    assert main(["scaling", str(path), "--sizes", "12,20"]) == 2
    assert "no size 20; there are 8, 12, 16, 24" in capsys.readouterr().err


def test_a_smallest_size_that_is_too_small_is_told(tmp_path, capsys):
    # The correction of these curves has another exponent than the given one.
    path = write(tmp_path / "small.h5", noise=1e-5, correction=0.3, of_order=1.0)
    found = found_in(path, 3.0)
    assert {cut.name for cut in found.cuts} >= {"critical", "eta"}
    assert all(cut.length == 8 and cut.sigmas > 2.5 for cut in found.cuts)
    without = found_in(path, 3.0, lengths=[12, 16, 24])
    assert found.cuts[0].number.value == pytest.approx(without.critical.value, rel=1e-9)
    assert main(["scaling", str(path), "--omega", "3"]) == 0
    text = capsys.readouterr().out
    assert "omega = 3 is given" in text
    assert "warning: without L = 8 T_c is" in text and "--sizes 12,16,24" in text


def test_errors_are_those_of_the_linear_fits(tmp_path):
    noise = 1e-4
    found = found_in(write(tmp_path / "linear.h5", noise=noise, draws=1500), OMEGA)
    length = np.array(found.lengths)
    growth, log = length ** (1 / NU), np.log(length)
    # Small errors e of the values give e = U + c L^(-omega) - slope * (b - 1 / T_c), with small U,
    # c and b - 1 / T_c.
    terms = np.stack([-0.1 * T_C * growth, np.ones(4), length**-OMEGA], axis=1)
    covariance = noise**2 * np.linalg.inv(terms.T @ terms)
    # ln <m^2> has separate noise. The error of b also moves the values of all sizes together.
    moves = 0.6 * T_C * growth * np.sqrt(covariance[0, 0])
    weight = 1 / np.hypot(noise, moves)
    # The interval of 1500 draws is known to 2.5 %.
    errors = [number.error for number in (found.T_c, found.at_critical)]
    assert errors == pytest.approx([T_C**2 * np.sqrt(covariance[0, 0]), np.sqrt(covariance[1, 1])], rel=0.1)
    for exponents, columns in ((found.exponents_plain, [np.ones(4), log]),
                               (found.exponents, [np.ones(4), log, length**-OMEGA])):
        columns = np.stack(columns, axis=1)
        of_slope = np.linalg.pinv(columns)[1]
        power = np.linalg.pinv(weight[:, None] * columns)[1] * weight
        expected = [NU**2 * noise * np.linalg.norm(of_slope),
                    np.hypot(noise * np.linalg.norm(power), power @ moves) / 2]
        errors = [exponents[name].error for name in ("nu", "beta_over_nu")]
        assert errors == pytest.approx(expected, rel=0.1)


def test_another_average_may_cross_and_needs_no_slope(tmp_path):
    path = write(tmp_path / "other.h5", noise=1e-4)
    with h5py.File(path, "a") as file:
        for system in file["reweighted/systems"].values():
            system.copy("curves/binder_cumulant", "curves/xi_over_L")
    found, other = found_in(path, OMEGA), found_in(path, OMEGA, "xi_over_L")
    assert other.observable == "xi_over_L"
    assert other.T_c.value == pytest.approx(found.T_c.value, abs=0.01 * found.T_c.error)
    assert other.T_c.error == pytest.approx(found.T_c.error, rel=0.01)
    # The slope of the other average is the derivative of its curve.
    assert other.exponents["nu"].value == pytest.approx(NU, abs=1e-3)


def test_two_sizes_are_their_crossing(tmp_path):
    found = found_in(write(tmp_path / "two.h5", (8, 16), correction=0.0))
    (crossing,) = found.crossings
    assert found.T_c.value == pytest.approx(crossing.parameter.value, abs=1e-9)
    assert abs(found.T_c.value - T_C) < 4 * found.T_c.error and found.amplitude.value == 0
    # Two curves cross with an error of sqrt(2) times the error of one curve over the difference of
    # their slopes.
    slopes = 0.1 / T_C * (16 ** (1 / NU) - 8 ** (1 / NU))
    assert found.T_c.error == pytest.approx(np.sqrt(2) * 1e-3 / slopes, rel=0.15)


def as_kappa(path):
    """Makes the curves above for a coupling that is b itself."""
    with h5py.File(path, "a") as file:
        root = file["reweighted"]
        del root.attrs["k_B"]
        root.attrs.update(parameter="kappa", conjugate="bond")
        for system in root["systems"].values():
            kappa = 1 / system["temperature"][()]
            del system["temperature"]
            system["kappa"] = kappa[::-1]
            system["states/kappa"] = 1 / system["states/temperature"][()][::-1]
            for old, new in (("energy", "bond"), ("specific_heat", "bond_slope")):
                system.move(f"curves/{old}", f"curves/{new}")
            for curve in system["curves"].values():
                for name in ("value", "error", "draws"):
                    curve[name][...] = curve[name][()][..., ::-1]
    return path


def test_curves_over_kappa_give_the_critical_kappa(tmp_path, unsaved, capsys):
    by_temperature = found_in(write(tmp_path / "temperature.h5", noise=1e-4), OMEGA)
    path = as_kappa(write(tmp_path / "kappa.h5", noise=1e-4))
    found = found_in(path, OMEGA)
    assert found.symbol == "kappa_c" and found.kappa_c.value == pytest.approx(1 / by_temperature.T_c.value, rel=1e-12)
    assert found.kappa_c.error == pytest.approx(by_temperature.T_c.error / T_C**2, rel=1e-3)
    assert found.exponents == by_temperature.exponents
    with pytest.raises(AttributeError, match="kappa_c"):
        found.T_c
    assert main(["scaling", str(path), "--omega", str(OMEGA), "--json", str(tmp_path / "found.json")]) == 0
    text = capsys.readouterr().out
    assert "kappa_c = 0.222" in text and "bond at kappa_c = -0.9" in text and "temperature" not in text
    written = json.loads((tmp_path / "found.json").read_text())
    assert written["kappa_c"]["value"] == found.kappa_c.value and written["bond"]["value"] == found.energy.value
    assert written["crossings"][0]["kappa"]["value"] == found.crossings[0].parameter.value
    with larmor.open(path) as results:
        figure = plot_collapse([results.reweighted], found)
        assert figure.axes[0].get_xlabel().startswith(r"$(\kappa / \kappa_c - 1)")
        # Larger kappa is drawn on the right, and the fields are more ordered there.
        assert all(line.get_ydata()[0] < line.get_ydata()[-1] for line in figure.axes[0].lines)


def test_temperatures_and_kappa_do_not_go_together(tmp_path, capsys):
    one, other = write(tmp_path / "one.h5", (8,)), as_kappa(write(tmp_path / "other.h5", (12,)))
    assert main(["scaling", str(one), str(other)]) == 2
    assert "curves of temperatures and of kappa" in capsys.readouterr().err


def test_sizes_may_lie_in_several_files(tmp_path):
    whole = found_in(write(tmp_path / "whole.h5"))
    parts = [write(tmp_path / f"{length}.h5", (length,)) for length in (24, 8, 16, 12)]
    opened = [larmor.open(path) for path in parts]
    assert scale([results.reweighted for results in opened]).as_dict() == whole.as_dict()


def test_the_command_reports_draws_and_writes_numbers(tmp_path, capsys, request):
    path = write(tmp_path / "known.h5", noise=1e-4)
    assert main(["scaling", str(path), "--omega", str(OMEGA), "--json", str(tmp_path / "found.json")]) == 0
    text = capsys.readouterr().out
    assert "sizes 8, 12, 16, 24" in text and "T_c = 4.50" in text and "U + c L^(-0.83)" in text
    assert "eta " in text and "8 and 24" in text
    found = json.loads((tmp_path / "found.json").read_text())
    assert found["T_c"]["value"] == pytest.approx(T_C, abs=5 * found["T_c"]["error"])
    assert found["exponents"]["nu"]["chi2"] > 0 and found["exponents"]["beta"]["chi2"] is None
    assert found["crossings"][0]["temperature"]["chi2"] is None
    assert sorted(picture.name for picture in tmp_path.glob("*.png")) == ["known-collapse.png", "known-curves.png"]
    request.getfixturevalue("unsaved")
    assert main(["scaling", str(path)]) == 2
    assert "--force" in capsys.readouterr().err


def test_a_collapse_lies_on_one_curve(tmp_path):
    with larmor.open(write(tmp_path / "exact.h5", noise=1e-12)) as results:
        found = scale([results.reweighted], OMEGA)
        figure = plot_collapse([results.reweighted], found)
        for panel in figure.axes[:2]:
            reference, *others = [line.get_xydata() for line in panel.lines]
            for curve in others:
                inside = (curve[:, 0] > reference[:, 0].min()) & (curve[:, 0] < reference[:, 0].max())
                expected = np.interp(curve[inside, 0], *reference.T)
                # If a function is linear in b, it is not exactly linear in T.
                np.testing.assert_allclose(curve[inside, 1], expected, rtol=0.005)
        assert len(plot_curves([results.reweighted], found).axes) == 4


def test_averages_of_the_runs_have_visible_bars(tmp_path):
    path = write(tmp_path / "raw.h5", (8, 12))
    with h5py.File(path, "a") as file:
        for system in file["reweighted/systems"].values():
            system["states/averages/binder_cumulant/value"] = np.full(3, 0.5)
            system["states/averages/binder_cumulant/error"] = np.full(3, 1e-6)
    found = found_in(path, None)
    with larmor.open(path) as results:
        figure = plot_curves([results.reweighted], found, "Title")
    panel = figure.axes[0]
    raw = panel.containers[0]
    dots, caps, bars = raw.lines
    assert len(bars[0].get_segments()) == 3
    # The caps tell the error, also if the bar is shorter than the dot.
    assert min(cap.get_markersize() for cap in caps) > dots.get_markersize()
    assert not panel.texts and panel.get_title(loc="right").startswith("$T_c$ = ")
    assert [text.get_text() for text in figure.legends[0].get_texts()][-3:] == [
        "reweighted", "averages of the runs", "crossings"]


@pytest.mark.parametrize("options, message", [
    ({"lengths": (8,)}, "two sizes"),
    ({"lengths": (8, 8)}, "twice"),
    ({"lengths": (8, 12), "critical": 6.0}, "cross clearly"),
    ({"lengths": (8, 12), "temperature": TEMPERATURE[:3]}, "four points"),
], ids=["one_size", "size_twice", "no_crossing", "few_temperatures"])
def test_what_cannot_be_scaled_is_said(tmp_path, capsys, options, message):
    assert main(["scaling", str(write(tmp_path / "bad.h5", **options))]) == 2
    assert message in capsys.readouterr().err


def test_models_that_differ_are_refused(tmp_path, capsys):
    one = write(tmp_path / "one.h5", (8,))
    other = write(tmp_path / "other.h5", (12,), model="exchange.1.J = 2.0")
    assert main(["scaling", str(one), str(other)]) == 2
    assert "exchange.1.J" in capsys.readouterr().err


def test_results_that_are_not_reweighted_are_refused(thermal, capsys):
    assert main(["scaling", str(thermal)]) == 2
    assert f"larmor reweight {thermal}" in capsys.readouterr().err


def test_an_unknown_observable_is_refused(tmp_path, capsys):
    assert main(["scaling", str(write(tmp_path / "known.h5")), "--of", "xi"]) == 2
    assert "no curve 'xi'" in capsys.readouterr().err


def test_reweighted_results_are_read(tmp_path):
    with larmor.open(write(tmp_path / "known.h5", (8, 12))) as results:
        assert "2 system(s)" in repr(results)
        first = results.reweighted.systems[0]
        assert first.length == 8 and first.sites == 512
        value, error = first.curves["binder_cumulant"]
        assert value.shape == error.shape == first.temperature.shape
        with pytest.raises(larmor.NotInResults, match="did you mean 'energy'"):
            first.curves["enrgy"]


def test_other_results_have_no_curves(thermal):
    with larmor.open(thermal) as results, pytest.raises(larmor.NotInResults):
        results.reweighted
