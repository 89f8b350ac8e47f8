"""Mutants of larmor/core on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

HISTOGRAM = "larmor/core/statistics/mbar.cpp"
STATISTICS = "larmor/core/statistics/statistics.cpp"

MUTANTS = {
    "angles_beyond_an_octant_mirrored": Mutant(
        "larmor/core/maths/math.hpp",
        "select(steep, «Real(1.5707963267948966) - octant», octant)",
        "octant",
        "Minimisers.FindTheWayToAnotherSpin",
    ),
    "largest_added_up": Mutant(
        "larmor/core/maths/sums.hpp",
        "if (k >= K - Maxima) return «select(a < b, b, a)»;",
        "a + b",
        "Minimisers/EveryMinimiser.EnergyNeverRisesAndSpinsStayUnit/*",
    ),
    "energy_may_rise": Mutant(
        "larmor/core/maths/line_search.cpp",
        "change <= «sufficient_decrease» * length_ * slope_;",
        "-sufficient_decrease",
        "Minimisers/EveryMinimiser.EnergyNeverRisesAndSpinsStayUnit/*",
    ),
    "gamma_of_a_moment_of_g_2": Mutant(
        "larmor/core/input/units.hpp",
        "double gamma() const { return gamma(«g_e»); }",
        "2.0",
        "MaterialUnits.ASpinTurnsAtGammaTimesTheField",
    ),
    "gamma_in_cycles": Mutant(
        "larmor/core/input/units.hpp",
        "return g * mu_B / «hbar»;",
        "(6.283185307179586 * hbar)",
        "MaterialUnits.ASpinTurnsAtGammaTimesTheField",
    ),
    "femtoseconds_taken_for_picoseconds": Mutant(
        "larmor/core/input/units.cpp",
        "Unit{\"fs\", Dimension::time, [](Of) { return «1e-3»; }}",
        "1.0",
        "MaterialUnits.ASpinTurnsAtGammaTimesTheField",
    ),
    "femtoseconds_taken_for_attoseconds": Mutant(
        "larmor/core/input/units.cpp",
        "Unit{\"as\", Dimension::time, [](Of) { return «1e-6»; }}",
        "1e-3",
        "MaterialUnits.TimesAreTheSameInEveryUnit",
    ),
    "uniform_biased": Mutant(
        "larmor/core/maths/philox.hpp",
        "(integer + Real(0.5)) * «Real(1.0 / 4294967296.0)»;",
        "Real(0.95 / 4294967296.0)",
        "Samplers/Balance.ASingleMoveCarriesEqualFluxBothWays/over_relaxation:"
        "Samplers/ExactAverage.*:Samplers/Balance.SweepsLeaveTheDistributionUnchanged/*",
    ),
    "grid_halo_of_the_wrong_side": Mutant(
        "larmor/core/ranks/plane_slabs.cpp",
        "in.push_back({before_, «field.before», field.bytes});",
        "field.behind",
        "Grids/SharedGrid.HasTheBitsOfOneRank/torus_64_6",
    ),
    "reweighting_counts_all_states_alike": Mutant(
        HISTOGRAM,
        "weight(index(k)) = «counts_.of_state[k]» * std::exp(d(index(k)));",
        "counts_.of_state[0]",
        "Mbar.OfExpectedCountsHasTheExactFreeEnergies",
    ),
    "free_energies_of_energies_less_their_mean": Mutant(
        HISTOGRAM,
        "f_[k] - f_[0] + (b_[k] - b_[0]) * «origin_»",
        "0.0",
        "Mbar.OfExpectedCountsHasTheExactFreeEnergies",
    ),
    "reweighting_without_the_sum_over_states": Mutant(
        HISTOGRAM,
        "weight[e] = -b * energy_[e] - «log_sum_[e]»;",
        "0 * log_sum_[e]",
        "Mbar.OfExpectedCountsHasTheExactAveragesElsewhere",
    ),
    "reweighting_gives_up_where_newton_fails": Mutant(
        HISTOGRAM,
        "move = «iterated(gradient)»;",
        "0 * iterated(gradient)",
        "Mbar.BeginsFarFromTheSolutionAndFindsIt",
    ),
    "overlap_of_one_side": Mutant(
        HISTOGRAM,
        "shared[n] += counts_.of_cell[e] * p * «std::max(1 - p, 0.0)»;",
        "1.0",
        "Mbar.EqualStatesShareAllTheirSamples",
    ),
    "draws_with_the_weights_of_the_samples": Mutant(
        HISTOGRAM,
        "std::vector<double> change = equations.ratios(«d»);",
        "0 * d",
        "Mbar.OtherCountsChangeWeightsLikeASolutionOfTheirOwn",
    ),
    "slow_decay_of_a_series_left_out": Mutant(
        STATISTICS,
        "octave <= «needed_to_follow(begun)» * std::sqrt(2 * share)",
        "1e9",
        "error_bars/SlowDecayUnderNoise.is_in_the_error/2000_samples_x1",
    ),
    "slow_decay_in_bins_left_out": Mutant(
        STATISTICS,
        "next - here <= «needed_to_follow(begun)» * std::sqrt(2 / bins)",
        "1e9",
        "error_bars/SlowDecayUnderNoise.is_in_the_error/10000_samples_x1",
    ),
    "natural_number_without_carry": Mutant(
        "larmor/core/maths/natural_number.cpp",
        "DoubleLimb{sum[i]} + (i < added.size() ? added[i] : 0) + «carry»;",
        "0",
        "Elimination.StripsHaveTheStatesOfTheirRows",
    ),
}
