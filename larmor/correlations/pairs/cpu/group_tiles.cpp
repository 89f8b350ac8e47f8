// Sums between groups on a CPU. Sites are sorted by group, so that runs of columns of a row belong
// to one pair of groups. Sites without a group are left out.

#include <algorithm>

#include "larmor/correlations/pairs/cpu/tile_kernels.hpp"
#include "larmor/correlations/pairs/cpu/tile_reduction.hpp"

namespace larmor::correlations::real_space {
namespace {

class GroupReduction : public TileReduction {
 public:
  GroupReduction(const BetweenGroups& between, bool squared)
      : squared_(squared), groups_(between.groups) {
    const auto label = [&](Index site) { return between.group[static_cast<std::size_t>(site)]; };
    for (Index site = 0; site < std::ssize(between.group); ++site)
      if (label(site) >= 0) order_.push_back(site);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](Index a, Index b) { return label(a) < label(b); });
    for (const Index site : order_) label_.push_back(label(site));
  }

  std::optional<std::span<const Index>> order() const override { return order_; }
  Index working_sums() const override { return groups_ * groups_; }
  Index total_count() const override { return groups_ * groups_; }

  void add(const CorrelationTile& tile, double* sums, std::vector<double>&) const override {
    const TileKernels& kernels = tile_kernels();
    const auto first = label_.begin() + tile.first_column, last = first + tile.columns;
    for (Index r = 0; r < tile.rows; ++r) {
      double* c = tile.row(r);
      if (squared_) kernels.square(c, tile.columns);
      double* row_sums = sums + label_[static_cast<std::size_t>(tile.first_row + r)] * groups_;
      for (auto begin = first; begin != last;) {
        const auto end = std::upper_bound(begin, last, *begin);
        row_sums[*begin] += kernels.sum(c + (begin - first), end - begin);
        begin = end;
      }
    }
  }

  void finish(const double* sums, double* totals) const override {
    std::copy(sums, sums + groups_ * groups_, totals);
  }

  void add_both_ways(const double* of_pairs, double* totals) const override {
    for (Index g = 0; g < groups_; ++g)
      for (Index h = 0; h < groups_; ++h)
        totals[g * groups_ + h] += of_pairs[g * groups_ + h] + of_pairs[h * groups_ + g];
  }

 private:
  bool squared_;
  Index groups_;
  std::vector<Index> order_;
  std::vector<std::int32_t> label_;  ///< groups of the sites, in the order of order()
};

}  // namespace

std::unique_ptr<TileReduction> tile_reduction(const PairSettings& settings,
                                              const BetweenGroups& between) {
  return std::make_unique<GroupReduction>(between, settings.squared);
}

}  // namespace larmor::correlations::real_space
