"""Curves over kappa of four cubes cross at the critical point of the Ising model: `larmor reweight`, and
larmor scaling."""
# Rooms: phi4, study

import json

from test_reweighting import curves_of_cubes, scaling


def test_cubes_cross_at_the_critical_kappa(tmp_path):
    """Half of the critical coupling of the Ising model, 0.22165463: A. M. Ferrenberg, J. Xu and D. P. Landau,
    Phys. Rev. E 97, 043301 (2018)."""
    done = scaling(curves_of_cubes(tmp_path, 10000), "--omega", 0.83, "--json", tmp_path / "found.json", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "kappa_c = 0.110" in done.stdout and "bond at kappa_c" in done.stdout
    found = json.loads((tmp_path / "found.json").read_text())
    critical = found["kappa_c"]
    assert critical["error"] < 3e-4 and abs(critical["value"] - 0.221654626 / 2) < 3 * critical["error"] + 5e-5
    assert {crossing["kappa"]["value"] > 0.109 for crossing in found["crossings"]} == {True}
    # Lattices of such small sizes have corrections to scaling of this size.
    assert abs(found["exponents"]["nu"]["value"] - 0.63) < 4 * found["exponents"]["nu"]["error"] + 0.03
    assert abs(found["exponents"]["eta"]["value"] - 0.036) < 4 * found["exponents"]["eta"]["error"] + 0.06
    # The bond of an infinite lattice is 0.3302022.
    assert abs(found["bond"]["value"] - 0.3302) < 4 * found["bond"]["error"] + 0.005
    assert {path.name for path in tmp_path.glob("*.png")} == {"out-reweighted-collapse.png",
                                                              "out-reweighted-curves.png"}
