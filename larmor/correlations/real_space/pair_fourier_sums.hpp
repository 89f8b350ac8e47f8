#pragma once
// Fourier sums over all pairs of sites, wherever the spins are: by tensor cores on a GPU, by
// OpenBLAS on a CPU.

#include <memory>
#include <span>

#include "larmor/core/pending.hpp"
#include "larmor/core/vec3.hpp"
#include "larmor/correlations/real_space/pair_precision.hpp"

namespace larmor::correlations::real_space {

class PairFourierSums {
 public:
  virtual ~PairFourierSums() = default;
  /// The matrices of C(r,r') = sum_k a_{r,k} b_{r',k}, (site, k), where the spins are; both are
  /// copied.
  virtual void set_rows(const double* a) = 0;
  virtual void set_columns(const double* b) = 0;
  /// sum_rr' exp(-i q.(r - r')) f(C(r,r')), (q, re im); on a GPU on their way.
  virtual Pending totals() = 0;
};

struct PairFourierSettings {
  Index sites = 0, numbers = 0;                   ///< N, K
  PairPrecision precision = PairPrecision::full;  ///< on a GPU; a CPU is always in double
  bool squared = false;                           ///< f(C) = C^2 instead of C
  std::span<const Vec3<double>> q;                ///< 1 / length
  std::span<const Vec3<double>> position;         ///< (site)
};

/// @throws MachineError where a GPU lacks tensor cores of compute capability 9.0 or memory
std::unique_ptr<PairFourierSums> make_pair_fourier_sums(const Device& device,
                                                        const PairFourierSettings& settings);

/// Bytes that they take where the spins are.
double pair_fourier_bytes(const Device& device, Index sites, Index numbers, Index wave_vectors,
                          PairPrecision precision);

}  // namespace larmor::correlations::real_space
