#include "larmor/spins/observables/observables.hpp"

#include "larmor/core/device/profile.hpp"
#include "larmor/spins/hamiltonian/energy_kernels.hpp"
#include "larmor/spins/observables/whole_model.hpp"

namespace larmor::spins {

void store_long_range_field(const Convolution& interaction, const SpinState& state,
                            RealArray& field) {
  const SpinLayout& layout = state.layout();
  for_each_block(state.device(), layout, [&](const Device& device, Index first, Index last) {
    interaction.store_fields(device, layout, state.reals(), first, last, field.reals());
  });
}

namespace {

Pending energy_of(const ModelView& view, const SpinState& state) {
  const Region region("energy");
  return energy_kernels(state.device())
      .energy(state.device(), view, state.reals())
      .then([replicas = static_cast<std::size_t>(state.layout().replicas),
             spins = static_cast<double>(state.layout().spins())](std::vector<double>& energy) {
        energy.resize(replicas);
        for (double& e : energy) e /= spins;
      });
}

/// Transposes (3, padded replicas) to [replicas, 3].
void gather_vectors(std::vector<double>& sums, const SpinLayout& layout) {
  const auto padded = static_cast<std::size_t>(layout.padded_replicas());
  std::vector<double> vectors;
  for (std::size_t r = 0; r < static_cast<std::size_t>(layout.replicas); ++r)
    vectors.insert(vectors.end(), {sums[r], sums[padded + r], sums[2 * padded + r]});
  sums = std::move(vectors);
}

/// Correction of the Laplacian for spins that couple with their own images. Kernels treat the
/// energy -1/2 e^T M e as linear, and so give the Laplacian 2 e.h = 2 e^T M e. The true Laplacian
/// is 3 e^T M e - tr M. The correction is their difference, summed over the sites. [replicas]
Pending own_image_laplacian(const Model& model, const SpinState& state) {
  const auto replicas = static_cast<std::size_t>(state.layout().replicas);
  const std::optional<OwnImages> images = model.own_images(state.layout().replicas);
  if (!images) return Pending(std::vector<double>(replicas));
  return energy_kernels(state.device())
      .energy(state.device(), images->view, state.reals())
      .then([replicas, trace = images->trace](std::vector<double>& energy) {
        energy.resize(replicas);
        for (double& e : energy) e = -2 * e - trace;
      });
}

std::vector<Vec3<double>> as_vectors(const std::vector<double>& numbers) {
  std::vector<Vec3<double>> vectors;
  for (std::size_t i = 0; i < numbers.size(); i += 3)
    vectors.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return vectors;
}

}  // namespace

std::vector<double> energy_per_site(const Model& model, const SpinState& state) {
  return energy_per_site_async(model, state).take();
}

Pending energy_per_site_async(const Model& model, const SpinState& state) {
  return with_whole_model(model, state,
                          [&](const ModelView& view) { return energy_of(view, state); });
}

void store_energies(const Model& model, const SpinState& state, double* energies) {
  const Region region("energy");
  with_whole_model(model, state, [&](const ModelView& view) {
    energy_kernels(state.device()).store_energy(state.device(), view, state.reals(), energies);
  });
}

void store_term_energies(const Model& model, std::size_t term, const SpinState& state,
                         double* energies) {
  const Region region("energy");
  energy_kernels(state.device())
      .store_energy(state.device(), model.term_view(term, state.layout().replicas), state.reals(),
                    energies);
}

std::vector<double> term_energy_per_site(const Model& model, std::size_t term,
                                         const SpinState& state) {
  return term_energy_per_site_async(model, term, state).take();
}

Pending term_energy_per_site_async(const Model& model, std::size_t term, const SpinState& state) {
  return with_long_range(model.term_view(term, state.layout().replicas),
                         term == model.long_range_term() ? model.long_range() : nullptr, state,
                         [&](const ModelView& view) { return energy_of(view, state); });
}

void store_effective_field(const Model& model, const SpinState& state, RealArray& field) {
  const Region region("effective field");
  with_whole_model(model, state, [&](const ModelView& view) {
    energy_kernels(state.device())
        .effective_field(state.device(), view, state.reals(), field.reals());
  });
}

std::vector<double> spin_temperature(const Model& model, const SpinState& state) {
  const std::vector<double> sums = spin_temperature_sums_async(model, state).take();
  std::vector<double> kT;
  for (std::size_t r = 0; r < sums.size(); r += 2)
    kT.push_back(sums[r] == 0 ? 0 : sums[r] / sums[r + 1]);
  return kT;
}

Pending spin_temperature_sums_async(const Model& model, const SpinState& state) {
  const Region region("spin temperature");
  const auto images = std::make_shared<Pending>(own_image_laplacian(model, state));
  Pending sums = with_whole_model(model, state, [&](const ModelView& view) {
    return energy_kernels(state.device()).temperature_sums(state.device(), view, state.reals());
  });
  return std::move(sums).then([images, layout = state.layout()](std::vector<double>& numbers) {
    const auto padded = static_cast<std::size_t>(layout.padded_replicas());
    const std::vector<double> of_images = images->take();
    std::vector<double> pairs;
    for (std::size_t r = 0; r < static_cast<std::size_t>(layout.replicas); ++r)
      pairs.insert(pairs.end(), {numbers[r], numbers[padded + r] + of_images[r]});
    numbers = std::move(pairs);
  });
}

std::vector<double> site_energies(const Model& model, const SpinState& state) {
  const Region region("energies of sites");
  const SpinLayout& layout = state.layout();
  RealArray share(state.device(), layout.numbers());
  with_whole_model(model, state, [&](const ModelView& view) {
    energy_kernels(state.device()).site_energy(state.device(), view, state.reals(), share.reals());
  });
  if (layout.domain != nullptr)
    layout.domain->complete(layout.domain->context, share.reals(), 0, layout.blocks());
  const std::vector<double> host = share.to_host();
  const VectorView shares(const_cast<double*>(host.data()), layout);
  std::vector<double> energy(static_cast<std::size_t>(layout.sites * layout.blocks()));
  for (Index position = 0; position < layout.sites; ++position) {
    const Index site = model.canonical()[static_cast<std::size_t>(position)];
    for (Index r = 0; r < layout.replicas; ++r)
      energy[static_cast<std::size_t>(r / lane_count * layout.sites + site)] +=
          shares.load(ScalarSlot<>{position, r}).x;
  }
  return energy;
}

Pending overlap_async(const SpinState& state, const RealArray& reference) {
  return energy_kernels(state.device())
      .overlap(state.device(), state.layout(), state.reals(), reference.reals())
      .then([layout = state.layout()](std::vector<double>& sums) {
        sums.resize(static_cast<std::size_t>(layout.replicas));
        for (double& s : sums) s /= static_cast<double>(layout.spins());
      });
}

std::vector<Vec3<double>> weighted_sum(const RowTable& weight, const SpinState& state) {
  return as_vectors(weighted_sum_async(weight, state).take());
}

Pending weighted_sum_async(const RowTable& weight, const SpinState& state) {
  const Region region("magnetisation");
  return energy_kernels(state.device())
      .weighted_sum(state.device(), state.layout(), weight, state.reals())
      .then([layout = state.layout()](std::vector<double>& sums) { gather_vectors(sums, layout); });
}

std::vector<Vec3<double>> magnetisation_per_site(const Model& model, const SpinState& state) {
  return as_vectors(magnetisation_per_site_async(model, state).take());
}

Pending magnetisation_per_site_async(const Model& model, const SpinState& state) {
  return weighted_sum_async(model.moment_table(), state)
      .then([factor = 1 / static_cast<double>(state.layout().spins())](std::vector<double>& m) {
        for (double& x : m) x *= factor;
      });
}

}  // namespace larmor::spins
