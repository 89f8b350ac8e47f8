#include "larmor/spins/landscape/minimiser.hpp"

#include <algorithm>
#include <limits>

#include "larmor/spins/landscape/conjugate_gradient.hpp"
#include "larmor/spins/landscape/damped.hpp"
#include "larmor/spins/landscape/lbfgs.hpp"

namespace larmor::spins {
namespace {

std::unique_ptr<Direction> direction_of(const MinimiserSettings& settings, Index sites) {
  if (settings.method == Method::lbfgs) return std::make_unique<Lbfgs>(settings.history, sites);
  if (settings.method == Method::damped) return std::make_unique<Damped>();
  return std::make_unique<ConjugateGradient>();
}

/// Conjugate directions need a search that goes near the bottom; the others bring good lengths.
double flattest_of(Method method) {
  return method == Method::conjugate_gradient ? 0.3 : std::numeric_limits<double>::infinity();
}

}  // namespace

Minimiser::Minimiser(const Model& model, const SpinLayout& layout,
                     const MinimiserSettings& settings, const Device& device)
    : device_(device_for(device, layout)),
      trial_(device_, layout, model.canonical()),
      surface_(model, device_, layout),
      field_(static_cast<std::size_t>(layout.replicas)) {
  for (Index r = 0; r < layout.replicas; ++r)
    descent_.emplace_back(direction_of(settings, layout.sites), flattest_of(settings.method),
                          settings.tolerance, settings.max_rotation, layout.sites);
}

void Minimiser::set_tolerance(double tolerance) {
  for (Descent& d : descent_) d.set_tolerance(tolerance);
}

void Minimiser::start(const SpinState& state) {
  trial_.load(state.save());
  surface_.evaluate(trial_);
  for_each_replica(device_, surface_.layout(), [&](Index replica, int threads) {
    const auto r = static_cast<std::size_t>(replica);
    SiteVectors spins;
    copy_spins(state, replica, spins);
    surface_.copy_field(replica, field_[r]);
    descent_[r].start(spins, surface_.energy(replica), field_[r], threads);
  });
}

Index Minimiser::run(SpinState& state, Index iterations) {
  const SpinLayout& layout = surface_.layout();
  Index made = 0;
  for (; made < iterations && !done(); ++made) {
    for_each_replica(device_, layout, [&](Index replica, int threads) {
      Descent& descent = descent_[static_cast<std::size_t>(replica)];
      if (!descent.done()) store_spins(descent.propose(threads), replica, trial_);
    });
    surface_.evaluate(trial_);
    for_each_replica(device_, layout, [&](Index replica, int threads) {
      const auto r = static_cast<std::size_t>(replica);
      if (descent_[r].done()) return;
      surface_.copy_field(replica, field_[r]);
      descent_[r].receive(surface_.energy(replica), field_[r], threads);
    });
    ++state.step;
  }
  for_each_replica(device_, layout, [&](Index replica, int) {
    store_spins(descent_[static_cast<std::size_t>(replica)].spins(), replica, state);
  });
  return made;
}

bool Minimiser::done() const {
  return std::all_of(descent_.begin(), descent_.end(), [](const Descent& d) { return d.done(); });
}

Index Minimiser::converged() const {
  return std::count_if(descent_.begin(), descent_.end(),
                       [](const Descent& d) { return d.converged(); });
}

std::vector<double> Minimiser::energies() const {
  std::vector<double> energy;
  for (const Descent& d : descent_)
    energy.push_back(d.energy() / static_cast<double>(surface_.layout().spins()));
  return energy;
}

std::vector<double> Minimiser::torques() const {
  std::vector<double> torque;
  for (const Descent& d : descent_) torque.push_back(d.torque());
  return torque;
}

std::vector<double> Minimiser::save() const {
  std::vector<double> numbers;
  for (const Descent& d : descent_) d.save(numbers);
  return numbers;
}

void Minimiser::load(std::span<const double> saved) {
  for (Descent& d : descent_) d.load(saved);
}

double minimiser_bytes(const MinimiserSettings& settings, const SpinLayout& layout) {
  // Five vectors of a descent, two for the direction carried and the field, those of lbfgs, and in
  // the layout of the spins the trial and its field.
  const int vectors = 9 + (settings.method == Method::lbfgs ? 2 * settings.history : 0);
  return 8.0 * vectors * static_cast<double>(layout.numbers());
}

}  // namespace larmor::spins
