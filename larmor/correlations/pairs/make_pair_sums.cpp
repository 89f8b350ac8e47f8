#include "larmor/correlations/pairs/make_pair_sums.hpp"

#include <algorithm>

#include "larmor/core/device/device.hpp"
#include "larmor/correlations/pairs/cpu/tile_sums.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::correlations::real_space {
namespace {

bool on_gpu(const Device& device) { return device.backend == Backend::cuda; }

bool counts_pairs(const PairReduction& reduction) {
  return std::holds_alternative<ByDistance>(reduction) ||
         std::holds_alternative<ByDisplacement>(reduction);
}

}  // namespace

std::unique_ptr<PairSums> make_pair_sums(const Device& device, const PairSettings& settings,
                                         const PairReduction& reduction) {
  if (!on_gpu(device)) return make_tile_sums(settings, reduction, device.threads);
  if (counts_pairs(reduction)) return make_bins_with_counts(device, settings, reduction);
  return make_fused_sums(device, settings, reduction, settings.share());
}

void require_pair_sums(const Device& device, PairPrecision precision) {
  if (on_gpu(device) && precision != PairPrecision::full && !has_tensor_core_sums(device))
    throw MachineError(std::string("sums over all pairs of sites in ") + name_of(precision) +
                       " need a GPU of compute capability 9.0 and a build with CUTLASS's headers; "
                       "precision = \"double\" needs neither");
}

Index most_groups_of_pairs(const Device& device) {
  return on_gpu(device) ? most_groups : most_pair_groups;
}

Index most_displacements_of_pairs(const Device& device) {
  return on_gpu(device) ? most_bins : most_pair_bins;
}

Index shares_of_pair_sums(const Device& device, Index sites, double multiply_adds, int ranks) {
  const double operations_of_share = on_gpu(device) ? 2e12 : 4e9;
  // Each thread or multiprocessor gets about four blocks, so that few of them are idle at the end.
  constexpr Index rounds = 4, multiprocessors = 132;
  const Index at_a_time = rounds * (on_gpu(device) ? multiprocessors : device.threads);
  const Index work_blocks =
      (on_gpu(device) ? fused_units(sites) : tile_sum_blocks(sites, 1)) / ranks;
  const auto wanted = static_cast<Index>(multiply_adds / operations_of_share) + 1;
  return std::clamp(wanted, Index{1}, std::max(Index{1}, work_blocks / at_a_time));
}

double pair_sums_bytes(const Device& device, const PairSumsSize& size, PairPrecision precision) {
  const auto& [sites, numbers, wave_vectors, bins, symmetric] = size;
  if (on_gpu(device))  // sums of units; blocks of rows have fewer sums
    return fourier_sums_bytes(sites, numbers, wave_vectors, precision, symmetric) +
           16.0 * static_cast<double>(fused_units(sites) * bins);
  const Index totals = 2 * wave_vectors + bins;
  // Each thread needs memory for its own sums and tile.
  const Index of_threads = device.threads * (symmetric ? 2 : 1);
  const Index of_sums = (tile_sum_blocks(sites, totals, symmetric) + of_threads) * totals;
  const Index matrices = symmetric ? 1 : 2;
  return 8.0 * static_cast<double>(sites * (matrices * numbers + 2 * wave_vectors)) +
         8.0 * static_cast<double>(of_sums + device.threads * tile_numbers);
}

}  // namespace larmor::correlations::real_space
