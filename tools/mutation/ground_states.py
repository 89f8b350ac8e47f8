"""Mutants of larmor/ground_states on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

PROBLEMS = "larmor/ground_states"
RUNGS_OF_PROBLEMS = "problems/ProblemOfKind.EveryRungHasTheBoltzmannAverageOfTheEnergy/*"

MUTANTS = {
    "problem_exchange_by_the_wrong_energy": Mutant(
        PROBLEMS + "/ladder_search.cpp",
        "(replicas_.energy(a) - «replicas_.energy(b)»)",
        "replicas_.energy(at(copy, 0))",
        RUNGS_OF_PROBLEMS,
    ),
    "problem_sweep_at_twice_the_temperature": Mutant(
        PROBLEMS + "/replicas.cpp",
        "sweep(arrangement_->rows(), view(n), «temperature / 2», key, of_seed, sweeps)",
        "temperature",
        RUNGS_OF_PROBLEMS,
    ),
    "problem_pairs_without_their_coupling": Mutant(
        PROBLEMS + "/sweep_kernels.strict.lanes.cpp",
        "spin * (field - coupling * Real(«2 * of_partner»))",
        "0 * of_partner",
        RUNGS_OF_PROBLEMS,
    ),
    "problem_cluster_flipped_in_one_copy": Mutant(
        PROBLEMS + "/isoenergetic.cpp",
        "change_of_b += «flip_sparse(rows, of_b, position)»;",
        "0",
        "Problems.AnIsoenergeticMoveKeepsTheSumOfTheEnergies",
    ),
    "problem_mirrored_in_a_field": Mutant(
        PROBLEMS + "/isoenergetic.cpp",
        "if (2 * different > arrangement_->spins() && «!arrangement_->has_fields()»)",
        "true",
        "Problems.EveryRungOfARingHasTheAverageOfItsTransferMatrix",
    ),
    "problem_pairs_never_flipped": Mutant(
        PROBLEMS + "/problem_ladder.cpp",
        "range.with_pairs = «of_pairs > 0 && of_pairs < cheap * of_spins»;",
        "false",
        "Problems.PairsOfSpinsLeadThroughARuleThatAllObey",
    ),
    "problem_bits_with_halved_couplings": Mutant(
        PROBLEMS + "/quadratic_problem.cpp",
        "field[static_cast<std::size_t>(coupling.j)].add(«coupling.value»);",
        "coupling.value / 2",
        "problems/ProblemOfKind.SpinFormHasTheValueOfEveryState/*_bits",
    ),
    "enumeration_tree_with_one_field": Mutant(
        PROBLEMS + "/enumeration_kernel.hpp",
        "of_down[i] = «field[i] - Real(J[last][i])»;",
        "field[i] + Real(J[last][i])",
        "problems/ProblemOfKind.EnumerationFindsWhatAllStatesOneByOneSay/*",
    ),
    "enumeration_flips_leave_the_middle": Mutant(
        PROBLEMS + "/enumeration_kernel.hpp",
        "middle_[k] = middle_[k] + factor * Real(«view_.J(i, low_spins + k)»);",
        "Number(0)",
        "problems/ProblemOfKind.EnumerationFindsWhatAllStatesOneByOneSay/*",
    ),
    "enumeration_mirror_images_forgotten": Mutant(
        PROBLEMS + "/enumeration.cpp",
        "NaturalNumber(low->count * («has_mirror ? 2 : 1»))",
        "1",
        "problems/ProblemOfKind.EnumerationFindsWhatAllStatesOneByOneSay/*_without_fields",
    ),
    "elimination_next_energy_of_one_setting": Mutant(
        PROBLEMS + "/elimination.cpp",
        "next[x] = std::min<Number>(next[x] + more, «least[x] + table.next[from]»);",
        "next[x] + more",
        "problems/EliminationOfKind.FindsWhatAllStatesSay/*",
    ),
    "elimination_states_of_one_setting": Mutant(
        PROBLEMS + "/elimination.cpp",
        "(has_least(block, 1, x) ? «block.states[1][x]» : 0)",
        "0",
        "problems/EliminationOfKind.FindsWhatAllStatesSay/whole_*",
    ),
    "elimination_mirror_images_of_other_settings": Mutant(
        PROBLEMS + "/elimination.cpp",
        "return is_halved() && place == width - 1 ? «bit - 1» : bit;",
        "0",
        "problems/EliminationOfKind.FindsWhatAllStatesSay/*_without_fields",
    ),
    "elimination_reads_numbers_of_other_settings": Mutant(
        PROBLEMS + "/elimination.cpp",
        "states[x] *= table.states[(base ^ places.low(x)) * «table.limbs»];",
        "1",
        "Elimination.StripsHaveTheStatesOfTheirRows",
    ),
    "elimination_counts_all_within_rounding": Mutant(
        PROBLEMS + "/elimination.cpp",
        "if («gap > whole_.tolerance») {",
        "true",
        "Elimination.EnergiesWithinRoundingAreOneOrNotKnown",
    ),
    "time_to_solution_of_one_search": Mutant(
        PROBLEMS + "/time_to_solution.cpp",
        "return time * «std::max(1.0, repeats)»;",
        "1.0",
        "Problems.TimeToSolutionIsThatOfTheBestRestart",
    ),
}
