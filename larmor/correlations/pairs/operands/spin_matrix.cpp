#include "larmor/correlations/pairs/operands/spin_matrix.hpp"

#include "larmor/core/device/parallel.hpp"

namespace larmor::correlations::real_space {
namespace {

/// @tparam Spins has load(replica, site)
template <class Spins>
void fill_on_cpu(const Spins& spins, Index sites, int threads, MatrixOf kind,
                 const LeftOut& left_out, double* matrix) {
  constexpr Index sites_of_task = 256;
  const int numbers = detail::numbers_of_spin(kind);
  parallel_for(threads, (sites + sites_of_task - 1) / sites_of_task, [&](Index task) {
    const Index end = std::min(sites, (task + 1) * sites_of_task);
    for (Index site = task * sites_of_task; site < end; ++site) {
      Vec3<double> mean{0, 0, 0};
      for (Index replica = 0; detail::is_centred(kind) && replica < spins.replicas; ++replica)
        if (!left_out.holds(replica)) mean = mean + spins.load(replica, site);
      mean = (1.0 / static_cast<double>(spins.replicas - left_out.count)) * mean;
      double* row = matrix + site * numbers * spins.replicas;
      for (Index replica = 0; replica < spins.replicas; ++replica)
        detail::store_spin(
            kind,
            left_out.holds(replica) ? Vec3<double>{0, 0, 0} : spins.load(replica, site) - mean,
            row + numbers * replica);
    }
  });
}

}  // namespace

SpinMatrix::SpinMatrix(const spins::SpinState& state, MatrixOf kind)
    : device_(state.device()),
      sites_(state.layout().spins()),
      replicas_(state.layout().replicas),
      numbers_(detail::numbers_of_spin(kind) * replicas_),
      kind_(kind),
      matrix_(device_, sites_ * numbers_) {}

void SpinMatrix::fill(const spins::SpinState& state) {
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda) {
    state.complete();
    detail::fill_on_gpu(state, kind_, matrix_.data());
    return;
  }
#endif
  fill_on_cpu(state.vectors(), sites_, device_.threads, kind_, {}, matrix_.data());
}

void SpinMatrix::fill(const SpinMatrix& spins, const LeftOut& left_out) {
  const detail::SpinsOfMatrix of_matrix{spins.data(), replicas_};
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda) {
    detail::fill_on_gpu(device_, of_matrix, sites_, kind_, left_out, matrix_.data());
    return;
  }
#endif
  fill_on_cpu(of_matrix, sites_, device_.threads, kind_, left_out, matrix_.data());
}

}  // namespace larmor::correlations::real_space
