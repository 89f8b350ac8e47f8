#include "larmor/correlations/real_space/spin_matrix.hpp"

#include "larmor/core/parallel.hpp"

namespace larmor::correlations::real_space {
namespace {

void take_on_cpu(const StridedVectors& spins, Index sites, int threads, bool centred,
                 double* matrix) {
  constexpr Index sites_of_task = 256;
  parallel_for(threads, (sites + sites_of_task - 1) / sites_of_task, [&](Index task) {
    const Index end = std::min(sites, (task + 1) * sites_of_task);
    for (Index site = task * sites_of_task; site < end; ++site) {
      double* row = matrix + site * 3 * spins.replicas;
      Vec3<double> mean{0, 0, 0};
      for (Index replica = 0; replica < spins.replicas; ++replica) {
        const Vec3<double> e = spins.load(replica, site);
        mean = mean + e;
        row[3 * replica] = e.x;
        row[3 * replica + 1] = e.y;
        row[3 * replica + 2] = e.z;
      }
      if (!centred) continue;
      mean = (1.0 / static_cast<double>(spins.replicas)) * mean;
      for (Index replica = 0; replica < spins.replicas; ++replica) {
        row[3 * replica] -= mean.x;
        row[3 * replica + 1] -= mean.y;
        row[3 * replica + 2] -= mean.z;
      }
    }
  });
}

}  // namespace

SpinMatrix::SpinMatrix(const spins::SpinState& state, bool centred)
    : sites_(state.layout().spins()),
      numbers_(3 * state.layout().replicas),
      centred_(centred),
      matrix_(state.device(), sites_ * numbers_) {}

void SpinMatrix::take(const spins::SpinState& state) {
#if defined(LARMOR_HAS_CUDA)
  if (state.device().backend == Backend::cuda) {
    state.complete();
    detail::take_on_gpu(state, centred_, matrix_.data());
    return;
  }
#endif
  take_on_cpu(state.vectors(), sites_, state.device().threads, centred_, matrix_.data());
}

}  // namespace larmor::correlations::real_space
