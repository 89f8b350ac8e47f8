#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::correlations::real_space {
namespace {

class BinsWithCounts : public PairSums {
 public:
  BinsWithCounts(const Device& device, PairSettings settings, const PairReduction& reduction) {
    PairSettings ones = settings;
    ones.numbers = 1;
    ones.squared = false;
    ones.largest = 1;
    counts_ = make_fused_sums(device, ones, reduction, settings.share());
    const Array<double> one(device,
                            std::vector<double>(static_cast<std::size_t>(settings.sites), 1.0));
    counts_->set_both(one.data());
    synchronise(device);
    for (const bool squared : {false, true}) {
      if (squared && !settings.squares) continue;
      settings.squared = squared;
      sums_.push_back(make_fused_sums(device, settings, reduction, settings.share()));
    }
  }
  void set_rows(const double* a) override {
    for (const auto& sums : sums_) sums->set_rows(a);
  }
  void set_columns(const double* b) override {
    for (const auto& sums : sums_) sums->set_columns(b);
  }
  void set_both(const double* a) override {
    for (const auto& sums : sums_) sums->set_both(a);
  }
  void add(const RowShare& share) override {
    for (const auto& sums : sums_) sums->add(share);
    if (counts_) counts_->add(share);
  }
  Pending totals() override {
    if (counts_) pairs_ = counts_->totals().take();
    counts_.reset();
    const std::vector<double> sum = sums_[0]->totals().take();
    const std::vector<double> square =
        sums_.size() > 1 ? sums_[1]->totals().take() : std::vector<double>(sum.size());
    std::vector<double> all;
    for (std::size_t bin = 0; bin < pairs_.size(); ++bin)
      all.insert(all.end(), {sum[bin], square[bin], pairs_[bin]});
    return Pending(std::move(all));
  }

 private:
  std::unique_ptr<FusedSums> counts_;  ///< sums for the numbers of pairs, which are constant; null:
                                       ///< these are already known
  std::vector<double> pairs_;
  std::vector<std::unique_ptr<FusedSums>> sums_;  ///< sums of C, and of C^2 if requested
};

}  // namespace

std::unique_ptr<PairSums> make_bins_with_counts(const Device& device, const PairSettings& settings,
                                                const PairReduction& reduction) {
  return std::make_unique<BinsWithCounts>(device, settings, reduction);
}

}  // namespace larmor::correlations::real_space
