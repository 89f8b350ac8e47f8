#include "larmor/transfer/row_averages.hpp"

#include <algorithm>
#include <bit>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/ordered_sum.hpp"

namespace larmor::transfer {
namespace {

/// @return sums over the own parts (term, part)
std::vector<double> row_sums_on_cpu(const VectorSpace& space, const RowTerms& terms) {
  const Index states = space.own(), blocks = sum_blocks_of(states);
  std::vector<std::array<double, RowTerms::count>> partial(static_cast<std::size_t>(blocks));
  parallel_for(space.device().threads, blocks, [&](Index block) {
    std::array<double, RowTerms::count>& sums = partial[static_cast<std::size_t>(block)];
    sums = {};
    const Index last = std::min(states, (block + 1) * sites_of_sum_block);
    for (Index x = block * sites_of_sum_block; x < last; ++x) {
      const auto values = terms(x);
      for (std::size_t k = 0; k < values.size(); ++k) sums[k] += values[k];
    }
  });
  const Index parts = space.own_parts(), each = blocks / parts;
  std::vector<double> sums;
  for (std::size_t k = 0; k < RowTerms::count; ++k)
    for (Index part = 0; part < parts; ++part)
      sums.push_back(tree_sum(
          each, [&](Index n) { return partial[static_cast<std::size_t>(part * each + n)][k]; }));
  return sums;
}

std::vector<double> row_sums(const VectorSpace& space, const RowTerms& terms) {
#if defined(LARMOR_HAS_CUDA)
  if (space.device().backend == Backend::cuda)
    return space.totals(detail::row_sums_on_gpu(space, terms));
#endif
  return space.totals(row_sums_on_cpu(space, terms));
}

}  // namespace

RowAverages row_averages(const VectorSpace& space, const Vector& leading, const Vector& next,
                         const RowModel& model, const SiteBits& bits, const RowWeights& weights) {
  RowTerms terms{};
  terms.v = leading.data();
  terms.z = next.data();
  terms.weight = weights.view(space.first());
  terms.first = space.first();
  terms.sites = model.sites;
  const int rank_bits = std::countr_zero(static_cast<unsigned>(space.ranks()));
  const int own_bits = bits.bits() - rank_bits;
  // BITS: bits that may be bits of the rank have sums of their own, for any number of ranks.
  terms.bits = bits.bits() - std::countr_zero(static_cast<unsigned>(space.parts()));
  Vector received;
  if (rank_bits > 0) received = space.vector();
  std::vector<double> sums(RowTerms::count);
  const auto add = [&] {
    const std::vector<double> more = row_sums(space, terms);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += more[k];
  };
  const auto coth_of = [&](int site) {
    const double K = model.K_next[static_cast<std::size_t>(site)];
    return K == 0 ? 0 : K / std::tanh(2 * K);
  };
  const auto inverse_sinh_of = [&](int site) {
    const double K = model.K_next[static_cast<std::size_t>(site)];
    return K == 0 ? 0 : K / std::sinh(2 * K);
  };
  const auto is_own = [&](int site) {
    return bits.bit_of(site) >= 0 && bits.bit_of(site) < terms.bits;
  };
  for (int site = 0; site < model.sites; ++site)
    if (is_own(site)) {
      terms.coth[bits.bit_of(site)] = coth_of(site);
      terms.inverse_sinh[bits.bit_of(site)] = inverse_sinh_of(site);
    }
  add();
  for (int site = 0; site < model.sites; ++site) {
    if (is_own(site)) continue;
    const int bit = bits.bit_of(site);
    const int with = bit < 0           ? space.ranks() - 1 - space.rank()
                     : bit >= own_bits ? space.rank() ^ 1 << (bit - own_bits)
                                       : space.rank();
    if (with != space.rank()) space.exchange(next, received, with);
    terms.across = with != space.rank() ? received.data() : next.data();
    terms.across_mask = bit < 0 ? space.own() - 1 : bit >= own_bits ? 0 : Index{1} << bit;
    terms.across_coth = coth_of(site);
    terms.across_inverse_sinh = inverse_sinh_of(site);
    add();
  }
  // The other half of the states of a sector has the opposite spins.
  const double m = bits.sector() == Sector::all ? sums[2] : 0;
  return {sums[0] + weights.ln_bound(), sums[1], m, sums[3], sums[4], sums[5]};
}

}  // namespace larmor::transfer
