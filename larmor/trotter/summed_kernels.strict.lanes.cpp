#include "larmor/ising/multispin/grid/random_planes.hpp"
#include "larmor/trotter/local_kernels.hpp"
#include "larmor/trotter/summed_update.hpp"

namespace larmor::trotter {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

/// The words of a site of one group.
struct StoredLine {
  const std::uint32_t* p;
  int lanes;
  std::uint32_t at(int w) const { return p[Index{w} * lanes]; }
};

using OfWord = std::int32_t[bits_of_word];

void add_coupling(std::uint32_t word, std::int32_t twice_K, OfWord& sum) {
  for (int b = 0; b < bits_of_word; ++b) sum[b] += twice_K * spin_of(word, b);
}

/// The cost of a flip of each bit of a word.
void costs_of(const UpdateView& view, Index group, Index site, int w, OfWord& cost) {
  const Index point = view.point[group], stride = Index{view.time.words} * view.lanes;
  const std::uint32_t* const spins = view.spins + view.index_of(group, 0, 0);
  const StoredLine own{spins + site * stride, view.lanes};
  const std::int32_t* const of_site = view.fixed_site + 2 * (point * view.sites + site);
  for (int b = 0; b < bits_of_word; ++b) cost[b] = of_site[0];
  for (Index n = view.offset[site]; n < view.offset[site + 1]; ++n)
    add_coupling(spins[view.neighbour[n] * stride + Index{w} * view.lanes],
                 view.fixed_bond[point * view.entries + n], cost);
  add_coupling(previous_slices<std::uint32_t>(view.time, own, w), of_site[1], cost);
  add_coupling(next_slices<std::uint32_t>(view.time, own, w), of_site[1], cost);
  const std::uint32_t before = own.at(w);
  for (int b = 0; b < bits_of_word; ++b) cost[b] *= spin_of(before, b);
}

void update_word(const LocalUpdate& update, const ising::SamplePlanes& random, Index group,
                 Index site, int w) {
  const UpdateView& view = update.view;
  OfWord cost;
  costs_of(view, group, site, w, cost);
  // BITS: number b % 4 of call b / 4 decides bit b.
  std::uint32_t number[bits_of_word];
  for (int call = 0; call < bits_of_word / ising::planes_of_block; ++call) {
    std::uint32_t drawn[ising::planes_of_block];
    random.draw(static_cast<std::uint32_t>(site * view.time.words + w),
                static_cast<std::uint32_t>(call), drawn);
    for (int n = 0; n < ising::planes_of_block; ++n)
      number[call * ising::planes_of_block + n] = drawn[n];
  }
  const double scale = view.scale[view.point[group] * view.sites + site];
  std::uint32_t flips = 0;
  for (int b = 0; b < bits_of_word; ++b) {
    const std::int32_t allowed = allowed_cost(number[b], scale, view.is_metropolis, update.lazy);
    flips |= std::uint32_t{may_flip(cost[b], allowed, view.is_metropolis, update.lazy)} << b;
  }
  view.spins[view.index_of(group, site, w)] ^= flips;
}

}  // namespace

const SummedKernels summed_kernels_table{
    [](const LocalUpdate& update, Index sweeps, Index first, Index last) {
      const UpdateView& view = update.view;
      for (Index group = first; group < last; ++group) {
        RandomKey key = update.key;
        for (Index n = 0; n < sweeps; ++n, ++key.step) {
          const ising::SamplePlanes random(key, static_cast<std::uint64_t>(group), 0, 0);
          for (int parity = 0; parity < 2; ++parity)
            for (Index place = 0; place < view.sites; ++place)
              for (int w = parity; w < view.time.words; w += 2)
                update_word(update, random, group, view.order[place], w);
        }
      }
    }};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
