#include "larmor/correlations/amplitudes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/correlations/transforms.hpp"

namespace larmor::correlations {
namespace {

constexpr Method methods[] = {Method::automatic, Method::factorised, Method::fft,
                              Method::real_space};

Index largest_prime_factor(Index number) {
  Index largest = 1;
  for (Index prime = 2; number > 1; ++prime)
    for (; number % prime == 0; number /= prime) largest = prime;
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
  Index prime = 1;
  for (const Index cells : geometry.size) prime = std::max(prime, largest_prime_factor(cells));
  const double larger_prime = std::max(static_cast<double>(prime) / small_prime, 1.0);
  const double equal =
      few_sites * std::pow(more_sites, -0.3) * std::min(std::pow(larger_prime, 0.75), longest);
  return static_cast<double>(waves) > equal;
}

/// The same by the microseconds that both take on an H200, fitted to what `larmor bench
/// correlations --only amplitudes` measures of square lattices: near the point where they are equal
/// either may be taken.
bool takes_transform_on_gpu(Index waves, Index number_of_sites, Index replicas) {
  const auto sites = static_cast<double>(number_of_sites), q = static_cast<double>(waves);
  if (replicas == 1) return 9.5 + 7.9e-6 * sites * q > 21.5 + 5e-5 * sites;
  // Few wave vectors take little more than reading the spins. Making phases takes as long as
  // multiplying them by the spins of three blocks of replicas.
  constexpr Index few = 16;
  const auto blocks = static_cast<double>((replicas + lane_count - 1) / lane_count);
  const double sums = std::min(46.0, 14 + 8 * blocks) + 2.7e-6 * sites * std::max(blocks, 3.0) * q;
  return waves > few && sums > 22 + 5e-4 * sites * blocks;
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
                                   : takes_transform_on_gpu(q.size(), geometry.sites(), replicas);
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
