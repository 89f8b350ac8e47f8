"""The portfolio example: the coefficients of its problems, and their ground states along the efficient
frontier of its page."""
# Rooms: ground_states

import os

import numpy as np
import pytest

from running import LARMOR, script_of_example


@pytest.fixture(scope="module")
def script():
    os.environ.setdefault("LARMOR", LARMOR)
    return script_of_example("portfolio-selection", "portfolio")


def test_the_qubo_is_return_and_risk(script):
    market = script.market()
    matrix, constant = script.qubo(market, 30)
    draw = np.random.default_rng(3)
    for _ in range(20):
        x = np.zeros(script.ASSETS)
        x[draw.choice(script.ASSETS, script.CHOSEN, replace=False)] = 1
        gain, risk = script.return_and_risk(market, x)
        # The coefficients are rounded to six digits.
        assert x @ matrix @ x + constant == pytest.approx(-gain + 15 * risk**2, abs=2e-5)
        x[np.flatnonzero(x)[0]] = 0
        assert x @ matrix @ x + constant > -gain + 15 * risk**2 + 0.05


def test_ground_states_are_the_edge(script):
    market = script.market()
    solutions = [script.solve(*script.qubo(market, aversion)) for aversion in (1, 30, 400)]
    for solution in solutions:
        assert solution["certificate"]["search_found_it"]
        assert solution["certificate"]["degeneracy"] == 1
        assert solution["search"]["found"] == 16
        assert sum(solution["best"]["state"]) == script.CHOSEN
    gain, risk = script.return_and_risk(market, [solution["best"]["state"] for solution in solutions])
    assert 100 * gain == pytest.approx([27.93, 25.89, 13.18], abs=0.01)
    assert 100 * risk == pytest.approx([16.56, 14.91, 13.05], abs=0.01)
    all_gains, all_risks = script.random_portfolios(market, 4000)
    for aversion, best in zip((1, 30, 400), -gain + np.array([0.5, 15, 200]) * risk**2):
        assert np.all(-all_gains + aversion / 2 * all_risks**2 > best)
