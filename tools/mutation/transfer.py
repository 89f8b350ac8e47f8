"""Mutants of larmor/transfer on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "odd_states_are_even": Mutant(
        "larmor/transfer/transfer_matrix.cpp",
        "b_ = «bits.sector() == Sector::odd ? -b : b»;",
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
        "Lanczos.FindsEveryCopyOfALevel",
    ),
    "restarts_without_the_couplings_of_kept_vectors": Mutant(
        "larmor/transfer/lanczos.cpp",
        "couplings.push_back(«projected(k, j) * factor_[static_cast<std::size_t>(j)]»);",
        "0.0",
        "Lanczos.OfFewVectorsFindsTheLevelsOfMany",
    ),
    "vectors_never_made_orthogonal_again": Mutant(
        "larmor/transfer/lanczos.cpp",
        "if (!is_exhausted && estimate_overlaps() > «largest_overlap») {",
        "1e300",
        "Lanczos.*:StripSpectrum.*",
    ),
    "factors_of_vectors_forgotten_in_products": Mutant(
        "larmor/transfer/lanczos.cpp",
        "const double alpha = «factor * matrix_.multiply(v, factor, before, beta_before, w)»;",
        "matrix_.multiply(v, factor, before, beta_before, w)",
        "Lanczos.OfFewVectorsFindsTheLevelsOfMany",
    ),
    "bonds_to_the_next_row_without_coth": Mutant(
        "larmor/transfer/row_averages.cpp",
        "return K == 0 ? 0 : «K / std::tanh(2 * K)»;",
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
