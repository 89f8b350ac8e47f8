#include "larmor/correlations/fourier/amplitudes.hpp"

#include <string>

#include "larmor/core/error.hpp"
#include "larmor/correlations/fourier/transforms.hpp"

namespace larmor::correlations {
namespace {

constexpr Method methods[] = {Method::automatic, Method::factorised, Method::fft,
                              Method::real_space};

}  // namespace

Method method_by_name(std::string_view name) {
  for (const Method method : methods)
    if (name == name_of(method)) return method;
  throw InputError("no method is called \"" + std::string(name) + "\"",
                   "use auto, factorised, fft or real-space");
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
