#include "larmor/correlations/fourier/state_amplitudes.hpp"

#include "larmor/core/device/profile.hpp"

namespace larmor::correlations {

StateAmplitudes::StateAmplitudes(const lattice::Geometry& geometry, const QList& q, Method method,
                                 const ReplicaShare& replicas)
    : geometry_(geometry),
      q_(q),
      method_(method),
      all_replicas_(replicas.all),
      transform_(make_transform(geometry, q,
                                chosen_method(geometry, q, method, Backend::cpu, replicas.all))) {}

StateAmplitudes::~StateAmplitudes() = default;

double StateAmplitudes::bytes(const lattice::Geometry& geometry, const QList& q, Method method,
                              const ReplicaShare& replicas, const Device& device) {
  const Method chosen = chosen_method(geometry, q, method, device.backend, replicas.all);
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    return (chosen == Method::fft ? gpu_fft_bytes : gpu_sum_bytes)(geometry, q, replicas.count);
#endif
  return transform_bytes(geometry, q, chosen, replicas.count, device.threads);
}

void StateAmplitudes::transform(const StridedVectors& spins, int threads,
                                std::complex<double>* out) {
  const Region region("amplitudes A(q)");
  transform_->transform(spins, threads, out);
}

Pending StateAmplitudes::transform(const spins::SpinState& state) {
#if defined(LARMOR_HAS_CUDA)
  if (state.device().backend == Backend::cuda) {
    const Region region("amplitudes A(q)");
    if (!gpu_transform_) {
      const bool fft =
          chosen_method(geometry_, q_, method_, Backend::cuda, all_replicas_) == Method::fft;
      gpu_transform_ = (fft ? make_gpu_fft : make_gpu_sum)(geometry_, q_, state);
    }
    return gpu_transform_->transform(state);
  }
#endif
  const Domain* domain = state.layout().domain;
  const Index block_sites = transform_->sites_of_block(domain);
  StridedVectors spins = block_sites > 0 ? state.vectors_of_parts(block_sites) : state.vectors();
  spins.domain = domain;
  std::vector<double> numbers(static_cast<std::size_t>(6 * q_.size() * state.layout().replicas));
  transform(spins, state.device().threads, reinterpret_cast<std::complex<double>*>(numbers.data()));
  return Pending(std::move(numbers));
}

}  // namespace larmor::correlations
