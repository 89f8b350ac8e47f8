#include "larmor/phi4/field_state.hpp"

#include "larmor/core/device/parallel.hpp"
#include "larmor/phi4/update_kernel.hpp"
#include "larmor/phi4/with_components.hpp"

namespace larmor::phi4 {

FieldState::FieldState(const FieldModel& model, const UpdateCounter& counter)
    : step(counter),
      model_(&model),
      field_(model.device(), model.replicas().count * model.components() * model.sites()) {
  align();
}

void FieldState::align() {
  const Index N = model_->components();
  std::vector<float> all(static_cast<std::size_t>(field_.size()));
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<Index>(i) / model_->sites() % N == 0 ? 1.0f : 0.0f;
  field_.copy_from(all);
}

void FieldState::randomise(std::uint64_t seed) {
  const Index sites = model_->sites(), replicas = model_->replicas().count;
  const RandomKey key{seed, step++, Stream::initial_configuration,
                      static_cast<std::uint64_t>(model_->replicas().first)};
  std::vector<float> all(static_cast<std::size_t>(field_.size()));
  with_components(model_->components(), [&](auto components) {
    constexpr int N = components;
    FieldView view = model_->view();
    view.field = all.data();
    constexpr Index block = 4096;
    const Index blocks = (sites + block - 1) / block;
    parallel_for(model_->device().threads, blocks * replicas, [&](Index n) {
      const Index replica = n / blocks, first = n % blocks * block;
      for (Index site = first; site < std::min(first + block, sites); ++site) {
        const auto s = static_cast<std::uint64_t>(site), r = static_cast<std::uint64_t>(replica);
        Components<N> phi = random_direction<N>(key, s, r);
        if constexpr (N == 1)
          if ((philox<std::uint64_t>(key, s, r).w[0] >> 31) != 0) phi.c[0] = -1;
        store(view, replica, s, phi);
      }
    });
  });
  field_.copy_from(all);
}

std::vector<float> FieldState::fields(Index count, Index first) const {
  const Index sites = model_->sites(), N = model_->components();
  std::vector<float> stored(static_cast<std::size_t>(count * N * sites));
  field_.copy_range_to(stored, first * N * sites);
  std::vector<float> all(stored.size());
  for (Index r = 0; r < count; ++r)
    for (Index n = 0; n < N; ++n)
      for (Index i = 0; i < sites; ++i)
        all[static_cast<std::size_t>((r * sites + i) * N + n)] =
            stored[static_cast<std::size_t>((r * N + n) * sites + i)];
  return all;
}

void FieldState::load(const std::vector<float>& fields) {
  const Index sites = model_->sites(), N = model_->components();
  if (std::ssize(fields) != field_.size())
    throw InternalError("fields are loaded into a model of another size");
  std::vector<float> stored(fields.size());
  for (Index r = 0; r < model_->replicas().count; ++r)
    for (Index n = 0; n < N; ++n)
      for (Index i = 0; i < sites; ++i)
        stored[static_cast<std::size_t>((r * N + n) * sites + i)] =
            fields[static_cast<std::size_t>((r * sites + i) * N + n)];
  field_.copy_from(stored);
}

void FieldState::copy_replicas(std::span<const ReplicaCopy> copies) {
  larmor::copy_replicas(field_.device(), field_.data(), {model_->components() * model_->sites()},
                        copies);
}

FieldView FieldState::view() {
  FieldView view = model_->view();
  view.field = field_.data();
  return view;
}

}  // namespace larmor::phi4
