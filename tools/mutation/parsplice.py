"""Mutants of larmor/parsplice on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

SEGMENT = "larmor/parsplice/segment.cpp"
SPLICER = "larmor/parsplice/splicer.cpp"
SCHEDULE = "larmor/parsplice/schedule.cpp"
FILE = "larmor/parsplice/segment_file.cpp"
OTHER = "larmor/parsplice/other_dynamics.cpp"
EXITS = "larmor/parsplice/exits.cpp"

MUTANTS = {
    "segments_used_in_order_of_completion": Mutant(
        SPLICER,
        "const auto found = «unused_.find({state, next_number(state)})»;",
        "std::find_if(unused_.begin(), unused_.end(),"
        " [&](const auto& segment) { return segment.first.state == state; })",
        "SplicedBits.AreThoseOfOneWorkerForAnyWorkers",
    ),
    "segments_used_twice": Mutant(
        SPLICER,
        "trajectory_.append(found->second.stays);",
        "trajectory_.append(found->second.stays);"
        " if (found->second.end_state() == state) trajectory_.append(found->second.stays);",
        "SplicedDoubleWell.HasTheExactRates",
    ),
    "segments_lost_with_their_worker": Mutant(
        SCHEDULE,
        "stop(lane_of(name));",
        "(void)name;",
        "SplicedBits.AreThoseOfOneWorkerForAnyWorkers",
    ),
    "segments_of_a_state_alike": Mutant(
        SEGMENT,
        "static_cast<std::uint64_t>(«name.number»)",
        "name.number % 2",
        "SplicedDoubleWell.HasTheExactRates",
    ),
    "segments_end_before_they_settle": Mutant(
        SEGMENT,
        "std::max(rule_.segment_steps - steps_, «rule_.correlation_steps - stayed_»)",
        "rule_.correlation_steps / 40 - stayed_",
        "SplicedDoubleWell.HasTheExactRatesIfEachSegmentIsShortAndDephased",
    ),
    "segments_begin_in_their_reference": Mutant(
        SEGMENT,
        "is_decorrelated_(«task_.is_decorrelated || rule.correlation_steps == 0»)",
        "true",
        "SplicedDoubleWell.HasTheExactRatesIfEachSegmentIsShortAndDephased",
    ),
    "dephasing_not_begun_again": Mutant(
        SEGMENT,
        "configuration_ = task_.begin;\n      stayed_ = 0;",
        "stayed_ += 0;",
        "SplicedDoubleWell.HasTheExactRatesIfEachSegmentIsShortAndDephased",
    ),
    "segments_of_files_without_their_ends": Mutant(
        FILE,
        "bind_blob(row, 3, «segment.end»);",
        "Configuration(segment.end.size(), -1.0)",
        "SplicedBits.AreThoseOfOneWorkerAfterKills",
    ),
    "parallel_time_of_one_replica": Mutant(
        OTHER,
        "trajectory_.stay(«rule_.replicas * (passed_ + advances[leaver].steps - 1) +\n"
        "                   static_cast<Index>(leaver) + 1»);",
        "passed_ + advances[leaver].steps",
        "OtherDynamics.HaveTheExactRatesToo",
    ),
    "parallel_replicas_not_dephased": Mutant(
        OTHER,
        "replicas[r] = «dephased(system_, rule_.correlation_steps, reference, keys_[r])»;",
        "reference",
        "OtherDynamics.HaveTheExactRatesToo",
    ),
    "rates_by_all_time_in_a_state": Mutant(
        EXITS,
        "left.steps += «settled->steps - correlation_steps»;",
        "settled->steps",
        "SplicedDoubleWell.HasTheExactRates",
    ),
    "correlations_of_one_time": Mutant(
        EXITS,
        "std::max(intervals[now].first, intervals[later].first - «lag»);",
        "Index{0}",
        "SplicedChain.HasTheExactRatesAndCorrelations",
    ),
    "segments_of_other_runs_taken": Mutant(
        FILE,
        "if («label(row.get(), 5) != owner»)",
        "false",
        "SplicedBits.BelongToTheRunOfTheFile",
    ),
    "direct_noise_begins_again": Mutant(
        OTHER,
        "key_.step = «static_cast<std::uint64_t>(trajectory_.steps())»;",
        "std::uint64_t{0}",
        "OtherDynamics.GoOnFromSavedNumbersWithEqualBits",
    ),
    "replicas_wait_again_after_a_restart": Mutant(
        OTHER,
        "passed_ = «saved.counters[1]»;",
        "Index{0}",
        "OtherDynamics.GoOnFromSavedNumbersWithEqualBits",
    ),
    "trajectories_end_with_a_whole_stay": Mutant(
        "larmor/parsplice/trajectory.cpp",
        "part.stay(«std::min(stay.steps, steps - part.steps())»);",
        "stay.steps",
        "TrajectoryOfStays.HasFirstParts",
    ),
    "exponentials_of_a_known_mean": Mutant(
        "larmor/parsplice/exponentiality.cpp",
        "if (A < 0.95) return std::exp(«0.9209 - 3.353 * A + 0.3 * A * A»);",
        "0.9209 - 1.5 * A",
        "Exponentiality.HasUniformPValues",
    ),
}
