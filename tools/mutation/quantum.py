"""Mutants of larmor/quantum on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "exchange_without_its_factor_of_two": Mutant(
        "larmor/quantum/hamiltonian.cpp",
        "all.push_back({Index{1} << bond.i | Index{1} << bond.j, «-2 * bond.Jxy»});",
        "-bond.Jxy",
        "QuantumProduct.IsThatOfTheExplicitMatrix",
    ),
    "flip_of_the_last_site_without_parity": Mutant(
        "larmor/quantum/hamiltonian.cpp",
        "terms.push_back({all, 0, «c * view.sign»});",
        "c",
        "QuantumProduct.IsThatOfTheExplicitMatrix",
    ),
    "bonds_between_low_and_high_sites_left_out": Mutant(
        "larmor/quantum/diagonal.cpp",
        "parts.across[static_cast<std::size_t>(i)].push_back({j - view.low_bits, «bond.Jz»});",
        "0.0",
        "QuantumProduct.OfManyPassesIsThatOfTheElements",
    ),
    "a_site_joined_to_itself_without_its_plane": Mutant(
        "larmor/quantum/diagonal.cpp",
        "parts.high.constant -= «bond.Jz + 2 * bond.Jxy»;",
        "bond.Jz",
        "QuantumProduct.IsThatOfTheExplicitMatrix",
    ),
    "copies_of_degenerate_levels_left_out": Mutant(
        "larmor/quantum/krylov_chain.cpp",
        "if (excluded_ == nullptr || «excluded_->empty()») return;",
        "true",
        "LowLevels.FindAllCopiesOfADegenerateLevel",
    ),
    "chains_that_do_not_begin_again": Mutant(
        "larmor/quantum/low_levels.cpp",
        "const bool is_done = residual <= «allowed_residual(energy.front())» ||",
        "1e300",
        "LowLevels.BeginLongChainsAgain",
    ),
    "sy_sy_is_sx_sx": Mutant(
        "larmor/quantum/expectation_values.cpp",
        "averages.sysy[a * N + b] = averages.sysy[b * N + a] = «antiparallel - parallel»;",
        "antiparallel + parallel",
        "LowLevels.HaveTheAveragesOfTheExplicitGroundState",
    ),
    "susceptibility_not_connected": Mutant(
        "larmor/quantum/full_spectrum.cpp",
        "found.susceptibility = (found.susceptibility - «beta * M * M») / model_.sites;",
        "0.0",
        "FullSpectrum.HasTheDerivativesOfTheFreeEnergy",
    ),
    "degenerate_levels_without_their_kubo_weight": Mutant(
        "larmor/quantum/full_spectrum.cpp",
        "? lower * «beta»",
        "0.0",
        "FullSpectrum.HasTheDerivativesOfTheFreeEnergy",
    ),
    "random_states_at_twice_the_temperature": Mutant(
        "larmor/quantum/typicality.cpp",
        "const Eigen::VectorXd half = («-0.5 * beta» * above.array()).exp();",
        "-0.25 * beta",
        "Typicality.IsTheSumOverTheKrylovSpace",
    ),
    "jackknife_errors_of_single_vectors": Mutant(
        "larmor/quantum/typicality.cpp",
        "std::sqrt(«(R - 1) / R» * variance)",
        "(R - 1)",
        "Typicality.AgreesWithTheFullSpectrumWithinItsErrors",
    ),
}
