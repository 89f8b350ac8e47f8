"""Mutants of larmor/overlaps on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "overlap_of_opposites_counted_once": Mutant(
        "larmor/overlaps/copy_sums.cpp",
        "return 1 - «2» * static_cast<double>(n)",
        "1",
        "OverlapSums.OfCountedOppositesAreThoseOfStates",
    ),
    "waves_of_opposites_without_their_planes": Mutant(
        "larmor/overlaps/copy_sums.cpp",
        "const double sum = «axis.sites[plane]» - 2",
        "axis.sites[0]",
        "OverlapSums.OfCountedOppositesAreThoseOfStates",
    ),
    "overlap_wave_at_the_origin": Mutant(
        "larmor/overlaps/overlap_estimates.cpp",
        "std::sqrt(x[square] / «at_k(x)» - 1)",
        "(at_k(x) / 2)",
        "Overlaps.OfCopiesOnALadderAreThoseOfAllPairsOfStates",
    ),
    "overlap_cumulant_of_vectors": Mutant(
        "larmor/overlaps/overlap_estimates.cpp",
        "return («entries + 2» - entries * x[fourth]",
        "entries + 1",
        "Overlaps.OfCopiesOnALadderAreThoseOfAllPairsOfStates",
    ),
    "overlap_of_replicas_at_other_rungs": Mutant(
        "larmor/overlaps/copy_pairs.cpp",
        "const auto rung = static_cast<Index>(«rungs[static_cast<std::size_t>(r)]»);",
        "r % layout.rungs",
        "Overlaps.OfCopiesOnALadderAreThoseOfAllPairsOfStates",
    ),
    "overlap_links_of_one_copy": Mutant(
        "larmor/overlaps/copy_sums.cpp",
        "of_links += x * «y»;",
        "x",
        "Overlaps.TellTheEnergyOfVectorSpinsWithNormalCouplings",
    ),
    "overlap_energy_of_half_the_bonds": Mutant(
        "larmor/overlaps/overlap_estimates.cpp",
        "return «-scale.bonds_of_spin» * *scale.variance",
        "-scale.bonds_of_spin / 2",
        "Overlaps.TellTheEnergyOfTheSherringtonKirkpatrickModel",
    ),
}
