#pragma once
// Fourier sums over pairs on a GPU.

#include <algorithm>
#include <functional>
#include <numbers>
#include <vector>

#include "larmor/correlations/pairs/gpu/fourier_epilogue.cuh"
#include "larmor/correlations/pairs/gpu/sums_of_pairs.cuh"

namespace larmor::correlations::real_space {

template <class Numbers>
class FourierSums : public SumsOfPairs<Numbers> {
 public:
  FourierSums(const Device& device, const PairSettings& settings, std::span<const Vec3<double>> q,
              std::span<const Vec3<double>> position, const RowShare& share)
      : SumsOfPairs<Numbers>(device, settings, share, 2 * std::ssize(q),
                             2 * std::min<Index>(most_wave_vectors, std::ssize(q)), summing_warps),
        wave_vectors_(std::ssize(q)) {
    const Index padded_sites = this->grid_.padded;
    phases_ =
        Array<char>(device, whole(wave_vectors_, Numbers::wave_vectors) * padded_sites * row_bytes);
    std::vector<double> turns;
    for (const Vec3<double>& k : q)
      for (const double x : {k.x, k.y, k.z}) turns.push_back(x / (2 * std::numbers::pi));
    const Array<double> turns_on_device(device, turns),
        position_on_device(device, by_component(position));
    larmor::cuda::launch(this->stream(), packing_shape(wave_vectors_ * settings.sites),
                         phase_kernel<Numbers>, turns_on_device.data(), position_on_device.data(),
                         wave_vectors_, settings.sites, padded_sites, phases_.data());
    larmor::cuda::synchronise(device.ordinal);
  }

  void add(const RowShare& share) override {
    this->select_rows(share);
    for (Index first = 0; first < wave_vectors_; first += most_wave_vectors) {
      const Index count = std::min<Index>(most_wave_vectors, wave_vectors_ - first);
      PairGrid grid = this->grid_;
      grid.phases = phases_.data() + first / Numbers::wave_vectors * this->grid_.padded * row_bytes;
      grid.phase_blocks = static_cast<int>(whole(count, Numbers::wave_vectors));
      const FourierEpilogue<Numbers> epilogue{static_cast<int>(count), this->settings_.squared,
                                              reinterpret_cast<double2*>(this->sums_.data())};
      this->run(grid, epilogue, 2 * first, 2 * count);
    }
  }

  /// The phase of (r', r) is the conjugate of the phase of (r, r').
  std::function<void(std::vector<double>&)> both_ways() const override {
    return [](std::vector<double>& totals) {
      for (std::size_t q = 0; q < totals.size(); q += 2) totals[q + 1] = 0;
    };
  }

 private:
  Index wave_vectors_;
  Array<char> phases_;
};

/// Makes Fourier sums for a given arithmetic.
/// @tparam Arithmetic has in_precision(precision, make), which calls make(numbers) with the number
/// type of the precision
template <class Arithmetic>
std::unique_ptr<FusedSums> sums_by(const Device& device, const PairSettings& settings,
                                   const FourierTerms& terms, const RowShare& share) {
  return Arithmetic::in_precision(settings.precision,
                                  [&]<class Numbers>(Numbers) -> std::unique_ptr<FusedSums> {
                                    return std::make_unique<FourierSums<Numbers>>(
                                        device, settings, terms.q, terms.position, share);
                                  });
}

}  // namespace larmor::correlations::real_space
