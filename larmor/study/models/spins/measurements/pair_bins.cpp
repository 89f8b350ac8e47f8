#include "larmor/study/models/spins/measurements/pair_bins.hpp"

#include "larmor/correlations/pairs/make_pair_sums.hpp"

namespace larmor::study {

void require_pair_bins(const Device& device, const PairBinCounts& counts) {
  correlations::real_space::require_pair_sums(device, counts.precision);
  const bool on_gpu = device.backend == Backend::cuda;
  const std::string sums = on_gpu ? "the GPU sums " : "the CPU sums ";
  const Index most = correlations::real_space::most_groups_of_pairs(device);
  if (counts.groups > most)
    throw InputError("correlations between " + std::to_string(counts.groups) + " groups of sites",
                     counts.where, sums + std::to_string(most) + " at most");
  const Index most_bins = correlations::real_space::most_displacements_of_pairs(device);
  if (counts.displacements > most_bins)
    throw InputError("correlations of " + std::to_string(counts.displacements) + " displacements",
                     counts.where_displacement,
                     sums + std::to_string(most_bins) +
                         " at most: give displacement = { cells = [..] }" +
                         (on_gpu ? ", or --backend cpu" : ""));
}

void write_displacements(ResultsGroup& results, const std::string& group,
                         const correlations::real_space::DisplacementBins& bins) {
  const std::array<const char*, 3> names{"dx", "dy", "dz"};
  for (std::size_t d = 0; d < 3; ++d) {
    std::vector<double> cells;
    for (Index n = 0; n < bins.count[d]; ++n)
      cells.push_back(static_cast<double>(bins.least[d] + n));
    results.write(group + names[d], cells, {bins.count[d]}, "");
  }
}

void write_distances(ResultsGroup& results, const std::string& group, double width, Index bins,
                     const std::string& unit) {
  std::vector<double> edges;
  for (Index n = 0; n <= bins; ++n) edges.push_back(width * static_cast<double>(n));
  results.write(group + "edges", edges, {bins + 1}, unit);
}

}  // namespace larmor::study
