"""The example of beryllium in tungsten: energies of sites, which agree with LAMMPS."""
# Rooms: atoms

import pytest

from running import require_potential, run_example, script_of_example


@pytest.fixture(scope="module", autouse=True)
def potential():
    require_potential("WBe_Wood_PRB2019.snap")


def test_sites(tmp_path):
    script = script_of_example("tungsten-beryllium", "formation")
    found = script.sites(run_example("tungsten-beryllium", tmp_path, study="sites"))
    # Energies of LAMMPS 22 July 2025, docs/benchmarks/peers/tungsten_beryllium.py, to their last digit.
    energies = {name: energy for name, (energy, _) in found.items()}
    assert energies == pytest.approx({"substitutional": 0.7615, "bond-centre": 3.5895, "tetrahedral": 4.1822,
                                      "octahedral": 5.0977}, abs=1e-4)
    assert found["substitutional"][1] == pytest.approx([2.702] * 8, abs=1e-3)
    assert found["bond-centre"][1] == pytest.approx([1.885] * 2 + [2.679] * 6, abs=1e-3)
    assert found["tetrahedral"][1] == pytest.approx([2.056] * 4 + [2.853] * 4, abs=1e-3)
    assert found["octahedral"][1][:6] == pytest.approx([1.879] * 2 + [2.427] * 4, abs=1e-3)
