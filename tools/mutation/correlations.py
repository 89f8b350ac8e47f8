"""Mutants of larmor/correlations on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

STATIC = "larmor/correlations/spectra/static_structure_factor.cpp"

MUTANTS = {
    "phase_sign": Mutant(
        "larmor/correlations/fourier/site_phase.hpp",
        "return {cosine, «-sine»};",
        "sine",
        "Spectrum.DmiChainTellsQFromMinusQ",
    ),
    "spectrum_time_reversed": Mutant(
        "larmor/correlations/spectra/lagged_products.cpp",
        "const Complex product = «d * std::conj(first)»;",
        "std::conj(d) * first",
        "Spectrum.DmiChainTellsQFromMinusQ",
    ),
    "quantum_gains_as_much_as_it_loses": Mutant(
        "larmor/correlations/spectra/correlator.cpp",
        "x / «-std::expm1(-x)»",
        "std::expm1(x)",
        "SpinWaveIntensities.QuantumOnesAreClassicalOnesWithDetailedBalance",
    ),
    "vacancies_scatter": Mutant(
        "larmor/correlations/spectra/structure_factor.cpp",
        "N = static_cast<double>(«spins_»);",
        "sites_",
        "Vacancies.StructureFactorIsASpinAndTheSameByFftAndBySums",
    ),
    "mean_over_replicas_left_out": Mutant(
        "larmor/correlations/pairs/pair_correlations.cpp",
        "if («!left_out.holds(m)») mean += vectors[3 * m + a];",
        "true",
        "*PairCorrelationsOfSystem.AreThoseOfLoops*",
    ),
    "square_of_correlations_with_itself": Mutant(
        "larmor/correlations/pairs/pair_correlations.cpp",
        "«(of_sum - sum_of_squares) / (M * (M - 1))»",
        "of_sum / (M * M)",
        "*PairCorrelationsOfSystem.AreThoseOfLoops*",
    ),
    "displacement_the_other_way": Mutant(
        "larmor/correlations/pairs/cpu/displacement_tiles.cpp",
        "place(1, «row.y - from.cell[1]»)",
        "from.cell[1] - row.y",
        "*PairCorrelationsOfSystem.AreThoseOfLoops*",
    ),
    "site_with_itself_in_the_distribution": Mutant(
        "larmor/correlations/pairs/cpu/value_tiles.cpp",
        "add_range(tile, r, «itself + 1», tile.columns",
        "itself",
        "*PairCorrelationsOfSystem.AreThoseOfLoops*",
    ),
    "pairs_not_turned_round_at_negative_times": Mutant(
        "larmor/correlations/spectra/pair_correlations_in_time.cpp",
        "turned.push_back(«h * groups + g»);",
        "g * groups + h",
        "*PairsInTimeOfSystem.AreThoseOfLoops*",
    ),
    "spectrum_of_pairs_conjugated": Mutant(
        "larmor/correlations/spectra/pair_correlations_in_time.cpp",
        "spectrum.emplace_back(real[k], «-imaginary[k]»);",
        "imaginary[k]",
        "*PairsInTimeOfSystem.AreThoseOfLoops*",
    ),
    "static_tensor_conjugated": Mutant(
        STATIC,
        "«A[a] * std::conj(A[(a + 1) % 3])»",
        "std::conj(A[a]) * A[(a + 1) % 3]",
        "StaticStructureFactor.IsTheSumOverPairsOfSites",
    ),
    "static_not_per_spin": Mutant(
        STATIC,
        "return of_rows[static_cast<std::size_t>(row)].value / «spins»;",
        "1.0",
        "StaticStructureFactor.IsTheSumOverPairsOfSites",
    ),
    "static_pairs_of_replicas_miscounted": Mutant(
        STATIC,
        "(of_sum - of_each) / («M * (M - 1)»)",
        "M * M",
        "StaticStructureFactor.ConnectedSubtractsTheMeansOfTwoReplicas",
    ),
}
