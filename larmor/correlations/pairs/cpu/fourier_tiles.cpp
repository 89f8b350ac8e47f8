// Fourier sums on a CPU. The phase exp(-i q.(r - r')) is exp(-i q.r) exp(i q.r'). A matrix product
// multiplies a tile by the phases of its columns. Each result is then multiplied by the phase of
// its row.

#include "larmor/correlations/fourier/site_phase.hpp"
#include "larmor/correlations/pairs/cpu/tile_kernels.hpp"
#include "larmor/correlations/pairs/cpu/tile_product.hpp"
#include "larmor/correlations/pairs/cpu/tile_reduction.hpp"

namespace larmor::correlations::real_space {
namespace {

class FourierReduction : public TileReduction {
 public:
  FourierReduction(const FourierTerms& terms, bool squared)
      : squared_(squared), width_(2 * std::ssize(terms.q)) {
    phase_.reserve(terms.position.size() * static_cast<std::size_t>(width_));
    for (const auto& r : terms.position)
      for (const auto& q : terms.q) {
        const SitePhase phase = site_phase(q, r);
        phase_.push_back(phase.re);
        phase_.push_back(-phase.im);
      }
  }

  Index working_sums() const override { return width_; }
  Index total_count() const override { return width_; }

  void add(const CorrelationTile& tile, double* sums, std::vector<double>& scratch) const override {
    if (width_ == 0) return;
    if (squared_)
      for (Index r = 0; r < tile.rows; ++r) tile_kernels().square(tile.row(r), tile.columns);
    scratch.resize(static_cast<std::size_t>(tile_rows * width_));
    multiply(tile.rows, width_, tile.columns, {tile.c, tile_columns},
             {phases_of(tile.first_column), width_}, {scratch.data(), width_});
    for (Index r = 0; r < tile.rows; ++r) {
      const double* phase = phases_of(tile.first_row + r);
      const double* sum = scratch.data() + r * width_;
      for (Index n = 0; n < width_; n += 2) {
        const double cosine = phase[n], sine = phase[n + 1], x = sum[n], y = sum[n + 1];
        sums[n] += cosine * x + sine * y;
        sums[n + 1] += cosine * y - sine * x;
      }
    }
  }

  void finish(const double* sums, double* totals) const override {
    std::copy(sums, sums + width_, totals);
  }

  /// The phase of (r', r) is the conjugate of the phase of (r, r').
  void add_both_ways(const double* of_pairs, double* totals) const override {
    for (Index n = 0; n < width_; n += 2) totals[n] += 2 * of_pairs[n];
  }

 private:
  const double* phases_of(Index site) const { return phase_.data() + site * width_; }

  bool squared_;
  Index width_;
  std::vector<double> phase_;  ///< conjugate, (site, q, re im)
};

}  // namespace

std::unique_ptr<TileReduction> tile_reduction(const PairSettings& settings,
                                              const FourierTerms& terms) {
  return std::make_unique<FourierReduction>(terms, settings.squared);
}

}  // namespace larmor::correlations::real_space
