"""Mutants of larmor/tempering on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

ROUND_TRIPS = "larmor/tempering/round_trips.cpp"
SPACING = "larmor/tempering/spacing.cpp"
POPULATION = "larmor/tempering/population.cpp"

MUTANTS = {
    "population_weights_of_the_wrong_sign": Mutant(
        POPULATION,
        "of.push_back(exponential(«-rise» * (e - reference)));",
        "rise",
        "PopulationAnnealing.FreeEnergyOfASquareIsTheEnumerated",
    ),
    "population_free_energy_of_the_target": Mutant(
        POPULATION,
        "members = block_sums(ones);\n  const auto R = static_cast<double>(«size()»);\n  const double of_reference",
        "rule_.target",
        "Resamplings/PopulationControl.FreeEnergyGoesByTheReplicasThatThereAre/nearest_integer",
    ),
    "population_target_follows_the_size": Mutant(
        POPULATION,
        "const auto target = static_cast<double>(«rule_.target»);",
        "size()",
        "Resamplings/PopulationControl.KeepsItsSize/nearest_integer",
    ),
    "population_errors_of_single_replicas": Mutant(
        POPULATION,
        "static_cast<std::size_t>(«state_.family[static_cast<std::size_t>(replica)]» * blocks() /",
        "std::min(replica, rule_.target - 1)",
        "Resamplings/PopulationControl.ErrorsCoverWhetherOrNotReplicasForget/nearest_integer",
    ),
    "population_sources_overwritten": Mutant(
        POPULATION,
        "while («lives_at(place)») ++place;",
        "lives_at(place) && copies[static_cast<std::size_t>(place)] > 1",
        "Resamplings/PopulationControl.CopiesInPlaceWhatItSaysItCopies/nearest_integer",
    ),
    "ladder_lengths_forgotten": Mutant(
        SPACING,
        "return evenly_weighted(ladder, scale, «length», damping);",
        "std::vector<double>(length.size(), 1.0)",
        "LadderAcceptance.IsTheSameOfAllPairsOfAnIsingModel",
    ),
    "ladder_rates_of_zero_trusted": Mutant(
        SPACING,
        "std::isinf(proposals) ? rate : «(rate * proposals + 0.5) / (proposals + 1)»;",
        "rate",
        "LadderAcceptance.SaysWhichPairNeverExchanges",
    ),
    "ladder_acceptance_of_one_variance": Mutant(
        SPACING,
        "(b.b - a.b) * («a.variance + b.variance»);",
        "a.variance",
        "LadderAcceptance.OfNormalEnergiesIsThatOfSamples",
    ),
    "ladder_feedback_without_the_root": Mutant(
        SPACING,
        "weight[gap] = «std::sqrt(fraction * counts.round_trips + prior / gaps)»;",
        "fraction * counts.round_trips + prior / gaps",
        "LadderFeedback.GivesGapsRungsByTheRootOfTheirFall",
    ),
    "ladder_jumps_at_the_ends_kept": Mutant(
        SPACING,
        "counts.exchanges > 0 ? «counts.round_trips / counts.exchanges» : 0;",
        "0.0",
        "LadderFeedback.TakesOffTheJumpsThatTurnsOfTheEndsMake",
    ),
    "ladder_thinned_out_without_bound": Mutant(
        SPACING,
        "if («longest_pair(moved, ladder, scale, length) <= longest») break;",
        "true",
        "LadderFeedback.ThinsNoRungsOutBelowTheLeastAcceptance",
    ),
    "walkers_turn_at_one_end": Mutant(
        "larmor/tempering/walker_label.hpp",
        "return «rung == rungs - 1» ? WalkerLabel::from_last : before;",
        "false",
        "LadderFeedback.PutsRungsIntoTheBottleneckAndDoublesRoundTrips",
    ),
    "round_trips_of_labels_anywhere": Mutant(
        "larmor/tempering/walker_label.hpp",
        "return rung == 0 && «before == WalkerLabel::from_last»;",
        "before != WalkerLabel::none",
        "RoundTrips.AreThoseThatAcceptanceAllowsWhereEnergiesForget",
    ),
    "round_trips_of_every_second_exchange": Mutant(
        ROUND_TRIPS,
        "counts.exchanges / counts.sweeps / «(2 + 2 * resistances)»;",
        "(1 + resistances)",
        "RoundTrips.AreThoseThatAcceptanceAllowsWhereEnergiesForget",
    ),
    "round_trip_errors_of_sums": Mutant(
        ROUND_TRIPS,
        "left_out < ladders ? «ladders - 1» : ladders);",
        "ladders",
        "RoundTrips.HaveTheErrorsOfTheirLadders",
    ),
    "bottlenecks_that_acceptance_explains": Mutant(
        ROUND_TRIPS,
        "const bool rarely = «acceptance[pair] < rare * usual»;",
        "false",
        "RoundTrips.NameAPairThatExchangesRarely",
    ),
    "worse_ladders_kept": Mutant(
        "larmor/tempering/ladder_tuning.cpp",
        "state_.best.empty() || «rate > state_.best_rate») {",
        "true",
        "LadderTuning.KeepsTheLadderWithMostRoundTrips",
    ),
    "replica_exchange_sign": Mutant(
        "larmor/tempering/exchange_kernel.hpp",
        "const double exponent = «(beta_[0] - beta_[1])» * (energy",
        "(beta_[1] - beta_[0])",
        "Kinds/ParallelTempering.GivesTheExactEnergyOfEveryRung/*",
    ),
    "round_trips_counted_at_the_last_rung": Mutant(
        "larmor/tempering/walker_label.hpp",
        "return «rung == 0» && before == WalkerLabel::from_last;",
        "rung != 0",
        "Walkers.AreCountedByTheEndTheyVisitedLast",
    ),
    "walkers_without_a_partner_not_counted": Mutant(
        "larmor/tempering/exchange_kernel.hpp",
        "return (rungs + «first_rung» + 1) / 2;",
        "0 * first_rung",
        "Walkers.AreCountedByTheEndTheyVisitedLast",
    ),
    "exchange_sign_in_a_study": Mutant(
        "larmor/tempering/exchange_kernel.hpp",
        "const double exponent = «(beta_[0] - beta_[1])» * (energy",
        "(beta_[1] - beta_[0])",
        "TemperingOfIsingSpins.HasTheDistributionsThatAreEnumeratedAtAllTemperatures",
    ),
    "exchange_leaves_cones_behind": Mutant(
        "larmor/tempering/exchange_kernel.hpp",
        "const Index width = «pass.view.tuned_numbers»;",
        "0",
        "Tempering.EveryRungHasTheConesOfItsTemperature",
    ),
    "exchanges_of_one_parity_among_sweeps": Mutant(
        "larmor/tempering/exchanges.hpp",
        "static_cast<int>(«(parity + exchanges)» % 2)",
        "parity",
        "Tempering.TunedLaddersExchangeAllPairsAlike",
    ),
}
