// Arrays of spins for programs: spins e_i, fields h_i = - dH/de_i, torques e_i x h_i, energies.
//
// In a field B = h / mu, the moment mu e has the torque mu e x B = e x h. Without damping, the
// spin then precesses by de/dt = - (gamma / mu) e x h. The fields are those of the Hamiltonian.
// Field pulses, currents and noise of a stage add nothing to them.

#include <fmt/core.h>

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/vectors.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {
namespace {

/// Spins whose length differs from 1 by less are kept as they are, bit by bit.
constexpr double rounding = 1e-12;
/// Spins whose length differs from 1 by less are made unit vectors: floats have this accuracy.
constexpr double most_deviation = 1e-5;

/// Vectors in canonical order, (replica, site, 3). @param numbers in the layout of the state
std::vector<double> canonical_vectors(const spins::SpinState& state, std::vector<double> numbers) {
  const SpinLayout& layout = state.layout();
  const VectorView view(numbers.data(), layout);
  std::vector<double> all(static_cast<std::size_t>(3 * layout.sites * layout.replicas));
  for (Index replica = 0; replica < layout.replicas; ++replica)
    for (Index position = 0; position < layout.sites; ++position) {
      const Vec3<double> v = view.load(ScalarSlot<DoubleNumbers>{position, replica});
      const Index site = state.canonical()[static_cast<std::size_t>(position)];
      double* const to = all.data() + 3 * (replica * layout.sites + site);
      to[0] = v.x;
      to[1] = v.y;
      to[2] = v.z;
    }
  return all;
}

Vec3<double> vector_at(std::span<const double> numbers, Index n) {
  const double* const p = numbers.data() + 3 * n;
  return {p[0], p[1], p[2]};
}

std::vector<double> cross_products(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> products;
  products.reserve(a.size());
  for (Index n = 0; n < std::ssize(a) / 3; ++n) {
    const Vec3<double> v = cross(vector_at(a, n), vector_at(b, n));
    products.insert(products.end(), {v.x, v.y, v.z});
  }
  return products;
}

/// @throws InputError for a vector whose length is not 1
Vec3<double> checked_spin(const Vec3<double>& e, Index replica, Index site) {
  const double norm = length(e);
  if (std::abs(norm - 1) < rounding) return e;
  if (!(std::abs(norm - 1) < most_deviation))
    throw InputError(
        fmt::format("spin {} of replica {} has the length {:.7g}", site, replica, norm),
        "divide each spin by its length");
  return {e.x / norm, e.y / norm, e.z / norm};
}

}  // namespace

std::vector<LiveArray> SpinSystem::live_arrays() const {
  const std::string energy = inner_unit(Dimension::energy, units_);
  const std::string axes = "replica, site, component";
  return {{"spins", "", axes, true, true},
          {"fields", energy, axes, true},
          {"torques", energy, axes},
          {"energies", energy, "replica"},
          {"moments", units_ == UnitSystem::material ? "μB" : "", "site"}};
}

void SpinSystem::compute_fields() {
  if (fields_.size() == 0) fields_ = RealArray(device, state.layout().numbers(), false);
  spins::store_effective_field(model, state, fields_);
}

io::DataArray SpinSystem::live_array(const std::string& name) {
  const SpinLayout& layout = state.layout();
  if (name == "moments") {
    std::vector<double> all;
    for (Index site = 0; site < layout.sites; ++site)
      all.push_back(moments[static_cast<std::size_t>(site)]);
    return all;
  }
  if (name == "energies") {
    std::vector<double> energies = spins::energy_per_site(model, state);
    for (double& energy : energies) energy *= static_cast<double>(model.spins());
    return energies;
  }
  const io::Shape shape{layout.replicas, layout.sites, 3};
  if (name == "spins") return {state.configurations(layout.replicas), shape};
  compute_fields();
  std::vector<double> fields = canonical_vectors(state, fields_.to_host());
  if (name == "fields") return {std::move(fields), shape};
  return {cross_products(state.configurations(layout.replicas), fields), shape};
}

MemoryView SpinSystem::live_view(const std::string& name) {
  if (name == "fields") compute_fields();
  const Reals numbers = name == "fields" ? fields_.reals() : state.reals();
  const SpinLayout& layout = state.layout();
  const Index n = layout.padded_sites();
  const bool is_single = device.precision == Precision::single_numbers;
  const void* const first =
      is_single ? static_cast<const void*>(numbers.narrow) : static_cast<const void*>(numbers.wide);
  // (block of replicas, replica in block, site, component)
  if (layout.one_replica())
    return {first, is_single, {1, 1, layout.sites, 3}, {3 * n, 3 * n, 1, n}, device};
  return {first,
          is_single,
          {layout.blocks(), lane_count, layout.sites, 3},
          {3 * n * lane_count, 1, 3 * lane_count, lane_count},
          device};
}

std::vector<std::int32_t> SpinSystem::order_of_views() const {
  const std::vector<std::int32_t>& canonical = state.canonical();
  return {canonical.begin(), canonical.begin() + state.layout().sites};
}

void SpinSystem::set_live_array(const std::string&, std::span<const double> values) {
  const SpinLayout& layout = state.layout();
  std::vector<double> numbers = state.save();
  const VectorView view(numbers.data(), layout);
  for (Index lane = 0; lane < layout.padded_replicas(); ++lane) {
    const Index replica = std::min(lane, layout.replicas - 1);
    for (Index position = 0; position < layout.spins(); ++position) {
      const Index site = state.canonical()[static_cast<std::size_t>(position)];
      view.store(ScalarSlot<DoubleNumbers>{position, lane},
                 checked_spin(vector_at(values, replica * layout.sites + site), replica, site));
    }
  }
  state.load(numbers);
}

}  // namespace larmor::study
