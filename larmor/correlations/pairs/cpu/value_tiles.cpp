// On a CPU, counts pairs by the value of C, and finds the pairs with the largest and smallest C.

#include "larmor/correlations/pairs/cpu/tile_reduction.hpp"
#include "larmor/correlations/pairs/reductions/correlation_bins.hpp"

namespace larmor::correlations::real_space {
namespace {

/// Columns n with different n modulo this number have separate counts, so that consecutive
/// additions are independent.
constexpr Index copies = 4;

class ValueReduction : public TileReduction {
 public:
  explicit ValueReduction(const CorrelationBins& bins) : bins_(bins), count_of_(bins) {}

  Index working_sums() const override {
    return copies * counts_of(bins_) + extreme_pairs * numbers_of_pair;
  }
  Index total_count() const override { return totals_of(bins_); }

  void add(const CorrelationTile& tile, double* sums, std::vector<double>&) const override {
    double* numbers_of_extremes = sums + copies * counts_of(bins_);
    ExtremePairs extremes = ExtremePairs::load(numbers_of_extremes);
    for (Index r = 0; r < tile.rows; ++r) {
      const Index itself = tile.first_row + r - tile.first_column;
      const bool is_there = itself >= 0 && itself < tile.columns;
      add_range(tile, r, 0, is_there ? itself : tile.columns, sums, extremes);
      if (is_there) add_range(tile, r, itself + 1, tile.columns, sums, extremes);
    }
    extremes.store(numbers_of_extremes);
  }

  void finish(const double* sums, double* totals) const override {
    const Index counts = counts_of(bins_);
    for (Index n = 0; n < counts; ++n) {
      totals[n] = 0;
      for (Index copy = 0; copy < copies; ++copy) totals[n] += sums[copy * counts + n];
    }
    ExtremePairs::load(sums + copies * counts).store(totals + counts);
  }

  void add_both_ways(const double* of_pairs, double* totals) const override {
    add_counts(of_pairs, 2, totals);
  }

  void add_totals(const double* partial, double* totals) const override {
    add_counts(partial, 1, totals);
  }

 private:
  void add_range(const CorrelationTile& tile, Index r, Index first, Index last, double* sums,
                 ExtremePairs& extremes) const {
    const double* c = tile.row(r);
    const Index counts = counts_of(bins_);
    for (Index i = first; i < last; ++i) sums[i % copies * counts + count_of_(c[i])] += 1;
    for (Index i = first; i < last; ++i)
      if (extremes.may_hold(c[i]))
        extremes.update(ExtremePair{c[i], static_cast<std::int32_t>(tile.first_row + r),
                                    static_cast<std::int32_t>(tile.first_column + i)});
  }

  void add_counts(const double* from, double times, double* totals) const {
    const Index counts = counts_of(bins_);
    for (Index n = 0; n < counts; ++n) totals[n] += times * from[n];
    ExtremePairs extremes = ExtremePairs::load(totals + counts);
    extremes.update(ExtremePairs::load(from + counts));
    extremes.store(totals + counts);
  }

  CorrelationBins bins_;
  CountOfValue count_of_;
};

}  // namespace

std::unique_ptr<TileReduction> tile_reduction(const PairSettings&, const ByValue& reduction) {
  return std::make_unique<ValueReduction>(reduction.bins);
}

}  // namespace larmor::correlations::real_space
