#pragma once
// Products A(q,s+t) conj A(q,s) of amplitudes A_a(q,t) of M replicas, accumulated as samples
// arrive. With one or several time origins s, products are kept. If every sample is an origin, all
// amplitudes are kept instead.

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
  Index origins = 1;  ///< unless every sample is an origin: number of origins, evenly spaced from
                      ///< the first sample on
  bool connected = true;  ///< is the mean over replicas at each time subtracted from amplitudes?

  /// Number of blocks of replicas for the errors. Each replica is a block if there are at most 64.
  /// If not, there are 64 blocks.
  Index blocks() const;
  /// The first replica of block `block`.
  Index first_of_block(Index block) const { return block * replicas / blocks(); }
  Index count_of_block(Index block) const {
    return first_of_block(block + 1) - first_of_block(block);
  }
  /// Number of samples from one origin to the next.
  Index origin_spacing() const { return samples / origins; }
  /// Weight of an origin's products in the mean of a lag; The weight is 0 if the origin does not
  /// reach the lag. It decreases towards the longest lag of the origin, so that S(q,t) has no
  /// jumps.
  double origin_weight(Index origin, Index lag) const {
    if (origins == 1) return 1;
    return static_cast<double>(std::max(samples - origin * origin_spacing() - lag, Index{0}));
  }
};

/// Makes every sample an origin if the amplitudes need less than 256 MiB. If not, chooses at most
/// 16 origins. The amplitudes of all origins except the first then need at most half the memory of
/// the products.
LaggedProductsSettings with_cheap_origins(LaggedProductsSettings settings);

/// Products of one wave vector.
struct LaggedProductsOfQ {
  using Lags = std::vector<std::complex<double>>;
  // Means over origins.
  std::vector<Lags> of_block;        ///< sum over components and the replicas of a block,
                                     ///< [B][T]
  std::array<Lags, 3> of_component;  ///< sum over replicas, [T]
  std::vector<double> equal_time;    ///< mean over samples, summed like of_block, [B]
};

class LaggedProducts {
 public:
  virtual ~LaggedProducts() = default;
  /// Adds the next sample. @param amplitude (q, replica, component, re im)
  virtual void add(std::span<const double> amplitude, int threads) = 0;
  virtual Index samples() const = 0;
  /// Products of wave vector `q`. Must be called after the last sample. Several threads may call it
  /// at once.
  virtual LaggedProductsOfQ products_of(Index q) const = 0;

  /// The data of the samples so far, for checkpoints. They are empty before the first sample.
  virtual std::vector<double> save() const = 0;
  /// @throws InputError like lagged_samples
  virtual void load(std::span<const double> saved) = 0;
};

std::unique_ptr<LaggedProducts> make_lagged_products(const LaggedProductsSettings& settings);

/// Number of samples that the saved numbers hold.
/// @throws InputError if `numbers` does not fit the settings
Index lagged_samples(const LaggedProductsSettings& settings, std::size_t numbers);

/// Bytes after the last sample. A save needs as many again.
double lagged_products_bytes(const LaggedProductsSettings& settings);

}  // namespace larmor::correlations
