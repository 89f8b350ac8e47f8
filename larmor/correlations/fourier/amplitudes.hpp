#pragma once
// Spatial Fourier amplitudes of a configuration,
//
//     A_a(q) = sum_r exp(-i q.r) e_{r,a},
//
// for every replica and component. The factorised sum takes O(N) for each wave vector; one FFT
// gives all wave vectors.

#include <complex>
#include <memory>
#include <string_view>

#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/pack.hpp"
#include "larmor/core/simd/strided_vectors.hpp"
#include "larmor/correlations/fourier/q_list.hpp"

namespace larmor::correlations {

/// real_space: no amplitudes; a product over all pairs of sites (correlations/pairs).
enum class Method { automatic, factorised, fft, real_space };

/// @throws InputError for a name other than auto, factorised, fft, real-space
Method method_by_name(std::string_view name);
const char* name_of(Method method);

class AmplitudeTransform {
 public:
  virtual ~AmplitudeTransform() = default;
  /// Collective over the processes that share the sites. BITS: equal for any number of threads and
  /// of processes that share the sites.
  /// @param spins in one layout and site order, equal in every call; at least this process's blocks
  /// of sites, see sites_of_block()
  /// @param out (q, replica, 3)
  virtual void transform(const StridedVectors& spins, int threads, std::complex<double>* out) = 0;
  /// Storage positions in each block of sites. The process that owns the first position of a block
  /// reads the whole block. 0: all processes read all spins.
  /// @param domain domain of the spins; null: there is one process
  virtual Index sites_of_block(const Domain* domain) const = 0;
};

/// @throws InputError for `fft` with plain positions, or with wave vectors that do not fit the
/// lattice
std::unique_ptr<AmplitudeTransform> make_transform(const lattice::Geometry& geometry,
                                                   const QList& q, Method method);

/// Bytes of working memory. @param method not `automatic` @param threads maximum number
double transform_bytes(const lattice::Geometry& geometry, const QList& q, Method method,
                       Index replicas, int threads);

/// Resolves `automatic` to the faster method, as `larmor bench correlations` measured.
/// @param replicas number in the study
Method chosen_method(const lattice::Geometry& geometry, const QList& q, Method method,
                     Backend backend = Backend::cpu, Index replicas = lane_count);

}  // namespace larmor::correlations
