#include "larmor/study/models/atoms/system/atom_motion.hpp"

#include <algorithm>

#include "larmor/atoms/integrators/langevin.hpp"
#include "larmor/atoms/minimisers/lbfgs.hpp"
#include "larmor/parsplice/segment.hpp"
#include "larmor/parsplice/state_label.hpp"

namespace larmor::study {
namespace {

using parsplice::Configuration;
using parsplice::StateLabel;
using Positions = std::vector<Vec3<double>>;

constexpr Index most_steps = 20000;
/// A minimum is found if no force is larger, eV/Angstrom. Places then have errors of about 1e-6
/// Angstrom.
constexpr double smallest_force = 1e-6;
/// Atoms are in a state if they are this near its minimum, with no larger force: Angstrom,
/// eV/Angstrom.
constexpr double near = 0.2, small_force = 0.1;

}  // namespace

std::vector<Vec3<double>> vectors_of(std::span<const double> numbers) {
  Positions vectors;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    vectors.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return vectors;
}

void put(std::span<const Vec3<double>> vectors, std::span<double> numbers) {
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    numbers[3 * i] = vectors[i].x;
    numbers[3 * i + 1] = vectors[i].y;
    numbers[3 * i + 2] = vectors[i].z;
  }
}

atoms::MinimiserSettings settings_of_minima() {
  atoms::MinimiserSettings settings;
  settings.tolerance = smallest_force;
  return settings;
}

/// The atoms and the force field of one thread.
struct AtomMotion::Worker {
  atoms::AtomState moving, relaxing;
  std::unique_ptr<atoms::ForceField> field;

  void set(std::span<const double> configuration) {
    const auto half = configuration.size() / 2;
    moving.position = std::span<const Vec3<double>>(vectors_of(configuration.first(half)));
    moving.velocity = std::span<const Vec3<double>>(vectors_of(configuration.subspan(half)));
  }
  void get(std::span<double> configuration) const {
    const auto half = configuration.size() / 2;
    put(moving.position.to_host(), configuration.first(half));
    put(moving.velocity.to_host(), configuration.subspan(half));
  }
};

AtomMotion::AtomMotion(const AtomTables& tables, const AtomMotionKeys& keys,
                       std::span<const double> first)
    : tables_(tables),
      setup_(setup_of(tables)),
      keys_(keys),
      atoms_(static_cast<std::size_t>(setup_.of(0).atoms())),
      workers_([this] { return make_worker(); }) {
  const Positions positions = vectors_of(first.first(3 * atoms_));
  const atoms::NamedStructure& structure = setup_.of(0);
  // The grid of the first structure, which the search for its minimum needs for the label only.
  grid_.emplace(structure.box, structure.types, positions);
  grid_.emplace(structure.box, structure.types,
                minimum_of(*workers_.borrow(), positions, nullptr)->positions);
}

AtomMotion::~AtomMotion() = default;

Index AtomMotion::numbers_of_places() const { return 3 * static_cast<Index>(atoms_); }

atoms::AtomState AtomMotion::state_of(Index replicas, const Device& device) const {
  const std::vector<atoms::Structure> structures(static_cast<std::size_t>(replicas), setup_.of(0));
  return {atoms::AtomUnits::material(tables_.context.constants), setup_.molar_masses, structures, 0,
          device};
}

std::unique_ptr<atoms::ForceField> AtomMotion::field_on(const Device& device) const {
  return AtomPotentials::force_field(read_potentials(tables_, setup_.species(), device),
                                     tables_.atoms.skin, device);
}

std::unique_ptr<AtomMotion::Worker> AtomMotion::make_worker() const {
  const Device one_thread = Device::cpu(1);
  // BITS: copies of a state would share its step, which minimisers increase.
  return std::make_unique<Worker>(
      Worker{state_of(1, one_thread), state_of(1, one_thread), field_on(one_thread)});
}

bool AtomMotion::is_at(const Found& home, std::span<const Vec3<double>> positions,
                       double largest_force) const {
  return largest_force < small_force && grid_->is_near(positions, home.positions, near);
}

std::uint64_t AtomMotion::noise_seed(const RandomKey& key) {
  return parsplice::seed_of(
      key.seed, {static_cast<StateLabel>(key.stream), static_cast<Index>(key.first_replica)});
}

