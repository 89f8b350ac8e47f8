#include "larmor/atoms/integrators/martyna_tobias_klein.hpp"

#include "larmor/atoms/replica_sums.hpp"
#include "larmor/atoms/thermodynamics.hpp"

namespace larmor::atoms {
namespace {

double twice_kinetic_energy(const SymmetricTensor& kinetic) {
  return kinetic[0] + kinetic[1] + kinetic[2];
}

}  // namespace

MartynaTobiasKlein::MartynaTobiasKlein(double timestep, const HeatBath& heat,
                                       const PressureBath& pressure, int threads)
    : ChainedIntegrator(timestep, heat, threads),
      bath_(pressure),
      rate_(static_cast<std::size_t>(pressure.replicas())),
      box_chains_(rate_.size()) {}

void MartynaTobiasKlein::require(const AtomState& state) const {
  ChainedIntegrator::require(state);
  bath_.require(state);
}

double MartynaTobiasKlein::inertia(const AtomState& state, Index replica) const {
  const ChainTarget atoms = atoms_target(state, replica);
  const double tau = bath_.time(replica);
  return (atoms.freedom + 3) * atoms.thermal_energy * tau * tau / 3;
}

ChainTarget MartynaTobiasKlein::box_target(const AtomState& state, Index replica) const {
  return {rates_of(bath_.shape()), thermal_energy(state, replica), time(replica)};
}

double MartynaTobiasKlein::box_energy(const AtomState& state, Index replica) const {
  const Mat3<double>& R = rate_[static_cast<std::size_t>(replica)];
  return 0.5 * inertia(state, replica) * trace(product(R, R));
}

std::vector<double> MartynaTobiasKlein::conserved(const AtomState& state) const {
  std::vector<double> conserved = energies(state);
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    conserved[r] += bath_.pressure(state, replica) * state.box[r].volume() +
                    box_energy(state, replica) + chain_energy(state, replica) +
                    energy_of(box_chains_[r], box_target(state, replica));
  }
  return conserved;
}

std::vector<double> MartynaTobiasKlein::save() const {
  const std::vector<double> chains = ChainedIntegrator::save();
  const std::size_t of_replica = chains.size() / rate_.size();
  std::vector<double> out;
  for (std::size_t r = 0; r < rate_.size(); ++r) {
    const auto own = chains.begin() + static_cast<std::ptrdiff_t>(r * of_replica);
    out.insert(out.end(), own, own + static_cast<std::ptrdiff_t>(of_replica));
    save_chains({&box_chains_[r], 1}, out);
    for (const Vec3<double>& row : rate_[r].row) out.insert(out.end(), {row.x, row.y, row.z});
  }
  return out;
}

void MartynaTobiasKlein::load(std::span<const double> saved) {
  const std::size_t of_replica = ChainedIntegrator::save().size() / rate_.size();
  std::vector<double> chains;
  for (std::size_t r = 0; r < rate_.size(); ++r) {
    const auto own = saved.first(of_replica);
    chains.insert(chains.end(), own.begin(), own.end());
    saved = saved.subspan(of_replica);
    load_chains({&box_chains_[r], 1}, saved);
    for (Vec3<double>& row : rate_[r].row) {
      row = {saved[0], saved[1], saved[2]};
      saved = saved.subspan(3);
    }
  }
  ChainedIntegrator::load(chains);
}

void MartynaTobiasKlein::step(AtomState& state, ForceField& field) {
  std::vector<SymmetricTensor> kinetic = kinetic_stresses(state, threads());
  thermostat(state, kinetic);
  push_boxes(state, kinetic);
  kick_with_boxes(state);
  drift_with_boxes(state);
  evaluate(state, field);
  kick_with_boxes(state);
  kinetic = kinetic_stresses(state, threads());
  push_boxes(state, kinetic);
  thermostat(state, kinetic);
}

/// For half a step. @param kinetic sum m v (x) v, which becomes that of the new velocities
void MartynaTobiasKlein::thermostat(AtomState& state, std::vector<SymmetricTensor>& kinetic) {
  std::vector<double> twice_kinetic;
  for (const SymmetricTensor& tensor : kinetic)
    twice_kinetic.push_back(twice_kinetic_energy(tensor));
  const std::vector<double> factor = move_chains(state, twice_kinetic, timestep() / 2);
  for (std::size_t r = 0; r < factor.size(); ++r) {
    for (double& number : kinetic[r]) number *= factor[r] * factor[r];
    const auto replica = static_cast<Index>(r);
    rate_[r] = move_chain(box_chains_[r], 2 * box_energy(state, replica),
                          box_target(state, replica), timestep() / 2) *
               rate_[r];
  }
}

/// dR/dt for half a step.
void MartynaTobiasKlein::push_boxes(const AtomState& state,
                                    std::span<const SymmetricTensor> kinetic) {
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    const double freedom = atoms_target(state, replica).freedom;
    const double unit = twice_kinetic_energy(kinetic[r]) / freedom -
                        bath_.pressure(state, replica) * state.box[r].volume();
    const Mat3<double> push =
        matrix_of(kinetic[r]) + matrix_of(state.virial[r]) + multiple_of_unit(unit);
    rate_[r] =
        rate_[r] + (timestep() / 2 / inertia(state, replica)) * allowed_part(push, bath_.shape());
    require_small_strain(state, replica, timestep() * rate_[r]);
  }
}

/// dv/dt for half a step.
void MartynaTobiasKlein::kick_with_boxes(AtomState& state) const {
  std::vector<AffineStep> steps;
  for (std::size_t r = 0; r < rate_.size(); ++r) {
    const double freedom = atoms_target(state, static_cast<Index>(r)).freedom;
    const Mat3<double> friction = rate_[r] + multiple_of_unit(trace(rate_[r]) / freedom);
    steps.push_back(affine_step(-1.0 * friction, timestep() / 2));
  }
  for_each_atom(state.layout, threads(), [&](Index replica, Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    state.velocity[i] = steps[static_cast<std::size_t>(replica)](
        state.velocity[i], (1 / state.mass(atom)) * state.force[i]);
  });
}

/// dr/dt and dh/dt for a step.
void MartynaTobiasKlein::drift_with_boxes(AtomState& state) const {
  std::vector<AffineStep> steps;
  for (const Mat3<double>& R : rate_) steps.push_back(affine_step(R, timestep()));
  for_each_atom(state.layout, threads(), [&](Index replica, Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    state.position[i] =
        steps[static_cast<std::size_t>(replica)](state.position[i], state.velocity[i]);
  });
  for (std::size_t r = 0; r < steps.size(); ++r)
    for (Vec3<double>& v : state.box[r].vectors) v = steps[r].A * v;
}

}  // namespace larmor::atoms
