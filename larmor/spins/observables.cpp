#include "larmor/spins/observables.hpp"

#include "larmor/spins/kernels.hpp"
#include "larmor/spins/long_range/convolution.hpp"
#include "larmor/spins/schedule.hpp"

namespace larmor::spins {
namespace {

/// The long-range field of the spins of all blocks.
RealArray long_range_field(const Convolution& interaction, const SpinState& state) {
  const SpinLayout& layout = state.layout();
  RealArray field(state.device(), layout.numbers(), false);
  for_each_block(state.device(), layout, [&](const Device& device, Index first, Index last) {
    for (Index block = first; block < last; ++block)
      interaction.store_field(device, layout, state.reals(), block, field.reals());
  });
  return field;
}

/// work(view) with the view's long-range field made, if it has one.
template <class Work>
auto with_long_range(ModelView view, const Convolution* interaction, const SpinState& state,
                     const Work& work) {
  RealArray field;
  if (interaction != nullptr) field = long_range_field(*interaction, state);
  view.long_range = field.reals();
  return work(view);
}

template <class Work>
auto with_whole_model(const Model& model, const SpinState& state, const Work& work) {
  return with_long_range(model.view(state.layout().replicas), model.long_range(), state, work);
}

std::vector<double> energy_of(const ModelView& view, const SpinState& state) {
  std::vector<double> energy =
      spin_kernels(state.device()).energy(state.device(), view, state.reals());
  energy.resize(static_cast<std::size_t>(state.layout().replicas));
  for (double& e : energy) e /= static_cast<double>(state.layout().spins());
  return energy;
}

}  // namespace

std::vector<double> energy_per_site(const Model& model, const SpinState& state) {
  return with_whole_model(model, state,
                          [&](const ModelView& view) { return energy_of(view, state); });
}

std::vector<double> term_energy_per_site(const Model& model, std::size_t term,
                                         const SpinState& state) {
  return with_long_range(model.term_view(term, state.layout().replicas),
                         term == model.long_range_term() ? model.long_range() : nullptr, state,
                         [&](const ModelView& view) { return energy_of(view, state); });
}

void store_effective_field(const Model& model, const SpinState& state, RealArray& field) {
  with_whole_model(model, state, [&](const ModelView& view) {
    spin_kernels(state.device())
        .effective_field(state.device(), view, state.reals(), field.reals());
  });
}

std::vector<double> spin_temperature(const Model& model, const SpinState& state) {
  const std::vector<double> sums = with_whole_model(model, state, [&](const ModelView& view) {
    return spin_kernels(state.device()).temperature_sums(state.device(), view, state.reals());
  });
  const SpinLayout& layout = state.layout();
  std::vector<double> temperature;
  for (Index r = 0; r < layout.replicas; ++r) {
    const double torques = sums[static_cast<std::size_t>(r)];
    const double curvature = sums[static_cast<std::size_t>(layout.padded_replicas() + r)];
    temperature.push_back(torques == 0 ? 0 : torques / curvature);
  }
  return temperature;
}

std::vector<double> site_energies(const Model& model, const SpinState& state) {
  const SpinLayout& layout = state.layout();
  RealArray share(state.device(), layout.numbers());
  with_whole_model(model, state, [&](const ModelView& view) {
    spin_kernels(state.device()).site_energy(state.device(), view, state.reals(), share.reals());
  });
  const std::vector<double> host = share.to_host();
  const VectorView shares(const_cast<double*>(host.data()), layout);
  std::vector<double> energy(static_cast<std::size_t>(layout.sites));
  for (Index position = 0; position < layout.sites; ++position)
    for (Index r = 0; r < layout.replicas; ++r)
      energy[static_cast<std::size_t>(model.canonical()[static_cast<std::size_t>(position)])] +=
          shares.load(Single{position, r}).x;
  return energy;
}

std::vector<double> overlap(const SpinState& state, const std::vector<double>& reference) {
  const SpinLayout& layout = state.layout();
  const std::vector<double> now = state.save();
  const VectorView e(const_cast<double*>(now.data()), layout),
      before(const_cast<double*>(reference.data()), layout);
  std::vector<double> sum(static_cast<std::size_t>(layout.replicas));
  for (Index position = 0; position < layout.sites; ++position)
    for (Index r = 0; r < layout.replicas; ++r)
      sum[static_cast<std::size_t>(r)] +=
          dot(e.load(Single{position, r}), before.load(Single{position, r}));
  for (double& s : sum) s /= static_cast<double>(layout.spins());
  return sum;
}

std::vector<Vec3<double>> weighted_sum(const RowTable& weight, const SpinState& state) {
  const SpinLayout& layout = state.layout();
  const std::vector<double> sum =
      spin_kernels(state.device()).weighted_sum(state.device(), layout, weight, state.reals());
  const auto padded = static_cast<std::size_t>(layout.padded_replicas());
  std::vector<Vec3<double>> total;
  for (std::size_t r = 0; r < static_cast<std::size_t>(layout.replicas); ++r)
    total.push_back({sum[r], sum[padded + r], sum[2 * padded + r]});
  return total;
}

std::vector<Vec3<double>> magnetisation_per_site(const Model& model, const SpinState& state) {
  std::vector<Vec3<double>> m = weighted_sum(model.moment_table(), state);
  for (Vec3<double>& v : m) v = (1 / static_cast<double>(state.layout().spins())) * v;
  return m;
}

}  // namespace larmor::spins
