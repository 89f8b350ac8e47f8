#pragma once
// Constant temperature and pressure by the equations of cell_motion.hpp. Each replica has two
// Nose-Hoover chains, one for its atoms and one for its box, both with the time of the heat bath.
// The steps are those of M. E. Tuckerman, J. Alejandre, R. Lopez-Rendon, A. L. Jochim, G. J.
// Martyna, J. Phys. A 39, 5629 (2006). They are time-reversible. The sum of energy, P V, the box's
// energy and the chains' energies is conserved.
//
// Without links in the chains, enthalpy is constant instead of temperature: E + K + P V plus the
// box's energy is conserved. The temperature of the heat bath then only sets the mass of the box.
//
// The volume oscillates with a period of about 2 pi tau sqrt(k_B T / (3 B v)). B is the bulk
// modulus and v the volume of an atom. In crystals this is several times shorter than tau. If the
// period is among those of the phonons, all volumes are soon visited.

#include "larmor/atoms/integrators/motion.hpp"
#include "larmor/atoms/integrators/nose_hoover.hpp"
#include "larmor/atoms/integrators/pressure_bath.hpp"

namespace larmor::atoms {

/// The baths of atoms and boxes.
struct BoxBathView {
  ChainBathView heat;
  PressureBathView pressure;

  /// The mass M of the box. @param atoms number of atoms of the replica
  LARMOR_INLINE double inertia(Index atoms, Index replica) const {
    const ChainTarget target = heat.atoms_target(atoms, replica);
    const double tau = pressure.time[replica];
    return (target.freedom + 3) * target.thermal_energy * tau * tau / 3;
  }
  LARMOR_INLINE ChainTarget box_target(Index replica) const {
    return heat.target(rates_of(pressure.shape), replica);
  }
  /// The energy M tr R^2 / 2 of the box. @param rate R
  LARMOR_INLINE double box_energy(const Mat3<double>& rate, Index atoms, Index replica) const {
    return 0.5 * inertia(atoms, replica) * trace(product(rate, rate));
  }
};

LARMOR_INLINE double twice_kinetic_energy(const SymmetricTensor& kinetic) {
  return kinetic[0] + kinetic[1] + kinetic[2];
}

/// Moves the chains of atoms and box.
struct MoveBothChains {
  LayoutView layout;
  BoxBathView baths;
  double duration;
  NoseHooverChain *of_atoms, *of_box;  ///< [replicas]
  Mat3<double>* rate;                  ///< R [replicas]
  SymmetricTensor* kinetic;            ///< sum m v (x) v, updated for the new velocities [replicas]
  double* factor;                      ///< factor for the velocities [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const Index atoms = layout.atoms_of(replica);
    const double scale = move_chain(of_atoms[replica], twice_kinetic_energy(kinetic[replica]),
                                    baths.heat.atoms_target(atoms, replica), duration);
    factor[replica] = scale;
    for (std::size_t k = 0; k < 6; ++k) kinetic[replica][k] *= scale * scale;
    rate[replica] = move_chain(of_box[replica], 2 * baths.box_energy(rate[replica], atoms, replica),
                               baths.box_target(replica), duration) *
                    rate[replica];
  }
};

/// Integrates dR/dt for half a timestep.
struct PushBox {
  AtomsView atoms;
  BoxBathView baths;
  double timestep;                 ///< the whole step, ps
  const SymmetricTensor* kinetic;  ///< sum m v (x) v [replicas]
  Mat3<double>* rate;              ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const Index count = atoms.layout.atoms_of(replica);
    const auto freedom = static_cast<double>(degrees_of_freedom(count));
    const double unit = twice_kinetic_energy(kinetic[replica]) / freedom -
                        baths.pressure.pressure(replica) * atoms.box[replica].volume();
    const Mat3<double> push =
        matrix_of(kinetic[replica]) + matrix_of(atoms.virial[replica]) + multiple_of_unit(unit);
    rate[replica] = rate[replica] + (timestep / 2 / baths.inertia(count, replica)) *
                                        allowed_part(push, baths.pressure.shape);
    require_small_strain(atoms.fault, replica, timestep * rate[replica]);
  }
};

/// The solution of dv/dt for the velocities.
struct KickOfBox {
  LayoutView layout;
  double duration;
  const Mat3<double>* rate;  ///< [replicas]
  AffineStep* step;          ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const auto freedom = static_cast<double>(degrees_of_freedom(layout.atoms_of(replica)));
    const Mat3<double> friction = rate[replica] + multiple_of_unit(trace(rate[replica]) / freedom);
    step[replica] = affine_step(-1.0 * friction, duration);
  }
};

struct KickWithBox {
  AtomsView atoms;
  const AffineStep* step;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    RequireFinite{atoms}(replica, i);
    atoms.velocity[i] = step[replica](atoms.velocity[i], (1 / atoms.mass(i)) * atoms.force[i]);
  }
};

/// The solution of dr/dt for the positions. Also moves the box.
struct DriftOfBox {
  double duration;
  const Mat3<double>* rate;  ///< [replicas]
  AffineStep* step;          ///< [replicas]
  Box* box;                  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    step[replica] = affine_step(rate[replica], duration);
    deform(box[replica], step[replica].A);
  }
};

