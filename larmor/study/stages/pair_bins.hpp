#pragma once
// Bins of pairs of sites that stages sum over: how many there can be, and which they are in
// results.

#include "larmor/core/device.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/real_space/displacement_bins.hpp"
#include "larmor/correlations/real_space/pair_precision.hpp"
#include "larmor/study/results_group.hpp"

namespace larmor::study {

/// Of one table of a study.
struct PairBinCounts {
  Index groups = 0, displacements = 0;
  correlations::real_space::PairPrecision precision{};
  SourcePosition where, where_displacement;
};

/// @throws InputError for more groups or displacements than sums over pairs have there
/// @throws MachineError where a GPU cannot sum over pairs in this precision
void require_pair_bins(const Device& device, const PairBinCounts& counts);

/// How many cells the displacements along each lattice vector are. @param group that has them
void write_displacements(ResultsGroup& results, const std::string& group,
                         const correlations::real_space::DisplacementBins& bins);

/// 0, width, 2 width, ... @param group that has them
void write_distances(ResultsGroup& results, const std::string& group, double width, Index bins,
                     const std::string& unit);

}  // namespace larmor::study
