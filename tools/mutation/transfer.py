"""Mutants of larmor/transfer on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "odd_states_are_even": Mutant(
        "larmor/transfer/transfer_matrix.cpp",
        "input_.b = «bits.sector() == Sector::odd ? -b : b»;",
        "b",
        "TransferMatrix.IsTheExplicitMatrix",
    ),
    "couplings_along_the_strip_without_their_sign": Mutant(
        "larmor/transfer/transfer_matrix.cpp",
        "return «K >= 0 ? std::pair(1.0, small) : std::pair(small, 1.0)»;",
        "std::pair(1.0, small)",
        "TransferMatrix.IsTheExplicitMatrix",
    ),
    "scale_without_the_couplings_along_the_strip": Mutant(
        "larmor/transfer/transfer_matrix.cpp",
        "ln_scale_ += «std::abs(K)»;",
        "0.0",
        "StripSpectrum.OfPeriodicRowsIsThatOfFreeFermions",
    ),
    "bonds_between_low_and_high_bits_left_out": Mutant(
        "larmor/transfer/row_weights.cpp",
        "rest.bonds.push_back({i - plain_bits_, j - plain_bits_, «bond.K»});",
        "0.0",
        "TransferMatrix.IsTheExplicitMatrix",
    ),
    "degenerate_levels_left_out": Mutant(
        "larmor/transfer/lanczos.cpp",
        "if (is_filled && top <= «least * (1 + clearly_smaller)») return true;",
        "1e300",
        "StripSpectrum.FindsDegenerateLevels",
    ),
    "bonds_to_the_next_row_without_coth": Mutant(
        "larmor/transfer/row_averages.cpp",
        "terms.coth[place] = «K / std::tanh(2 * K)»;",
        "K",
        "RowAverages.AreDerivativesOfTheEigenvalue",
    ),
    "lengths_of_vectors_forgotten": Mutant(
        "larmor/transfer/strip.cpp",
        "ln_scale_ += matrix.ln_scale() + «std::log(length)»;",
        "0.0",
        "StripProduct.IsTheSumOverAllStates",
    ),
}
