#include "larmor/clusters/grown_cluster.hpp"

#include <algorithm>

#include "larmor/clusters/row_kernels.hpp"
#include "larmor/core/maths/pack.hpp"

namespace larmor::clusters {
namespace {

enum Mark : std::uint8_t { unseen = 0, adjacent = 1, inside = 2 };

/// Bonds whose random words are drawn together. A batch keeps only bonds with a negative exponent,
/// because no other bond can be active.
struct BondBatch {
  static constexpr std::size_t most = 512;
  std::size_t count = 0;
  float a[most], b[most];
  std::uint64_t call[most], word_of_call[most];
  std::uint32_t other[most], words[most];
  std::uint8_t active[most];
};

}  // namespace

/// Clears the previous cluster.
void GrownCluster::clear(Index sites) {
  const auto count = static_cast<std::size_t>(sites);
  if (marks_.size() != count) {
    marks_.assign(count, unseen);
    sigma_.assign(count, 0.0f);
  } else {
    for (const std::uint32_t site : seen_) marks_[site] = unseen;
  }
  sites_.clear();
  seen_.clear();
  bonds_.clear();
  projected_ = 0;
}

void GrownCluster::add(std::uint32_t site) {
  marks_[site] = inside;
  sites_.push_back(site);
}

/// Lists the bonds from a site of the cluster to sites outside the cluster.
void GrownCluster::list_bonds(const GridView& grid, std::uint32_t site) {
  const auto list = [&](std::uint64_t other, std::uint64_t owner, int axis) {
    const auto to = static_cast<std::uint32_t>(other);
    if (marks_[to] == inside) return;
    if (marks_[to] == unseen) {
      marks_[to] = adjacent;
      seen_.push_back(to);
    }
    const WordPlace place = word_place(owner, axis, grid.words_shift);
    bonds_.push_back({site, to, place.call, static_cast<std::uint64_t>(place.word)});
  };
  std::uint32_t rest = site;
  for (int axis = 0; axis < grid.axes; ++axis) {
    const auto length = static_cast<std::uint32_t>(grid.length[axis]);
    const std::uint64_t x = rest % length;
    rest /= length;
    if (has_bond(grid, x, axis)) list(next_site(grid, site, x, axis), site, axis);
    const std::uint64_t x_before = x > 0 ? x - 1 : length - 1;
    const std::uint64_t before = site + (x_before - x) * grid.stride[axis];
    if (has_bond(grid, x_before, axis)) list(before, before, axis);
  }
}

/// Adds the sites at the other ends of active bonds.
void GrownCluster::try_bonds(const ReflectionClusterView& view, const ClusterKeys& keys,
                             Index replica, const ReflectedField& field) {
  field.project_sites(replica, seen_.data() + projected_,
                      static_cast<Index>(seen_.size() - projected_), sigma_.data());
  projected_ = seen_.size();
  const float K = strength_of(view, replica);
  BondBatch batch;
  for (std::size_t n = 0; n < bonds_.size();) {
    batch.count = 0;
    for (; n < bonds_.size() && batch.count < BondBatch::most; ++n) {
      const Bond& bond = bonds_[n];
      const float a = sigma_[bond.site], b = sigma_[bond.other];
      const std::size_t t = batch.count;
      batch.a[t] = a;
      batch.b[t] = b;
      batch.call[t] = bond.call;
      batch.word_of_call[t] = bond.word;
      batch.other[t] = bond.other;
      batch.count += bond_exponent(K, a, b) < 0 ? 1 : 0;
    }
    for (std::size_t t = batch.count; t % lane_count != 0; ++t)
      batch.call[t] = batch.word_of_call[t] = 0;
    const auto count = static_cast<Index>(batch.count);
    bond_row_kernels().words_of_calls(
        keys.of(Stream::cluster_bond), replica, batch.call, batch.word_of_call,
        (count + lane_count - 1) / lane_count * lane_count, batch.words);
    std::fill_n(batch.active, batch.count, std::uint8_t{0});
    reflection_row_kernels().activate(batch.a, batch.b, batch.words, count, K, 1, batch.active);
    for (std::size_t t = 0; t < batch.count; ++t)
      if (batch.active[t] != 0 && marks_[batch.other[t]] != inside) add(batch.other[t]);
  }
  bonds_.clear();
}

bool GrownCluster::grow(const ReflectionClusterView& view, const ClusterKeys& keys, Index replica,
                        const ReflectedField& field, std::uint32_t seed, Index most) {
  clear(view.sites);
  seen_.push_back(seed);
  add(seed);
  const auto all = static_cast<std::size_t>(most);
  for (std::size_t next = 0; next < sites_.size() && sites_.size() <= all;) {
    // Bonds of several sites are tried at once, because random words come in packs.
    while (next < sites_.size() && bonds_.size() + 8 <= BondBatch::most)
      list_bonds(view.grid, sites_[next++]);
    try_bonds(view, keys, replica, field);
  }
  return sites_.size() <= all;
}

}  // namespace larmor::clusters
