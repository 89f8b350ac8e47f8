#include "larmor/spins/landscape/energy_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/maths/normalise.hpp"
#include "larmor/core/maths/philox.hpp"

namespace larmor::spins {
namespace {

void copy(const Reals& data, const SpinLayout& layout, Index replica, SiteVectors& out) {
  const VectorView view(data, layout);
  const Index n = layout.sites;
  out.resize(static_cast<std::size_t>(3 * n));
  double* p = out.data();
  for (Index i = 0; i < n; ++i) {
    const Vec3<double> v = view.load(Single{i, replica});
    p[i] = v.x;
    p[n + i] = v.y;
    p[2 * n + i] = v.z;
  }
}

}  // namespace

EnergySurface::EnergySurface(const Model& model, const Device& device, const SpinLayout& layout)
    : model_(&model),
      layout_(layout),
      field_(device, layout.numbers()),
      energy_(static_cast<std::size_t>(layout.replicas)) {
  require_cpu(device);
  for (Index i = 0; i < layout.sites; ++i)
    moment_.push_back(
        model.moments()[static_cast<std::size_t>(model.canonical()[static_cast<std::size_t>(i)])]);
}

void EnergySurface::evaluate(const SpinState& state) {
  ++evaluations_;
  energy_ = energy_per_site(*model_, state);
  store_effective_field(*model_, state, field_);
  if (!(uniform_ == Vec3<double>{0, 0, 0})) {
    const std::vector<Vec3<double>> m = magnetisation_per_site(*model_, state);
    for (std::size_t r = 0; r < energy_.size(); ++r) energy_[r] -= dot(uniform_, m[r]);
  }
  for (double& e : energy_) e *= static_cast<double>(layout_.spins());
}

void EnergySurface::copy_field(Index replica, SiteVectors& field) const {
  copy(field_.reals(), layout_, replica, field);
  const Index n = layout_.sites;
  for (Index i = 0; i < n; ++i) {
    const double m = moment_[static_cast<std::size_t>(i)];
    double* p = field.data() + i;
    p[0] += m * uniform_.x;
    p[n] += m * uniform_.y;
    p[2 * n] += m * uniform_.z;
  }
}

Device device_for(const Device& device, const SpinLayout& layout) {
  constexpr Index spins_worth_threads = 4096;
  Device chosen = device;
  if (layout.sites * layout.replicas < spins_worth_threads) chosen.threads = 1;
  return chosen;
}

void copy_spins(const SpinState& state, Index replica, SiteVectors& spins) {
  copy(state.reals(), state.layout(), replica, spins);
}

void store_spins(const SiteVectors& spins, Index replica, SpinState& state) {
  const VectorView view(state.reals(), state.layout());
  const Index n = state.layout().sites;
  const double* p = spins.data();
  for (Index i = 0; i < n; ++i) view.store(Single{i, replica}, {p[i], p[n + i], p[2 * n + i]});
}

void perturb(SpinState& state, std::span<const std::int32_t> canonical, std::uint64_t seed,
             double angle, Index first, Index last) {
  require_cpu(state.device());
  const VectorView view(state.reals(), state.layout());
  const RandomKey key{seed, state.step++, Stream::perturbation,
                      static_cast<std::uint64_t>(state.layout().first_replica)};
  for (Index replica = first; replica < last; ++replica) {
    for (Index position = 0; position < state.layout().sites; ++position) {
      const Single at{position, replica};
      const Vec3<double> e = view.load(at);
      if (dot(e, e) == 0) continue;
      const auto random =
          philox(key, static_cast<std::uint64_t>(canonical[static_cast<std::size_t>(position)]),
                 static_cast<std::uint64_t>(replica));
      const double z = 1 - 2 * uniform_52<double>(random.w[0], random.w[1]);
      const double turns = 2 * std::numbers::pi * uniform_52<double>(random.w[2], random.w[3]);
      const double s = std::sqrt(1 - z * z);
      const Vec3<double> axis{s * std::cos(turns), s * std::sin(turns), z};
      const Vec3<double> across = cross(axis, e);
      const double sine = length(across);
      if (sine == 0) continue;
      view.store(at,
                 normalised(std::cos(angle * sine) * e + (std::sin(angle * sine) / sine) * across));
    }
  }
}

}  // namespace larmor::spins
