#pragma once
// Numbers of pairs by the value of C on a GPU, and the pairs with the largest and smallest C.

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
        on_device_(device, counts_ + of_extremes * this->all_panels_) {
    if (static_cast<double>(panel_rows) * static_cast<double>(this->grid_.segment) >
        static_cast<double>(std::numeric_limits<unsigned int>::max()))
      throw InputError("a GPU does not count pairs of " + std::to_string(settings.sites) +
                       " sites by their correlation");
  }

  void add(const RowShare& part) override {
    this->take_rows(part);
    const PairGrid& grid = this->grid_;
    const ValueEpilogue<Numbers> epilogue{count_of_, static_cast<int>(this->settings_.sites),
                                          static_cast<int>(counts_), this->sums_.data(),
                                          of_units_.data()};
    this->run(grid, epilogue, 0, counts_);
    if (this->first_part_)
      larmor::cuda::check(
          cudaMemsetAsync(extremes_of_panels(), 0, bytes_of_extremes(), this->stream()),
          "forgetting the last extremes");
    if (grid.panels == 0) return;
    extremes_kernel<<<static_cast<unsigned>(whole(grid.panels, packing_threads)), packing_threads,
                      0, this->stream()>>>(grid, of_units_.data(), this->all_panels_,
                                           extremes_of_panels());
    larmor::cuda::check(cudaGetLastError(), "finding the extremes of panels");
  }

  Pending totals() override {
    this->add_up_ranks();
    total_kernel<<<static_cast<unsigned>(counts_), packing_threads, 0, this->stream()>>>(
        this->of_panels_.data(), this->all_panels_, 1.0, on_device_.data());
    larmor::cuda::check(cudaGetLastError(), "adding up numbers of pairs");
    larmor::cuda::check(
        cudaMemcpyAsync(on_device_.data() + counts_, extremes_of_panels(), bytes_of_extremes(),
                        cudaMemcpyDeviceToDevice, this->stream()),
        "copying the extremes of panels");
    Pending totals(this->device_, on_device_.data(), on_device_.size());
    return std::move(totals).then(
        [counts = counts_, panels = this->all_panels_](std::vector<double>& all) {
          ExtremePairs extremes;
          for (Index panel = 0; panel < panels; ++panel) {
            double of_panel[of_extremes];
            for (Index n = 0; n < of_extremes; ++n)
              of_panel[n] = all[static_cast<std::size_t>(counts + n * panels + panel)];
            extremes.take(ExtremePairs::load(of_panel));
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

  double* extremes_of_panels() { return this->of_panels_.data() + counts_ * this->all_panels_; }
  std::size_t bytes_of_extremes() const {
    return static_cast<std::size_t>(of_extremes * this->all_panels_) * sizeof(double);
  }

  CountOfValue count_of_;
  Index counts_;
  Array<double> of_units_;   ///< (unit, warp, number)
  Array<double> on_device_;  ///< counts and extremes of panels
};

/// @tparam Arithmetic as in Fourier sums
template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const ByValue& by, const RowShare& share) {
  require_at_most(most_bins, by.bins.bins, "bins of correlations");
  return Arithmetic::in_precision(
      settings.precision, [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
        return std::make_unique<ValueSums<Numbers>>(device, settings, by.bins, share);
      });
}

}  // namespace larmor::correlations::real_space
