#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"

#include <cmath>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/reductions/minimum_image.hpp"

namespace larmor::correlations::real_space {
namespace {

void check_count(Index sites, std::size_t given, const char* what) {
  if (given != static_cast<std::size_t>(sites))
    throw InputError("there are " + std::to_string(given) + " " + what + " for " +
                     std::to_string(sites) + " sites");
}

void check_finite(std::span<const Vec3<double>> vectors, const char* what) {
  for (std::size_t i = 0; i < vectors.size(); ++i)
    if (!std::isfinite(vectors[i].x) || !std::isfinite(vectors[i].y) ||
        !std::isfinite(vectors[i].z))
      throw InputError(std::string(what) + " " + std::to_string(i) + " is not finite");
}

void check_kind(const FourierTerms& terms, Index sites) {
  check_count(sites, terms.position.size(), "positions");
  check_finite(terms.position, "the position of site");
  check_finite(terms.q, "wave vector");
}

void check_kind(const ByDistance& reduction, Index sites) {
  check_count(sites, reduction.position.size(), "positions");
  check_finite(reduction.position, "the position of site");
  minimum_image(reduction.bins.periods);
  if (!(reduction.bins.width > 0) || !std::isfinite(reduction.bins.width))
    throw InputError("bins of distances need a width that is positive and finite");
  if (reduction.bins.bins < 1 || reduction.bins.bins > most_pair_bins)
    throw InputError("there can be 1 to " + std::to_string(most_pair_bins) +
                     " bins of distances, not " + std::to_string(reduction.bins.bins));
}

void check_kind(const ByDisplacement& reduction, Index sites) {
  check_count(sites, reduction.site.size(), "atoms and cells");
  const DisplacementBins& bins = reduction.bins;
  if (bins.bins() > most_pair_bins)
    throw InputError("there can be " + std::to_string(most_pair_bins) +
                     " bins of displacements at most, not " + std::to_string(bins.bins()));
  for (std::size_t i = 0; i < reduction.site.size(); ++i) {
    const lattice::SiteIndex& site = reduction.site[i];
    bool is_there = site.basis >= 0 && site.basis < bins.atoms;
    for (std::size_t d = 0; d < 3; ++d)
      is_there = is_there && site.cell[d] >= 0 && site.cell[d] < bins.size[d];
    if (!is_there)
      throw InputError("site " + std::to_string(i) + " belongs to no atom and cell of the sample");
  }
}

void check_kind(const BetweenGroups& between, Index sites) {
  const auto& [group, groups] = between;
  check_count(sites, group.size(), "labels");
  if (groups < 1 || groups > most_pair_groups)
    throw InputError("there can be 1 to " + std::to_string(most_pair_groups) +
                     " groups of sites, not " + std::to_string(groups));
  for (std::size_t i = 0; i < group.size(); ++i)
    if (group[i] < -1 || group[i] >= groups)
      throw InputError("site " + std::to_string(i) + " has the label " + std::to_string(group[i]) +
                       ", but a label must be from 0 to below " + std::to_string(groups) +
                       ", or -1 for no group");
}

void check_kind(const ByValue& reduction, Index) {
  const CorrelationBins& bins = reduction.bins;
  if (bins.bins < 1 || bins.bins > most_pair_bins)
    throw InputError("there can be 1 to " + std::to_string(most_pair_bins) +
                     " bins of correlations, not " + std::to_string(bins.bins));
  if (!std::isnormal((bins.greatest - bins.least) / static_cast<double>(bins.bins)) ||
      bins.greatest < bins.least)
    throw InputError("bins of correlations need a width that is positive and finite");
}

}  // namespace

void check(const PairReduction& reduction, Index sites) {
  std::visit([&](const auto& kind) { check_kind(kind, sites); }, reduction);
}

}  // namespace larmor::correlations::real_space
