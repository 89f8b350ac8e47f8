#pragma once
// On a GPU, counts pairs by the value of C, and finds the pairs with the largest and smallest C.

#include <functional>
#include <limits>
#include <string>

#include "larmor/correlations/pairs/gpu/sums_of_pairs.cuh"
#include "larmor/correlations/pairs/gpu/value_epilogue.cuh"

namespace larmor::correlations::real_space {

template <class Numbers>
class ValueSums : public SumsOfPairs<Numbers> {
 public:
  ValueSums(const Device& device, const PairSettings& settings, const CorrelationBins& bins,
            const RowShare& share)
      : SumsOfPairs<Numbers>(device, settings, share, totals_of(bins), counts_of(bins), 1),
        count_of_(bins.scaled(Numbers::scale * Numbers::scale)),
        counts_(counts_of(bins)),
        of_units_(device, of_extremes * summing_warps * this->grid_.units()),
        on_device_(device, counts_ + of_extremes * this->all_row_blocks_) {
    if (static_cast<double>(rows_of_tile) * static_cast<double>(this->grid_.segment) >
        static_cast<double>(std::numeric_limits<unsigned int>::max()))
      throw InputError(std::to_string(settings.sites) +
                       " sites are too many for a GPU to count pairs by their correlation");
  }

  void add(const RowShare& share) override {
    this->select_rows(share);
    const PairGrid& grid = this->grid_;
    const ValueEpilogue<Numbers> epilogue{count_of_, static_cast<int>(this->settings_.sites),
                                          static_cast<int>(counts_), this->sums_.data(),
                                          of_units_.data()};
    this->run(grid, epilogue, 0, counts_);
    if (this->first_share_)
      larmor::cuda::check(
          cudaMemsetAsync(extremes_of_row_blocks(), 0, bytes_of_extremes(), this->stream()),
          "forgetting the last extremes");
    if (grid.row_blocks == 0) return;
    larmor::cuda::launch(
        this->stream(), larmor::cuda::shape_of(grid.row_blocks, 1, packing_threads),
        extremes_kernel, grid, of_units_.data(), this->all_row_blocks_, extremes_of_row_blocks());
  }

  Pending totals() override {
    this->add_up_ranks();
    larmor::cuda::launch(this->stream(), {dim3(static_cast<unsigned>(counts_)), packing_threads},
                         total_kernel, this->row_block_sums_.data(), this->all_row_blocks_, 1.0,
                         on_device_.data());
    larmor::cuda::check(
        cudaMemcpyAsync(on_device_.data() + counts_, extremes_of_row_blocks(), bytes_of_extremes(),
                        cudaMemcpyDeviceToDevice, this->stream()),
        "copying the extremes of blocks of rows");
    Pending totals(this->device_, on_device_.data(), on_device_.size());
    return std::move(totals).then(
        [counts = counts_, row_blocks = this->all_row_blocks_](std::vector<double>& all) {
          ExtremePairs extremes;
          for (Index row_block = 0; row_block < row_blocks; ++row_block) {
            double of_row_block[of_extremes];
            for (Index n = 0; n < of_extremes; ++n)
              of_row_block[n] = all[static_cast<std::size_t>(counts + n * row_blocks + row_block)];
            extremes.update(ExtremePairs::load(of_row_block));
          }
          for (ExtremePair* pair : {&extremes.largest, &extremes.smallest})
            pair->c /= Numbers::scale * Numbers::scale;
          all.resize(static_cast<std::size_t>(counts + of_extremes));
          extremes.store(all.data() + counts);
        });
  }

  /// The order of a pair changes neither counts nor extreme pairs.
  std::function<void(std::vector<double>&)> both_ways() const override {
    return [](std::vector<double>&) {};
  }

 private:
  static constexpr Index of_extremes = extreme_pairs * numbers_of_pair;

  double* extremes_of_row_blocks() {
    return this->row_block_sums_.data() + counts_ * this->all_row_blocks_;
  }
  std::size_t bytes_of_extremes() const {
    return static_cast<std::size_t>(of_extremes * this->all_row_blocks_) * sizeof(double);
  }

  CountOfValue count_of_;
  Index counts_;
  Array<double> of_units_;   ///< (unit, warp, number)
  Array<double> on_device_;  ///< counts and extremes of blocks of rows
};

/// @tparam Arithmetic as in fourier_sums.cuh
template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const ByValue& reduction, const RowShare& share) {
  require_at_most(most_bins, reduction.bins.bins, "bins of correlations");
  return Arithmetic::in_precision(
      settings.precision, [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
        return std::make_unique<ValueSums<Numbers>>(device, settings, reduction.bins, share);
      });
}

}  // namespace larmor::correlations::real_space
