#pragma once
// One sum over all pairs of sites on a GPU, by every method of Chen, Chen, Turner, Feiguin (2023)
// and in ours, to be compared:
//
//     S(q) = sum_rr' exp(-i q.(r - r')) C(r,r'),
//     C(r,r') = (1/M) sum_m S_r(t).S_r'(0) - <S_r(t)>.<S_r'(0)>,   <> = (1/M) sum_m.
//
// 1/M is the paper's; S(q,t) of Eq. (3) is this over N.

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/variant_table.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::bench {

struct LadderProblem {
  Index sites = 0, configurations = 0;     ///< N, M
  Vec3<double> q{};                        ///< 1 / length
  std::span<const Vec3<double>> position;  ///< (site), read while a method is made
  /// Of threads, where they share the tiles (simt-tile, simt-thread-tile, fused); 0: as many as the
  /// GPU runs at a time
  Index blocks = 0;

  Index numbers() const { return 3 * configurations; }
};

/// Spins at time t (rows) and at time 0 (columns), on the device. They may change between launches
/// where they are; columns may not.
struct SpinMatrices {
  const double *rows, *columns;                  ///< (site, k), k = 3 m + component
  const double *row_means, *column_means;        ///< (site, 3); zeros: nothing is taken off
  const double *centred_rows, *centred_columns;  ///< spins less their means, (site, k)
};

class LadderMethod {
 public:
  virtual ~LadderMethod() = default;
  /// In their order. What stays the same from one time to the next was done before.
  const std::vector<LadderPart>& parts() const { return parts_; }
  /// All parts.
  void launch() const {
    for (const LadderPart& part : parts_) part.launch();
  }
  /// S(q) of the last launch; waits for it.
  virtual std::complex<double> total() = 0;

 protected:
  std::vector<LadderPart> parts_;
};

/// From the slowest to the fastest.
std::span<const char* const> ladder_names();

/// @throws InputError for a name that is none of ladder_names()
/// @throws MachineError where the GPU or the build cannot do it, or its memory is short
std::unique_ptr<LadderMethod> make_ladder_method(const Device& device, std::string_view name,
                                                 const LadderProblem& problem,
                                                 const SpinMatrices& spins);

/// Bytes on the GPU of the matrices of N x N that a method stores; 0: it stores none.
/// @throws InputError for a name that is none of ladder_names()
double ladder_square_bytes(std::string_view name, Index sites);

}  // namespace larmor::bench
