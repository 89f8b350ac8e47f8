#pragma once
// Bins of pairs of sites over which stages sum: their choice by keys, their largest number, and
// their names in results.

#include "larmor/core/device/device.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/reductions/displacement_bins.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"
#include "larmor/study/model_kind/results_group.hpp"
#include "larmor/study/models/spins/tables/displacement_choice.hpp"
#include "larmor/study/models/spins/tables/pair_correlations_table.hpp"
#include "larmor/study/models/spins/tables/site_groups.hpp"

namespace larmor::study {

/// Numbers of bins of one table of a study.
struct PairBinCounts {
  Index groups = 0, displacements = 0;
  correlations::real_space::PairPrecision precision{};
  SourcePosition where, where_displacement;
};

/// @throws InputError for more groups or displacements than sums over pairs allow on this device
/// @throws MachineError if a GPU cannot sum over pairs in this precision
void require_pair_bins(const Device& device, const PairBinCounts& counts);

/// Sets width and bins of distance, displacement, group and groups from the keys of a table.
template <class Settings>
void choose_bins(const lattice::Geometry& geometry, const std::vector<DistanceTable>& distance,
                 const DisplacementChoice& displacement, const SiteGroupChoice& groups,
                 Settings& settings) {
  if (!distance.empty()) {
    settings.width = distance[0].width;
    settings.bins = distance[0].bins;
  }
  settings.displacement = displacement.of(geometry);
  SiteGroupChoice::Groups chosen = groups.of(geometry);
  settings.groups = std::ssize(chosen.names);
  settings.group = std::move(chosen.of_site);
}

/// Writes displacements in cells along each lattice vector. @param group group of the datasets
void write_displacements(ResultsGroup& results, const std::string& group,
                         const correlations::real_space::DisplacementBins& bins);

/// Writes 0, width, 2 width, ... @param group with these datasets
void write_distances(ResultsGroup& results, const std::string& group, double width, Index bins,
                     const std::string& unit);

}  // namespace larmor::study
