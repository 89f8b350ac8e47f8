#include "larmor/ground_states/replicas.hpp"

#include <algorithm>
#include <type_traits>

namespace larmor::ground_states {
namespace {

template <class Number>
const SweepKernels<Number>& kernels() {
  if constexpr (std::is_same_v<Number, float>)
    return sweep_kernels().of_floats;
  else
    return sweep_kernels().of_doubles;
}

}  // namespace

template <class Number>
ReplicaView<Number> Replicas<Number>::view(Index n) {
  Number* const first = numbers_.data() + 2 * n * arrangement_->positions();
  return {first, first + arrangement_->positions()};
}

template <class Number>
void Replicas<Number>::randomise(Index n, std::uint64_t seed, Index of_seed) {
  const RandomKey key{seed, 0, Stream::initial_configuration};
  State state(static_cast<std::size_t>(arrangement_->spins()));
  for (std::size_t i = 0; i < state.size(); ++i) {
    const auto random = philox<std::uint64_t>(key, i / 128, static_cast<std::uint64_t>(of_seed));
    state[i] = ((random.w[i % 128 / 32] >> (i % 32)) & 1U) != 0 ? 1 : -1;
  }
  arrangement_->load(state, view(n));
  renew(n);
}

template <class Number>
void Replicas<Number>::sweep(Index n, double temperature, const RandomKey& key, Index of_seed,
                             Index sweeps) {
  energy_[static_cast<std::size_t>(n)] +=
      kernels<Number>().sweep(arrangement_->rows(), view(n), temperature / 2, key, of_seed, sweeps);
}

template <class Number>
void Replicas<Number>::sweep_pairs(Index n, double temperature, const RandomKey& key,
                                   Index of_seed) {
  energy_[static_cast<std::size_t>(n)] +=
      kernels<Number>().sweep_pairs(arrangement_->rows(), view(n), temperature / 2, key, of_seed);
}

template <class Number>
void Replicas<Number>::descend(Index n, double margin) {
  energy_[static_cast<std::size_t>(n)] +=
      kernels<Number>().descend(arrangement_->rows(), view(n), margin);
}

template <class Number>
void Replicas<Number>::copy(Index n, const Replicas& other, Index m) {
  const Index width = 2 * arrangement_->positions();
  std::copy_n(other.numbers_.begin() + m * width, width, numbers_.begin() + n * width);
  energy_[static_cast<std::size_t>(n)] = other.energy(m);
}

template class Replicas<float>;
template class Replicas<double>;

}  // namespace larmor::ground_states
