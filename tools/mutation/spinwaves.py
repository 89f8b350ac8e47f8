"""Mutants of larmor/spinwaves on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "stiffness_of_a_wave_that_rises_on_one_side": Mutant(
        "larmor/spinwaves/long_waves.cpp",
        "if (odd > std::max(«resolved» * std::abs(rise[0])",
        "1e9",
        "SpinWaveFrequencies.AChiralTermHidesTheStiffnessOnlyWhereItShows",
    ),
    "vectors_of_another_mode": Mutant(
        "larmor/spinwaves/normal_modes.cpp",
        "modes.vector.push_back(vectors(row, «column»));",
        "(column + 1) % vectors.cols()",
        "SpinWaveIntensities.OfEachOfTheTwoLinesOfAHoneycombFerromagnet",
    ),
    "spin_waves_against_the_phase": Mutant(
        "larmor/spinwaves/quadratic_hamiltonian.cpp",
        "phase{of_bond.re, «-of_bond.im»};",
        "of_bond.im",
        "SpinWaveFrequencies.DmiAlongTheFieldTellsKFromMinusK",
    ),
    "spin_waves_turn_clockwise": Mutant(
        "larmor/spinwaves/normal_modes.cpp",
        "product.row(row) = -i * M.row(row + 1);\n    product.row(row + 1) = i * M.row(row);",
        "product.row(row) = i * M.row(row + 1);\n    product.row(row + 1) = -i * M.row(row);",
        "SpinWaveIntensities.AreAtTheFrequenciesThatCirculateCounterclockwise",
    ),
    "spin_waves_without_moments": Mutant(
        "larmor/spinwaves/quadratic_hamiltonian.cpp",
        "std::sqrt(gyromagnetic_ratio / «hamiltonian.moment(site)»)",
        "1.0",
        "SpinWaveFrequencies.FerrimagnetOfUnequalMoments",
    ),
    "spin_waves_biquadratic_of_collinear_spins_only": Mutant(
        "larmor/spinwaves/quadratic_hamiltonian.cpp",
        "(-2 * b) * («outer(f, e)» +",
        "0.0 * outer(f, e)",
        "SpinWaveDynamics.DisorderedCouplingsInANonCollinearMinimum",
    ),
    "spin_waves_of_half_the_energy": Mutant(
        "larmor/spinwaves/spectrum.cpp",
        "return «k_B_T» / std::abs(W);",
        "0.5 * k_B_T",
        "SpinWaveIntensities.SumToTheExactGaussianIntegralTensorByTensor",
    ),
}
