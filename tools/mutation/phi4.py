"""Mutants of larmor/phi4 on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

FIELD_LOOPS = "larmor/phi4/local_kernels.strict.lanes.cpp"

MUTANTS = {
    "phi4_lazy_sweeps_as_others": Mutant(
        "larmor/phi4/update_kernel.hpp",
        "if («couplings.some_fixed && lattice::is_lazy_sweep(key.step)») {",
        "false",
        "LazySweeps.FlipHalfOfTheFreeSpinsOfALimitOfPhi4",
    ),
    "field_numbers_of_pairs_of_sites": Mutant(
        "larmor/phi4/update_kernel.hpp",
        "const auto first = philox<Words>(key, «site», replica);",
        "site >> 1",
        "Systems/FieldAverages.AreExactByEverySampler/bond_of_*",
    ),
    "field_trials_forget_a_fifth_of_lambda": Mutant(
        "larmor/phi4/update_kernel.hpp",
        "rise + (after - before) * (Real(1.0f) + «couplings.lambda» * (after + before - Real(2.0f)));",
        "Real(0.8f) * couplings.lambda",
        "Systems/FieldAverages.AreExactByEverySampler/site_of_four",
    ),
    "field_trials_of_more_kappa": Mutant(
        "larmor/phi4/update_kernel.hpp",
        "Real rise = «Real(-2.0f)» * couplings.kappa * dot(change, B);",
        "Real(-2.1f)",
        "Systems/FieldAverages.AreExactByEverySampler/open_chain_*",
    ),
    "field_heat_bath_one_per_cent_wide": Mutant(
        "larmor/phi4/update_kernel.hpp",
        "couplings.kappa * B.c[n] + «Real(0.70710678118654752f)» * random.normal.c[n];",
        "Real(0.7142f)",
        "Systems/FieldAverages.AreExactByEverySampler/gaussian_three",
    ),
    "field_heat_bath_of_half_the_field": Mutant(
        "larmor/phi4/update_kernel.hpp",
        "const Real below = exponential(«Real(-4.0f)» * kappa * B.c[0]);",
        "Real(-3.96f)",
        "Systems/FieldAverages.AreExactByEverySampler/ising_square",
    ),
    "field_cosines_of_a_per_cent_more": Mutant(
        "larmor/phi4/update_kernel.hpp",
        "const Double h = «Double(2.0)» * converted<Double>(kappa) * length,",
        "Double(2.02)",
        "Systems/FieldAverages.AreExactByEverySampler/open_chain_heisenberg",
    ),
    "field_reflected_about_a_shorter_one": Mutant(
        "larmor/phi4/update_kernel.hpp",
        "const Real twice = «Real(2.0f)» * dot(phi, B) / square;",
        "Real(1.99f)",
        "Fields.OverRelaxationKeepsTheActionAndClustersTheLengths",
    ),
    "field_lengths_drift": Mutant(
        "larmor/phi4/field_view.hpp",
        "const Real scale = «Real(1.5f) - Real(0.5f) * dot(phi, phi)»;",
        "Real(1.0000005f)",
        "Fields.LengthsOfOneStayThroughManyUpdates",
    ),
    "field_neighbour_before_left_out": Mutant(
        "larmor/phi4/field_view.hpp",
        "if («has_bond(grid, before, axis)»)",
        "has_bond(grid, before, axis) && x > 0",
        "Grids/PacksOfSites.AreUpdatedAsSiteBySite/rows_of_8",
    ),
    "field_row_before_left_out": Mutant(
        FIELD_LOOPS,
        "if («has_bond(grid_, before, axis)»)",
        "has_bond(grid_, before, axis) && x > 0",
        "Systems/FieldAverages.AreExactByEverySampler/torus_of_one",
    ),
    "field_open_rows_closed": Mutant(
        FIELD_LOOPS,
        "return «closes» ? RowEnds{",
        "true",
        "Grids/PacksOfSites.AreUpdatedAsSiteBySite/open_rows",
    ),
    "field_packs_of_the_first_replica": Mutant(
        FIELD_LOOPS,
        "const std::uint64_t own = «batch.replica[k + l]»;",
        "replica",
        "Grids/PacksOfSites.AreUpdatedAsSiteBySite/open_chain",
    ),
    "field_trials_counted_for_the_first_replica": Mutant(
        FIELD_LOOPS,
        "accepted[static_cast<Index>(«batch.replica[k]») - first_replica] +=",
        "batch.replica[0]",
        "Grids/PacksOfSites.AreUpdatedAsSiteBySite/open_chain",
    ),
    "field_colours_of_odd_axes_as_of_even": Mutant(
        "larmor/phi4/field_view.hpp",
        "return «is_odd_ring(grid, axis) && x + 1 == grid.length[axis]» ? 2",
        "false",
        "Fields.SitesOfAColourAreNoNeighbours",
    ),
}
