"""Mutants of larmor/lattice on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "disorder_depends_on_the_direction": Mutant(
        "larmor/lattice/quenched_disorder.cpp",
        "static_cast<std::uint64_t>(«std::max(i, j)»)",
        "std::max(j, Index{0})",
        "Conventions.DisorderBelongsToThePairHoweverItIsNamed",
    ),
    "uniform_couplings_that_are_normal": Mutant(
        "larmor/lattice/exchange_keys.cpp",
        "return disorder * «pair_uniform(disorder_seed, i, j, sample_of(replica))»;",
        "pair_deviate(disorder_seed, i, j, sample_of(replica))",
        "ClusterSampling.EnergiesOfSamplesAreThoseOfTheConfigurations",
    ),
    "samples_of_every_replica": Mutant(
        "larmor/lattice/exchange_keys.hpp",
        "return disorder_by_replica ? «replica / replicas_of_sample» : 0;",
        "replica",
        "ReplicaDisorder.ReplicasOfASampleHaveItsCouplingsAndFields",
    ),
    "one_substitute_too_few": Mutant(
        "larmor/lattice/occupancy.cpp",
        "const Index wanted = «std::llround(*replacement.fraction * static_cast<double>(count))»;",
        "Index(*replacement.fraction * static_cast<double>(count))",
        "Occupancy.TheNumberReplacedIsExact",
    ),
    "first_sites_replaced": Mutant(
        "larmor/lattice/occupancy.cpp",
        "return «rank != other.rank ? rank < other.rank : site < other.site»;",
        "site < other.site",
        "Occupancy.EverySiteIsAsLikelyAndNeighboursAreIndependent",
    ),
    "species_of_one_end": Mutant(
        "larmor/lattice/bonds.cpp",
        "return (s == (*between)[0] && «t == (*between)[1]») ||",
        "true",
        "Alloy.CouplingsBetweenSpeciesCountedByHand",
    ),
    "bimodal_disorder_of_one_sign": Mutant(
        "larmor/lattice/exchange_keys.cpp",
        "std::copysign(disorder, «deviate»)",
        "deviate * deviate",
        "Conventions.BimodalExchangeHasTwoValuesEquallyOften",
    ),
    "layers_not_closed": Mutant(
        "larmor/lattice/triangulation.cpp",
        "if («geometry.periodic[d]») shifted[d] =",
        "geometry.periodic[2]",
        "Lattices/TopologicalCharge.RandomSpinsOnAPeriodicLayerHaveAWholeCharge/*",
    ),
    "layers_of_one_height": Mutant(
        "larmor/lattice/layers.cpp",
        "return chain.size() == 1 || «chain.back().height - chain.front().height < std::min(limit, 1.0)»;",
        "false",
        "TopologicalChargeOfLayers.ABuckledHoneycombIsOneLayer",
    ),
    "layers_of_any_thickness": Mutant(
        "larmor/lattice/layers.cpp",
        "return chain.size() == 1 || «chain.back().height - chain.front().height < std::min(limit, 1.0)»;",
        "true",
        "TopologicalChargeOfLayers.LayersThatFollowOneAnotherStayApart",
    ),
    "layers_end_with_the_cell": Mutant(
        "larmor/lattice/layers.cpp",
        "if («!continues_in_next_cell(geometry, levels, limit)») return chains;",
        "true",
        "TopologicalChargeOfLayers.ABuckledHoneycombIsOneLayer",
    ),
    "offsets_between_any_species": Mutant(
        "larmor/lattice/bond_selection.cpp",
        "return geometry.species(pair.i) != first || «geometry.species(pair.j) != second»;",
        "false",
        "UppasdStudies.RandomAlloysCoupleChemicalTypes",
    ),
}
