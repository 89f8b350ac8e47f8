#pragma once
// What structure factors keep of amplitudes A_a(q,t) of M replicas as samples come, one after the
// other: products A(q,s+t) conj A(q,s), where the first time s = 0 is the only origin or some times
// are; all amplitudes, where every time is one.

#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "larmor/correlations/spectra/time_transform.hpp"

namespace larmor::correlations {

struct LaggedProductsSettings {
  Index waves = 0, replicas = 1, samples = 1;  ///< Q, M, T
  bool all_origins = false;
  Index origins = 1;  ///< where not all are: so many, evenly spaced, the first sample one of them
  bool connected = true;  ///< amplitudes are less their mean over replicas at their time

  /// Blocks of replicas that are told apart, for the errors: as many as there are replicas, if
  /// these are not many.
  Index blocks() const;
  /// Replicas of a block, and before it.
  Index first_of_block(Index block) const { return block * replicas / blocks(); }
  Index count_of_block(Index block) const {
    return first_of_block(block + 1) - first_of_block(block);
  }
  /// Samples from one origin to the next.
  Index origin_spacing() const { return samples / origins; }
  /// Weight of an origin's products among those of a lag, 0 where it has none. It tends to 0
  /// towards the longest lag that the origin has, so that S(q,t) does not jump where one drops out.
  double origin_weight(Index origin, Index lag) const {
    if (origins == 1) return 1;
    return static_cast<double>(std::max(samples - origin * origin_spacing() - lag, Index{0}));
  }
};

/// The settings with every sample as an origin, where their amplitudes take less than 256 MiB.
/// Otherwise with at most 16, whose amplitudes take no more than half of what their products do.
LaggedProductsSettings with_cheap_origins(LaggedProductsSettings settings);

/// Of one wave vector.
struct LaggedProductsOfQ {
  using Lags = std::vector<std::complex<double>>;
  // Means over origins.
  std::vector<Lags> of_block;        ///< summed over replicas of a block and components, [B][T]
  std::array<Lags, 3> of_component;  ///< summed over replicas, [T]
  std::vector<double> equal_time;    ///< averaged over samples, summed as of_block, [B]
};

class LaggedProducts {
 public:
  virtual ~LaggedProducts() = default;
  /// The next sample. @param amplitude (q, replica, component, re im)
  virtual void add(std::span<const double> amplitude, int threads) = 0;
  virtual Index samples() const = 0;
  /// After the last sample; by several threads at once.
  virtual LaggedProductsOfQ of(Index q) const = 0;

  /// For checkpoints: what belongs to the samples so far; nothing before the first.
  virtual std::vector<double> save() const = 0;
  /// @throws InputError as lagged_samples
  virtual void load(std::span<const double> saved) = 0;
};

std::unique_ptr<LaggedProducts> make_lagged_products(const LaggedProductsSettings& settings);

/// Samples that so many saved numbers are of. @throws InputError where they are of others
Index lagged_samples(const LaggedProductsSettings& settings, std::size_t numbers);

/// Bytes that they take at the end; as much again while they are saved.
double lagged_products_bytes(const LaggedProductsSettings& settings);

}  // namespace larmor::correlations
