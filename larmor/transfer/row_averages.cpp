#include "larmor/transfer/row_averages.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/ordered_sum.hpp"

namespace larmor::transfer {
namespace {

std::array<double, RowTerms::count> sum_on_cpu(int threads, const RowTerms& terms, Index states) {
  const Index blocks = sum_blocks_of(states);
  std::vector<std::array<double, RowTerms::count>> partial(static_cast<std::size_t>(blocks));
  parallel_for(threads, blocks, [&](Index block) {
    std::array<double, RowTerms::count>& sums = partial[static_cast<std::size_t>(block)];
    sums = {};
    const Index last = std::min(states, (block + 1) * sites_of_sum_block);
    for (Index x = block * sites_of_sum_block; x < last; ++x) {
      const auto values = terms(x);
      for (std::size_t k = 0; k < values.size(); ++k) sums[k] += values[k];
    }
  });
  std::array<double, RowTerms::count> sums{};
  for (std::size_t k = 0; k < sums.size(); ++k)
    sums[k] = tree_sum(blocks, [&](Index n) { return partial[static_cast<std::size_t>(n)][k]; });
  return sums;
}

}  // namespace

RowAverages row_averages(const Vector& leading, const RowModel& model, const SiteBits& bits,
                         const RowWeights& weights) {
  RowTerms terms{};
  terms.v = leading.data();
  terms.weight = weights.view();
  terms.mask = bits.states() - 1;
  terms.sites = model.sites;
  terms.bits = bits.bits();
  for (int site = 0; site < model.sites; ++site) {
    const double K = model.K_next[static_cast<std::size_t>(site)];
    if (K == 0) continue;
    const int bit = bits.bit_of(site);
    const auto place = static_cast<std::size_t>(bit < 0 ? terms.bits : bit);
    terms.coth[place] = K / std::tanh(2 * K);
    terms.inverse_sinh[place] = K / std::sinh(2 * K);
  }
  const Device& device = leading.device();
  const auto sums = device.backend == Backend::cuda
                        ? detail::sum_on_gpu(device, terms, bits.states())
                        : sum_on_cpu(device.threads, terms, bits.states());
  // The other half of the states of a sector has the opposite spins.
  const double m = bits.sector() == Sector::all ? sums[2] : 0;
  return {sums[0] + weights.ln_bound(), sums[1], m, sums[3], sums[4], sums[5]};
}

}  // namespace larmor::transfer
