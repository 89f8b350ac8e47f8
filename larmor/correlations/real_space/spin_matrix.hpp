#pragma once
// The spins of all replicas as the matrix whose products are correlations.

#include "larmor/core/array.hpp"
#include "larmor/spins/spin_state.hpp"

namespace larmor::correlations::real_space {

/// (site, 3 replica + component), double, where the spins are; sites in the order of storage,
/// vacancies left out.
class SpinMatrix {
 public:
  /// @param centred less the mean over replicas (Chen et al., Eq. 5)
  SpinMatrix(const spins::SpinState& state, bool centred);
  /// The spins as they are now. On a GPU nothing is waited for.
  void take(const spins::SpinState& state);

  Index sites() const { return sites_; }
  Index numbers() const { return numbers_; }
  const double* data() const { return matrix_.data(); }
  std::vector<double> to_host() const { return matrix_.to_host(); }
  /// @throws InternalError for another size
  void set(std::span<const double> numbers) { matrix_.copy_from(numbers); }

 private:
  Index sites_, numbers_;
  bool centred_;
  Array<double> matrix_;
};

#if defined(LARMOR_HAS_CUDA)
namespace detail {
/// The same on a GPU.
void take_on_gpu(const spins::SpinState& state, bool centred, double* matrix);
}  // namespace detail
#endif

}  // namespace larmor::correlations::real_space
