#pragma once
// Spatial Fourier amplitudes of a configuration,
//
//     A_a(q) = sum_r exp(-i q.r) e_{r,a},
//
// for every replica and component. The factorised sum takes O(N) operations for each wave vector.
// One FFT gives the amplitudes of all wave vectors.

#include <complex>
#include <memory>
#include <string_view>

#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/pack.hpp"
#include "larmor/core/simd/strided_vectors.hpp"
#include "larmor/correlations/fourier/q_list.hpp"

namespace larmor::correlations {

/// The method that computes S(q). real_space computes no amplitudes, but products over all pairs of
/// sites (correlations/pairs).
enum class Method { automatic, factorised, fft, real_space };

/// @throws InputError for a name other than auto, factorised, fft, real-space
Method method_by_name(std::string_view name);
const char* name_of(Method method);

class AmplitudeTransform {
 public:
  virtual ~AmplitudeTransform() = default;
  /// Computes the amplitudes. All processes that share the sites must call it together. BITS: equal
  /// for any number of threads and of such processes.
  /// @param spins layout and site order must be equal in every call. Only this process's blocks of
  /// sites need to be present, see sites_of_block()
  /// @param out (q, replica, 3)
  virtual void transform(const StridedVectors& spins, int threads, std::complex<double>* out) = 0;
  /// Storage positions in each block of sites. The process that owns the first position of a block
  /// reads the whole block. If it is 0, all processes read all spins.
  /// @param domain domain of the spins; null: there is one process
  virtual Index sites_of_block(const Domain* domain) const = 0;
};

/// @throws InputError for `fft` if there are only plain positions, or if a wave vector does not fit
/// the lattice
std::unique_ptr<AmplitudeTransform> make_transform(const lattice::Geometry& geometry,
                                                   const QList& q, Method method);

/// Bytes of working memory. @param method must not be `automatic` @param threads largest number of
/// threads
double transform_bytes(const lattice::Geometry& geometry, const QList& q, Method method,
                       Index replicas, int threads);

/// Replaces `automatic` by the method that is faster according to `larmor bench correlations`.
/// @param replicas number of replicas in the study
Method chosen_method(const lattice::Geometry& geometry, const QList& q, Method method,
                     Backend backend = Backend::cpu, Index replicas = lane_count);

}  // namespace larmor::correlations