struct DriftWithBox {
  Vec3<double>* position;
  const Vec3<double>* velocity;
  const AffineStep* step;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    position[i] = step[replica](position[i], velocity[i]);
  }
};

class Mtk : public ChainedIntegrator {
 public:
  static constexpr const char* name = "mtk";
  static constexpr const char* doc =
      "the equations of Martyna, Tobias and Klein; with thermostat = \"nose-hoover\" they keep "
      "pressure and temperature, and without a thermostat pressure and enthalpy";
  static constexpr const char* thermostats[] = {NoseHoover::name, "none"};
  using AtomKernels = std::tuple<KickWithBox, DriftWithBox>;
  using ReplicaKernels = std::tuple<MoveBothChains, PushBox, KickOfBox, DriftOfBox>;

  Mtk(double timestep, const HeatBath& heat, const PressureBath& pressure, int threads,
      const NoseHooverKeys& keys = {})
      : ChainedIntegrator(timestep, heat, threads, keys),
        bath_(pressure),
        box_chains_(pressure.replicas()),
        rate_(pressure.replicas()) {
    add_state(box_chains_);
    add_state(rate_);
  }

  /// @param is_coupled is there a thermostat?
  static std::string advice(CellShape shape, bool is_coupled) {
    if (!is_coupled || shape != CellShape::triclinic) return {};
    return "barostat = \"mtk\" gives wrong fluctuations of the lengths and angles of a triclinic "
           "box: its single heat bath does not share the energy evenly among the six strains; "
           "thermostat = \"bussi\" with barostat = \"stochastic-cell-rescaling\" gives the right "
           "fluctuations";
  }

  std::vector<double> conserved(const AtomState& state) const override {
    std::vector<double> conserved = energies(state);
    const BoxBathView view = baths(state, {});
    const std::vector<double> of_chains = chain_energies(state);
    const std::vector<NoseHooverChain> box_chains = box_chains_.to_host();
    const std::vector<Mat3<double>> rates = rate_.to_host();
    const std::vector<Box> boxes = state.box.to_host();
    for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
      const auto r = static_cast<std::size_t>(replica);
      conserved[r] += view.pressure.pressure(replica) * boxes[r].volume() +
                      view.box_energy(rates[r], state.layout.atoms_of(replica), replica) +
                      of_chains[r] + energy_of(box_chains[r], view.box_target(replica));
    }
    return conserved;
  }
  /// The kinetic energy M tr R^2 / 2 of a box, eV. It is k_B T / 2 on average for each of its 1, 3
  /// or 6 rates.
  double box_energy(const AtomState& state, Index replica) const {
    return baths(state, {}).box_energy(rate_.to_host()[static_cast<std::size_t>(replica)],
                                       state.layout.atoms_of(replica), replica);
  }

 protected:
  void require(const AtomState& state) const override {
    ChainedIntegrator::require(state);
    bath_.require(state);
  }

  void step(AtomState& state, ForceField& field) override {
    factor_.resize(state.device, state.layout.replicas());
    steps_.resize(state.device, state.layout.replicas());
    sum_kinetic_stresses(state, threads(), kinetic_);
    thermostat(state);
    push_boxes(state);
    kick_with_boxes(state);
    drift_with_boxes(state);
    field.evaluate(state);
    kick_with_boxes(state);
    sum_kinetic_stresses(state, threads(), kinetic_);
    push_boxes(state);
    thermostat(state);
  }

 private:
  BoxBathView baths(const AtomState& state, const Device& device) const {
    return {chain_bath(state, device), bath_.view(state, device)};
  }

  /// Moves the chains for half a step.
  void thermostat(AtomState& state) {
    if (links() == 0) return;
    for_each_replica(state, MoveBothChains{state.layout.view(), baths(state, state.device),
                                           timestep() / 2, chains(), box_chains_.data(),
                                           rate_.data(), kinetic_.data(), factor_.data()});
    scale_velocities(state, factor_, threads());
  }

  /// Integrates dR/dt for half a step.
  void push_boxes(AtomState& state) {
    for_each_replica(state, PushBox{state.view(), baths(state, state.device), timestep(),
                                    kinetic_.data(), rate_.data()});
    throw_fault_of_cpu(state);
  }

  /// Integrates dv/dt for half a step.
  void kick_with_boxes(AtomState& state) {
    for_each_replica(state,
                     KickOfBox{state.layout.view(), timestep() / 2, rate_.data(), steps_.data()});
    for_each_atom(state, threads(), KickWithBox{state.view(), steps_.data()});
    throw_fault_of_cpu(state);
  }

  /// Integrates dr/dt and dh/dt for a step.
  void drift_with_boxes(AtomState& state) {
    for_each_replica(state, DriftOfBox{timestep(), rate_.data(), steps_.data(), state.box.data()});
    for_each_atom(state, threads(),
                  DriftWithBox{state.position.data(), state.velocity.data(), steps_.data()});
  }

  PressureBath bath_;
  StateOfReplicas<NoseHooverChain> box_chains_;
  StateOfReplicas<Mat3<double>> rate_;  ///< R

  // Work arrays of the current step [replicas].
  ReplicaSums<6> kinetic_;
  AtomArray<double> factor_;
  AtomArray<AffineStep> steps_;
};

}  // namespace larmor::atoms
