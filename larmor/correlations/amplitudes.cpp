#include "larmor/correlations/amplitudes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/correlations/planes.hpp"
#include "larmor/correlations/transforms.hpp"

namespace larmor::correlations {
namespace {

constexpr Method methods[] = {Method::automatic, Method::factorised, Method::fft,
                              Method::real_space};

/// Of the lattice's lengths.
Index largest_prime_factor(const lattice::Geometry& geometry) {
  Index largest = 1;
  for (Index number : geometry.size)
    for (Index prime = 2; number > 1; ++prime)
      for (; number % prime == 0; number /= prime) largest = std::max(largest, prime);
  return largest;
}

/// Whether sums over the sites, one for each wave vector, take longer than the transform of all of
/// them: fitted to what `larmor bench correlations --backend cpu --only auto` measures of lattices
/// of up to 256^2 sites. Processors differ by a factor of two; of the number of threads nothing may
/// depend.
bool takes_transform_on_cpu(Index waves, const lattice::Geometry& geometry, Index replicas) {
  const double few_sites = replicas == 1 ? 26 : 40;
  // Phases of many sites are read from memory again and again.
  constexpr double many = 1e4;
  const double more_sites = std::max(static_cast<double>(geometry.sites()) / many, 1.0);
  // Transforms of lengths with large prime factors take several times as long.
  constexpr double small_prime = 7;
  const double longest = replicas == 1 ? 3.8 : 6.5;
  const double larger_prime =
      std::max(static_cast<double>(largest_prime_factor(geometry)) / small_prime, 1.0);
  const double equal =
      few_sites * std::pow(more_sites, -0.3) * std::min(std::pow(larger_prime, 0.75), longest);
  return static_cast<double>(waves) > equal;
}

/// Microseconds of sums over the sites, one for each wave vector, on an H200.
double microseconds_of_sums(Index waves, Index number_of_sites, Index replicas) {
  const auto sites = static_cast<double>(number_of_sites), q = static_cast<double>(waves);
  if (replicas == 1) return 7.5 + 7e-6 * sites * q;
  // Products of 64 wave vectors at a time, or of 32 or 16. Making phases takes as long as
  // multiplying them by the spins of three blocks of replicas.
  const auto blocks = static_cast<double>((replicas + lane_count - 1) / lane_count);
  const double start = std::min(32.0, 17 + 5 * blocks);
  const double of_tile = 1.8e-4 * sites * std::max(blocks, 3.0);
  if (waves <= 16) return 0.5 * start + 0.37 * of_tile;
  if (waves <= 32) return start + 0.6 * of_tile;
  return start + std::ceil(q / 64) * of_tile;
}

/// Microseconds of the transform on an H200: of kernels that wait for one another, of the planes,
/// and of the columns that wave vectors are in.
double microseconds_of_transform(Index waves, const lattice::Geometry& geometry, Index replicas) {
  const PlanesOfCells planes(geometry.size);
  const auto basis = static_cast<double>(geometry.crystal.basis.size());
  const Index lanes = replicas == 1 ? 1 : (replicas + lane_count - 1) / lane_count * lane_count;
  const auto fields = static_cast<double>(3 * lanes);
  const double numbers = fields * static_cast<double>(planes.count() * planes.cells_of_plane());
  const auto columns = static_cast<double>(std::min(waves, planes.half_cells()));
  const double of_columns = fields * static_cast<double>(planes.count()) * columns;
  // Less where all of it stays in the caches.
  double data = (numbers < 5e6 ? 0.77 : 1.0) * (1.8e-5 * numbers + 1.1e-5 * of_columns);
  double kernels = planes.cells_of_plane() > planes.size[planes.fast] ? 19 : 14;
  if (largest_prime_factor(geometry) > 13) {
    data *= 2.25;
    kernels += 5;
  }
  return basis * (kernels + data);
}

/// Fitted to what `larmor bench correlations --only amplitudes` measures: near the point where the
/// two are equal either may be taken.
bool takes_transform_on_gpu(Index waves, const lattice::Geometry& geometry, Index replicas) {
  // Few wave vectors take little more than reading the spins.
  constexpr Index few = 8;
  return (replicas == 1 || waves > few) && microseconds_of_sums(waves, geometry.sites(), replicas) >
                                               microseconds_of_transform(waves, geometry, replicas);
}

}  // namespace

Method method_by_name(std::string_view name) {
  for (const Method method : methods)
    if (name == name_of(method)) return method;
  throw InputError("no method is called \"" + std::string(name) + "\"",
                   "there are auto, factorised, fft, real-space");
}

const char* name_of(Method method) {
  switch (method) {
    case Method::automatic:
      return "auto";
    case Method::factorised:
      return "factorised";
    case Method::fft:
      return "fft";
    case Method::real_space:
      return "real-space";
  }
  throw InternalError("unknown method of correlations");
}

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

std::unique_ptr<AmplitudeTransform> make_transform(const lattice::Geometry& geometry,
                                                   const QList& q, Method method) {
  if (chosen_method(geometry, q, method) == Method::factorised)
    return std::make_unique<FactorisedTransform>(geometry, q);
  if (!geometry.is_lattice())
    throw InputError("an FFT needs a lattice, not plain positions", "use method = \"factorised\"");
  return std::make_unique<FftTransform>(geometry, q);
}

double transform_bytes(const lattice::Geometry& geometry, const QList& q, Method method,
                       Index replicas, int threads) {
  return method == Method::fft ? FftTransform::bytes(geometry, q, replicas, threads)
                               : FactorisedTransform::bytes(geometry, q, replicas);
}

}  // namespace larmor::correlations
