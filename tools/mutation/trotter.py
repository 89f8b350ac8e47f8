"""Mutants of larmor/trotter on a CPU. The tests are those of physics_tests."""

from mutation.mutant import Mutant

MUTANTS = {
    "kinks_without_the_derivative_of_K_time": Mutant(
        "larmor/trotter/estimators.cpp",
        "transverse += «Gamma * ((M - n) * t + n / t)»;",
        "Gamma * ((M - n) * t + n * t)",
        "TrotterEstimators.AreDerivativesOfThePartitionFunction",
    ),
    "energy_without_the_prefactor": Mutant(
        "larmor/trotter/estimators.cpp",
        "transverse += «Gamma * ((M - n) * t + n / t)»;",
        "Gamma * ((M - n) * t + n / t - M * (1 + t * t) / (2 * t))",
        "TrotterEstimators.AreDerivativesOfThePartitionFunction",
    ),
    "transverse_energy_with_the_wrong_sign": Mutant(
        "larmor/trotter/estimators.cpp",
        "return {«-(classical + transverse) / M», derivative / M};",
        "-(classical - transverse) / M",
        "TrotterEstimators.AreDerivativesOfThePartitionFunction",
    ),
    "specific_heat_without_the_second_derivative": Mutant(
        "larmor/trotter/estimators.hpp",
        "return beta * beta * («energy2 - energy * energy + derivative»);",
        "energy2 - energy * energy",
        "TrotterEstimators.AreDerivativesOfThePartitionFunction",
    ),
    "time_coupling_without_its_half": Mutant(
        "larmor/trotter/trotter_model.cpp",
        "return «-0.5 * std::log(std::tanh(dtau * Gamma))»;",
        "-std::log(std::tanh(dtau * Gamma))",
        "TrotterEstimators.AreDerivativesOfThePartitionFunction",
    ),
    "periodic_time_left_open": Mutant(
        "larmor/trotter/time_words.hpp",
        "return w + 1 < time.words ? words.at(w + 1) : «after_last<W>(time, words.at(0))»;",
        "(words.at(0) >> 1)",
        "TimeWords.HoldEverySliceOnceAndItsNeighbours",
    ),
    "slices_before_the_first_from_other_fields": Mutant(
        "larmor/trotter/time_words.hpp",
        "return «((last << 1) & ~time.low) | ((last >> (time.bits - 1)) & time.low)»;",
        "(last << 1) | (last >> 31)",
        "TimeWords.HoldEverySliceOnceAndItsNeighbours",
    ),
    "counted_moves_with_half_the_time_coupling": Mutant(
        "larmor/trotter/trotter_model.cpp",
        "«2 * K_time * (2 - 2 * in_time)»;",
        "K_time * (2 - 2 * in_time)",
        "TrotterUpdates.LocalMovesHaveTheDistributionOfTheAction",
    ),
    "counted_moves_without_the_signs_of_bonds": Mutant(
        "larmor/trotter/trotter_model.cpp",
        "instance.J[static_cast<std::size_t>(b)] < 0 ? «~0u» : 0u;",
        "0u",
        "TrotterUpdates.LocalMovesHaveTheDistributionOfTheAction",
    ),
    "added_couplings_without_the_field": Mutant(
        "larmor/trotter/trotter_model.cpp",
        "of_site.push_back(«fixed(field)»);",
        "0",
        "TrotterUpdates.LocalMovesHaveTheDistributionOfTheAction",
    ),
    "glauber_moves_of_half_the_cost": Mutant(
        "larmor/trotter/summed_update.hpp",
        "if (!is_metropolis) most = most + «logarithm(Real(1.0) - u)»;",
        "-logarithm(u)",
        "TrotterUpdates.LocalMovesHaveTheDistributionOfTheAction",
    ),
    "world_lines_cut_only_at_kinks": Mutant(
        "larmor/trotter/line_view.hpp",
        "if (k == candidate) {\n        is_cut = «true»;",
        "is_cut",
        "TrotterUpdates.PiecesOfWorldLinesHaveTheDistributionOfTheAction",
    ),
    "pieces_around_the_first_slice_have_no_field": Mutant(
        "larmor/trotter/line_view.hpp",
        "{{begin, next}, first, «slices - begin_slice + first_slices», first_is_down});",
        "slices - begin_slice",
        "TrotterUpdates.PiecesOfWorldLinesHaveTheDistributionOfTheAction",
    ),
    "clusters_join_unsatisfied_bonds": Mutant(
        "larmor/trotter/space_time_clusters.strict.cpp",
        "if ((spin_[i + n] == spin_[j + n]) == «(K > 0)») join(i + n, j + n);",
        "true",
        "TrotterUpdates.ClustersHaveTheDistributionOfTheAction",
    ),
    "clusters_flip_without_the_field": Mutant(
        "larmor/trotter/space_time_clusters.strict.cpp",
        "field_[root(node)] += «h * spin_[node]»;",
        "0.0",
        "TrotterUpdates.ClustersHaveTheDistributionOfTheAction",
    ),
    "frustration_ignores_signs": Mutant(
        "larmor/trotter/transverse_ising.cpp",
        "if (root_i == root_j) return «sign_i * sign_j == sign»;",
        "true",
        "TrotterUpdates.RefuseWhatTheyCannotUpdate",
    ),
    "continuous_time_with_half_the_cuts": Mutant(
        "larmor/trotter/continuous_time.strict.cpp",
        "const double rate = «instance_.beta * instance_.Gamma[static_cast<std::size_t>(site)]»;",
        "0.5 * instance_.beta * instance_.Gamma[static_cast<std::size_t>(site)]",
        "ContinuousTime.HasTheAveragesOfTheQuantumSystem",
    ),
    "continuous_time_left_open": Mutant(
        "larmor/trotter/continuous_time.strict.cpp",
        "if (!borders_.empty()) field_.front() += «field_.back()»;",
        "0.0",
        "ContinuousTime.HasTheAveragesOfTheQuantumSystem",
    ),
    "kinks_of_continuous_time_without_their_fluctuations": Mutant(
        "larmor/trotter/continuous_time.strict.cpp",
        "return {energy - kinks / instance.beta, «-kinks / (instance.beta * instance.beta)»};",
        "0.0",
        "ContinuousTime.HasTheAveragesOfTheQuantumSystem",
    ),
    "exchange_without_kinks": Mutant(
        "larmor/trotter/instance_exchange.strict.cpp",
        "S -= «2 * time_coupling(dtau, instance.Gamma[i]) * sums.kinks[i]»;",
        "0.0",
        "InstanceExchange.KeepsTheDistributionOfEachInstance",
    ),
    "exchange_of_lines_without_the_temperature_of_kinks": Mutant(
        "larmor/trotter/instance_exchange.strict.cpp",
        "S += «std::log(instance.beta * instance.Gamma[i]) * sums.kinks[i]»;",
        "std::log(instance.Gamma[i]) * sums.kinks[i]",
        "InstanceExchange.KeepsTheDistributionOfEachInstance",
    ),
    "extrapolation_in_odd_powers": Mutant(
        "larmor/trotter/extrapolation.cpp",
        "const double x = «dtau / unit * (dtau / unit)»;",
        "dtau / unit",
        "TrotterExtrapolation.OfExactValuesIsTheQuantumValue",
    ),
    "gap_without_the_periodic_time": Mutant(
        "larmor/trotter/gap_fit.cpp",
        "return «x + std::log1p(std::exp(-2 * x)) - std::log(2.0)»;",
        "x",
        "GapFit.FindsTheGapOfTheTransferMatrix",
    ),
}
