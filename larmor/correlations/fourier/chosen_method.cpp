// Chooses the faster method for amplitudes. The choice uses fits to measured times.

#include <algorithm>
#include <cmath>

#include "larmor/correlations/fourier/amplitudes.hpp"
#include "larmor/correlations/fourier/planes.hpp"

namespace larmor::correlations {
namespace {

Index largest_prime_factor(Index number) {
  Index largest = 1;
  for (Index prime = 2; number > 1; ++prime)
    for (; number % prime == 0; number /= prime) largest = prime;
  return largest;
}

/// Do sums over the sites, one for each wave vector, take longer than one FFT? The formula is a fit
/// to `larmor bench correlations --backend cpu --only auto` for lattices of up to 256^2 sites. The
/// result differs between processors by up to a factor of two. The choice must not depend on the
/// number of threads.
bool takes_transform_on_cpu(Index waves, const lattice::Geometry& geometry, Index replicas) {
  const double few_sites = replicas == 1 ? 26 : 40;
  // If there are more sites than this, their phases do not fit in cache and are read from memory
  // repeatedly.
  constexpr double many = 1e4;
  const double more_sites = std::max(static_cast<double>(geometry.sites()) / many, 1.0);
  // FFTs of lengths with larger prime factors take up to several times as long.
  constexpr double small_prime = 7;
  const double longest = replicas == 1 ? 3.8 : 6.5;
  Index prime = 1;
  for (const Index cells : geometry.size) prime = std::max(prime, largest_prime_factor(cells));
  const double larger_prime = std::max(static_cast<double>(prime) / small_prime, 1.0);
  const double equal =
      few_sites * std::pow(more_sites, -0.3) * std::min(std::pow(larger_prime, 0.75), longest);
  return static_cast<double>(waves) > equal;
}

/// Microseconds on an H200 for sums over the sites, one for each wave vector.
double microseconds_of_sums(Index waves, Index number_of_sites, Index replicas) {
  const auto sites = static_cast<double>(number_of_sites), q = static_cast<double>(waves);
  if (replicas == 1) return 7 + 7.9e-6 * sites * q;
  // A matrix product has 64, 32 or 16 wave vectors. Phases take as long to compute as their product
  // with the spins of three blocks of replicas.
  const auto blocks = static_cast<double>((replicas + lane_count - 1) / lane_count);
  const double of_tile = 1.8e-4 * sites * std::max(blocks, 3.24);
  if (waves <= 16) return 10.7 + 0.32 * blocks + 0.41 * of_tile;
  const double tiles = waves <= 32 ? 0.84 : std::ceil(q / 64);
  return std::min(33.0, 15.2 + 4.6 * blocks) + tiles * of_tile;
}

/// Cost of a transform length in cuFFT.
struct LengthOfTransform {
  double factor = 1;      ///< time relative to lengths with small prime factors
  bool is_split = false;  ///< does cuFFT split this length into more kernels than such lengths?
};

LengthOfTransform length_of_transform(Index cells) {
  constexpr Index largest_small = 13, largest_in_one_kernel = 127;
  const Index prime = largest_prime_factor(cells);
  if (prime <= largest_small) return {};
  if (prime == cells && cells <= largest_in_one_kernel)
    return {std::max(1.0, static_cast<double>(prime) / 22.4), false};
  return {2.5, true};
}

/// Microseconds of the FFT on an H200. The sum has the latency of dependent kernels, the time for
/// planes, and the time for columns with wave vectors.
double microseconds_of_transform(Index waves, const lattice::Geometry& geometry, Index replicas) {
  const PlanesOfCells planes(geometry.size);
  const Index lanes = replicas == 1 ? 1 : (replicas + lane_count - 1) / lane_count * lane_count;
  const auto fields = static_cast<double>(3 * lanes);
  const double numbers = fields * static_cast<double>(planes.count() * planes.cells_of_plane());
  const double numbers_of_columns =
      fields * static_cast<double>(planes.count() * std::min(waves, planes.half_cells()));
  LengthOfTransform slowest;
  for (const Index cells : geometry.size) {
    const LengthOfTransform length = length_of_transform(cells);
    slowest = {std::max(slowest.factor, length.factor), slowest.is_split || length.is_split};
  }
  const double kernels = (planes.size[planes.slow] > 1 ? 21.2 : 13.6) + (slowest.is_split ? 9 : 0);
  constexpr double fit_into_caches = 5e6;
  const double memory = numbers < fit_into_caches ? 0.8 : 1;
  const double data = memory * (1.67e-5 * numbers + 1.4e-5 * numbers_of_columns);
  return static_cast<double>(geometry.crystal.basis.size()) * (kernels + slowest.factor * data);
}

/// Does the FFT take less time than the sums? The formula is a fit to `larmor bench correlations
/// --only amplitudes` for square lattices, honeycombs and cubes. If the times are nearly equal,
/// either choice is good.
bool takes_transform_on_gpu(Index waves, const lattice::Geometry& geometry, Index replicas) {
  // For few wave vectors, the sums take little more time than the reading of the spins.
  constexpr Index few = 8;
  return (replicas == 1 || waves > few) && microseconds_of_sums(waves, geometry.sites(), replicas) >
                                               microseconds_of_transform(waves, geometry, replicas);
}

}  // namespace

Method chosen_method(const lattice::Geometry& geometry, const QList& q, Method method,
                     Backend backend, Index replicas) {
  if (method != Method::automatic) return method;
  if (!geometry.is_lattice()) return Method::factorised;
  for (const Vec3<double>& k : q.q)
    if (!is_commensurate(geometry, k)) return Method::factorised;
  const bool takes_transform = backend == Backend::cpu
                                   ? takes_transform_on_cpu(q.size(), geometry, replicas)
                                   : takes_transform_on_gpu(q.size(), geometry, replicas);
  return takes_transform ? Method::fft : Method::factorised;
}

}  // namespace larmor::correlations
