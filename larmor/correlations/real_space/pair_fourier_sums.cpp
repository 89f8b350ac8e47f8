#include "larmor/correlations/real_space/pair_fourier_sums.hpp"

#include "larmor/correlations/real_space/fused_sums.hpp"
#include "larmor/correlations/real_space/panel_sums.hpp"

namespace larmor::correlations::real_space {
namespace {

class OnGpu : public PairFourierSums {
 public:
  OnGpu(const Device& device, const PairFourierSettings& s)
      : sums_(make_fourier_sums(device, {s.sites, s.numbers, s.precision, s.squared, {}}, s.q,
                                s.position)) {}
  void set_rows(const double* a) override { sums_->set_rows(a); }
  void set_columns(const double* b) override { sums_->set_columns(b); }
  Pending totals() override {
    sums_->launch();
    return sums_->totals();
  }

 private:
  std::unique_ptr<FusedSums> sums_;
};

class OnCpu : public PairFourierSums {
 public:
  OnCpu(const Device& device, const PairFourierSettings& s) : threads_(device.threads) {
    FourierPanelSettings panels;
    panels.sites = s.sites;
    panels.numbers = s.numbers;
    panels.squared = s.squared;
    panels.q = s.q;
    panels.position = s.position;
    sums_ = make_fourier_panels(panels);
  }
  void set_rows(const double* a) override { sums_->set_rows(a); }
  void set_columns(const double* b) override { sums_->set_columns(b); }
  Pending totals() override { return Pending(sums_->totals(threads_)); }

 private:
  int threads_;
  std::unique_ptr<PanelSums> sums_;
};

}  // namespace

std::unique_ptr<PairFourierSums> make_pair_fourier_sums(const Device& device,
                                                        const PairFourierSettings& settings) {
  if (device.backend == Backend::cuda) return std::make_unique<OnGpu>(device, settings);
  return std::make_unique<OnCpu>(device, settings);
}

double pair_fourier_bytes(const Device& device, Index sites, Index numbers, Index wave_vectors,
                          PairPrecision precision) {
  if (device.backend == Backend::cuda)
    return fourier_sums_bytes(sites, numbers, wave_vectors, precision);
  return 16.0 * static_cast<double>(sites) * static_cast<double>(numbers + wave_vectors);
}

}  // namespace larmor::correlations::real_space
