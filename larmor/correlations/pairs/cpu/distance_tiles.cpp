// Sums by distance on a CPU. For a row of a tile, bins of several pairs are computed in lanes. Then
// pairs are added one after the other.

#include "larmor/core/maths/pack.hpp"
#include "larmor/correlations/pairs/cpu/tile_kernels.hpp"
#include "larmor/correlations/pairs/cpu/tile_reduction.hpp"
#include "larmor/correlations/pairs/reductions/minimum_image.hpp"

namespace larmor::correlations::real_space {
namespace {

class DistanceReduction : public TileReduction {
 public:
  explicit DistanceReduction(const ByDistance& reduction)
      : box_(minimum_image(reduction.bins.periods)),
        bins_(reduction.bins.bins),
        bins_per_length_(1 / reduction.bins.width),
        position_(reduction.position.begin(), reduction.position.end()) {
    for (const auto& r : position_) {
      x_.push_back(r.x);
      y_.push_back(r.y);
      z_.push_back(r.z);
    }
    for (auto* coordinate : {&x_, &y_, &z_}) coordinate->resize(position_.size() + lane_count);
  }

  Index working_sums() const override { return bin_copies * numbers_of_copy(); }
  Index total_count() const override { return 3 * bins_; }

  void add(const CorrelationTile& tile, double* sums, std::vector<double>&) const override {
    static_assert(tile_columns % lane_count == 0);
    std::int32_t bin[tile_columns];
    BinsRequest request;
    request.x = x_.data() + tile.first_column;
    request.y = y_.data() + tile.first_column;
    request.z = z_.data() + tile.first_column;
    request.columns = tile.columns;
    request.period = box_.period;
    request.dual = box_.dual;
    request.shift = box_.shift;
    request.bins_per_length = bins_per_length_;
    request.bins = static_cast<std::int32_t>(bins_);
    request.bin = bin;
    const TileKernels& kernels = tile_kernels();
    for (Index r = 0; r < tile.rows; ++r) {
      request.site = position_[static_cast<std::size_t>(tile.first_row + r)];
      kernels.find_bins(request);
      kernels.add_to_bins(tile.row(r), bin, tile.columns, bins_, sums);
    }
  }

  void finish(const double* sums, double* totals) const override {
    for (Index bin = 0; bin < bins_; ++bin)
      for (Index n = 0; n < 3; ++n) {
        double total = 0;
        for (Index copy = 0; copy < bin_copies; ++copy)
          total += sums[copy * numbers_of_copy() + bin * numbers_of_bin + n];
        totals[bin * 3 + n] = total;
      }
  }

  void add_both_ways(const double* of_pairs, double* totals) const override {
    for (Index n = 0; n < total_count(); ++n) totals[n] += 2 * of_pairs[n];
  }

 private:
  /// The last bin holds pairs beyond all bins.
  Index numbers_of_copy() const { return (bins_ + 1) * numbers_of_bin; }

  MinimumImage box_;
  Index bins_;
  double bins_per_length_;
  std::vector<Vec3<double>> position_;
  std::vector<double> x_, y_, z_;  ///< positions, padded to whole lanes
};

}  // namespace

std::unique_ptr<TileReduction> tile_reduction(const PairSettings&, const ByDistance& reduction) {
  return std::make_unique<DistanceReduction>(reduction);
}

}  // namespace larmor::correlations::real_space
