#include "larmor/correlations/amplitudes.hpp"

#include <algorithm>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/correlations/transforms.hpp"

namespace larmor::correlations {
namespace {

constexpr Method methods[] = {Method::automatic, Method::factorised, Method::fft,
                              Method::real_space};

/// Sums over the sites, each for one wave vector, that cost as much as the transform of all of
/// them. Processors differ by a factor of two, sizes of lattices by less; of the number of threads
/// nothing may depend. On a GPU, where the sums are made eight at a time, launches are what little
/// work costs, and a transform has more of them.
Index sums_of_a_transform(Backend backend, Index sites, Index replicas) {
  if (backend == Backend::cpu) return replicas == 1 ? 20 : 36;
  // Sites of blocks of replicas whose sums take as long as the launches of a transform more.
  constexpr Index as_long_as_launches = 50000, most = 3;
  const Index blocks = (replicas + lane_count - 1) / lane_count;
  return 8 * (1 + std::min(most, as_long_as_launches / (sites * blocks)));
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
  return q.size() > sums_of_a_transform(backend, geometry.sites(), replicas) ? Method::fft
                                                                             : Method::factorised;
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
