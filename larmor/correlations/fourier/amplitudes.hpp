#pragma once
// Spatial Fourier amplitudes of a configuration,
//
//     A_a(q) = sum_r exp(-i q.r) e_{r,a},
//
// for every replica and component: O(N) a wave vector by the factorised sum, or all at once by FFT.

#include <complex>
#include <memory>
#include <string_view>

#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/pack.hpp"
#include "larmor/core/simd/strided_vectors.hpp"
#include "larmor/correlations/fourier/q_list.hpp"

namespace larmor::correlations {

/// real_space: no amplitudes, but a product over all pairs of sites (real_space/).
enum class Method { automatic, factorised, fft, real_space };

/// @throws InputError for a name that is none of auto, factorised, fft, real-space
Method method_by_name(std::string_view name);
const char* name_of(Method method);

class AmplitudeTransform {
 public:
  virtual ~AmplitudeTransform() = default;
  /// BITS: the same for any number of threads, and of processes that share the sites: all of them
  /// call it. @param spins in one layout and site order, the same at every call; where
  /// sites_of_block() says so, of the parts that this process owns
  /// @param out (q, replica, 3)
  virtual void transform(const StridedVectors& spins, int threads, std::complex<double>* out) = 0;
  /// Storage positions of the parts that are read as a whole, each by the process that owns its
  /// first; 0: all processes read all spins. @param domain of the spins; null: there is one process
  virtual Index sites_of_block(const Domain* domain) const = 0;
};

/// @throws InputError for `fft` on plain positions or with wave vectors that are not those of the
///         lattice
std::unique_ptr<AmplitudeTransform> make_transform(const lattice::Geometry& geometry,
                                                   const QList& q, Method method);

/// Bytes that a transform works in. @param method not `automatic` @param threads that may work at
/// once
double transform_bytes(const lattice::Geometry& geometry, const QList& q, Method method,
                       Index replicas, int threads);

/// What `automatic` stands for: the faster one, by what `larmor bench correlations` has measured.
/// @param replicas of the study
Method chosen_method(const lattice::Geometry& geometry, const QList& q, Method method,
                     Backend backend = Backend::cpu, Index replicas = lane_count);

}  // namespace larmor::correlations
