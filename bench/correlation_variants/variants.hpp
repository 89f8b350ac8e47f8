#pragma once
// One sum over all pairs of sites on a GPU, by every method of Chen, Chen, Turner, Feiguin (2023)
// and by ours, for comparison:
//
//     S(q) = sum_rr' exp(-i q.(r - r')) C(r,r'),
//     C(r,r') = (1/M) sum_m S_r(t).S_r'(0) - <S_r(t)>.<S_r'(0)>,   <> = (1/M) sum_m.
//
// The factor 1/M is the paper's; S(q,t) of Eq. (3) is this sum over N.

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/compared_methods.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::bench {

struct VariantProblem {
  Index sites = 0, configurations = 0;     ///< N, M
  Vec3<double> q{};                        ///< 1 / length
  std::span<const Vec3<double>> position;  ///< (site), read only while a method is constructed
  /// Blocks of threads, if they share the tiles (simt-tile, simt-thread-tile, fused); 0: as many as
  /// the GPU runs at once
  Index blocks = 0;

  Index numbers() const { return 3 * configurations; }
};

/// Spins at time t (rows) and at time 0 (columns), on the device. The caller may change rows
/// between launches, and may not change columns.
struct SpinMatrices {
  const double *rows, *columns;                  ///< (site, k), k = 3 m + component
  const double *row_means, *column_means;        ///< (site, 3); zeros: no means are subtracted
  const double *centred_rows, *centred_columns;  ///< spins minus their means, (site, k)
};

class VariantMethod {
 public:
  virtual ~VariantMethod() = default;
  /// The parts of a launch, in order. The method does work that is equal for all time steps before.
  const std::vector<MethodPart>& parts() const { return parts_; }
  /// Launches all parts.
  void launch() const {
    for (const MethodPart& part : parts_) part.launch();
  }
  /// S(q) of the last launch. Waits until the launch has ended.
  virtual std::complex<double> total() = 0;

 protected:
  std::vector<MethodPart> parts_;
};

/// Names from the slowest method to the fastest.
std::span<const char* const> variant_names();

/// @throws InputError for a name that is not in variant_names()
/// @throws MachineError if the GPU or the build cannot run the method, or if memory is too small
std::unique_ptr<VariantMethod> make_variant_method(const Device& device, std::string_view name,
                                                   const VariantProblem& problem,
                                                   const SpinMatrices& spins);

/// Bytes of the N x N matrices that a method stores on the GPU; 0: none.
/// @throws InputError for a name that is not in variant_names()
double variant_square_bytes(std::string_view name, Index sites);

}  // namespace larmor::bench
