"""O(4) fields in four dimensions: the expansion in small kappa, and the order parameter that grows through
the transition."""
# Rooms: phi4

import numpy as np
import pytest

import larmor
from running import run_example, script_of_example

exact = script_of_example("phi4-o4")
SMALL = 3  # number of points of the ladder


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return run_example("phi4-o4", tmp_path_factory.mktemp("phi4"), "lattice.size=[6, 6, 6, 6]", "replicas=16",
                       "phi4.kappa=[0.02, 0.05, 0.1, 0.28, 0.29, 0.3, 0.308, 0.33]")


@pytest.fixture(scope="module")
def stage(results):
    with larmor.open(results) as file:
        yield file.stages[0]


def test_small_kappa_is_as_the_expansion_has_it(stage):
    bond = exact.bond(stage.kappa[:SMALL])
    # The bounds allow for the truncation of the expansions: walks of five and more steps, and
    # squares with common sides.
    for name, truth, beyond in (("improved_susceptibility", exact.susceptibility(stage.kappa[:SMALL]), 4e4 * bond**5),
                                ("bond", exact.bond_on_the_lattice(stage.kappa[:SMALL]), 200 * bond**5)):
        value, error = (part[:SMALL] for part in stage.averages[name])
        assert (np.abs(value - truth) < 4 * error + beyond).all(), (name, value, error, truth)
    # Sums over clusters contain more than the first orders of the expansion.
    value, error = (part[:SMALL] for part in stage.averages["improved_susceptibility"])
    assert (np.abs(value - 1 - 8 * bond) > 8 * error)[1:].all()


def test_a_bond_alone_is_a_ratio_of_bessel_functions():
    angle = (np.arange(20000) + 0.5) * np.pi / 20000
    for kappa in (0.02, 0.3):
        weight = np.sin(angle) ** 2 * np.exp(2 * kappa * np.cos(angle))
        assert exact.bond(kappa) == pytest.approx((weight * np.cos(angle)).sum() / weight.sum(), rel=1e-9)


def test_clusters_and_magnetisation_give_the_same_susceptibility(stage):
    clusters, moments = stage.averages["improved_susceptibility"], stage.averages["m2"]
    both = np.hypot(clusters.error, 6**4 * moments.error)
    assert (np.abs(clusters.value - 6**4 * moments.value) < 4 * both).all()


def test_order_grows_through_the_transition(stage):
    cumulant, error = stage.averages["binder_cumulant"]
    disordered, ordered = stage.kappa < 0.15, stage.kappa == 0.33
    assert (np.abs(cumulant - 1 / 2) < 4 * error + 0.003)[disordered].all()
    assert (np.abs(cumulant - 2 / 3) < 0.01)[ordered].all()
    assert (np.diff(stage.averages["m2"].value) > 0).all()
    # The susceptibility V (<m^2> - <|m|>^2) is largest near the transition.
    assert abs(stage.kappa[stage.averages["susceptibility"].value.argmax()] - 0.304) < 0.01


def test_the_script_draws_and_prints_them(results, capsys):
    picture = results.with_name("ladder.png")
    exact.main(str(results), str(picture))
    assert picture.stat().st_size > 10000
    assert len(capsys.readouterr().out.splitlines()) == 9