AtomMotion::Found AtomMotion::labelled(std::vector<Vec3<double>> minimum) const {
  const StateLabel label = parsplice::label_of(grid_->numbers_of(minimum));
  return {std::move(minimum), label};
}

AtomMotion::Found AtomMotion::minimum_of(std::span<const Vec3<double>> positions) const {
  return *minimum_of(*workers_.borrow(), positions, nullptr);
}

std::optional<AtomMotion::Found> AtomMotion::minimum_unless_at(
    const Found& home, std::span<const Vec3<double>> positions) const {
  return minimum_of(*workers_.borrow(), positions, &home);
}

double AtomMotion::energy(std::span<const double> configuration) const {
  const auto worker = workers_.borrow();
  worker->set(configuration);
  worker->field->evaluate(worker->moving);
  return worker->moving.energy[0];
}

std::optional<AtomMotion::Found> AtomMotion::minimum_of(Worker& worker,
                                                        std::span<const Vec3<double>> positions,
                                                        const Found* home) const {
  atoms::AtomState& state = worker.relaxing;
  state.position = positions;
  state.step = std::uint64_t{worker.moving.step};
  atoms::Lbfgs minimiser(state.layout, settings_of_minima(), pairs_of_minima, 1);
  minimiser.start(state, *worker.field);
  Index steps = 0;
  while (!minimiser.done()) {
    if (steps >= most_steps)
      throw UnphysicalError("a minimisation of atoms does not converge in " +
                            std::to_string(most_steps) +
                            " steps; states of these atoms cannot be told apart");
    steps += minimiser.run(state, *worker.field, steps_between_looks);
    if (home != nullptr && is_at(*home, state.positions_of(0), minimiser.largest_forces()[0]))
      return std::nullopt;
  }
  return labelled(state.position.to_host());
}

StateLabel AtomMotion::state(std::span<const double> configuration) const {
  const Positions positions = vectors_of(configuration.first(3 * atoms_));
  return minimum_of(*workers_.borrow(), positions, nullptr)->label;
}

Configuration AtomMotion::reference(std::span<const double> configuration) const {
  const auto worker = workers_.borrow();
  const Positions positions = vectors_of(configuration.first(3 * atoms_));
  const Found found = *minimum_of(*worker, positions, nullptr);
  const Positions rough = grid_->positions_of(grid_->numbers_of(found.positions));
  std::optional<Found> reference = minimum_of(*worker, rough, nullptr);
  // If the middles of cells lie in another basin, the minimum itself is the reference.
  if (reference->label != found.label) reference = found;
  worker->moving.position = std::span<const Vec3<double>>(reference->positions);
  worker->moving.step = 0;
  worker->moving.set_seed(found.label);
  atoms::set_velocities(worker->moving, std::vector<double>{keys_.temperature}, false, 1);
  Configuration all(static_cast<std::size_t>(numbers()));
  worker->get(all);
  return all;
}

parsplice::Advance AtomMotion::advance(std::span<double> configuration, Index steps,
                                       const RandomKey& key) const {
  const auto worker = workers_.borrow();
  worker->set(configuration);
  atoms::AtomState& state = worker->moving;
  const Found home = *minimum_of(*worker, state.position.to_host(), nullptr);
  const atoms::HeatBath bath{
      {atoms::Ramp::constant(keys_.temperature)}, {keys_.friction_time}, true};
  atoms::Langevin dynamics(keys_.timestep, bath, 1);
  state.set_seed(noise_seed(key));
  state.step = key.step * static_cast<std::uint64_t>(keys_.timesteps_of_step);
  dynamics.start(state, *worker->field);
  StateLabel now = home.label;
  Index done = 0;
  while (done < steps && now == home.label) {
    dynamics.run(state, *worker->field, keys_.timesteps_of_step);
    ++done;
    // The last check of a call is complete, so that `state` gives the label that this call returns.
    const std::optional<Found> found =
        minimum_of(*worker, state.position.to_host(), done < steps ? &home : nullptr);
    if (!found || found->label == home.label) continue;
    now = found->label;
    // A drift of all atoms would grow with each walk of a vacancy through the box.
    const Vec3<double> drift = grid_->drift_of(found->positions);
    for (Vec3<double>& position : state.position) position = position - drift;
  }
  worker->get(configuration);
  return {done, now};
}

}  // namespace larmor::study
