#pragma once
// Constant temperature and pressure by the equations of cell_motion.hpp. Each replica has two
// Nose-Hoover chains, one for its atoms and one for its box, both with the time of the heat bath.
// The steps are those of M. E. Tuckerman, J. Alejandre, R. Lopez-Rendon, A. L. Jochim, G. J.
// Martyna, J. Phys. A 39, 5629 (2006). Time-reversible. The sum of energy, P V, the box's energy
// and the chains' energies is conserved.
//
// Without links in the chains, enthalpy is constant instead of temperature: E + K + P V plus the
// box's energy is conserved. The temperature of the heat bath then only sets the mass of the box.
//
// The volume oscillates with a period of about 2 pi tau sqrt(k_B T / (3 B v)), with the bulk
// modulus B and the volume v of an atom. In crystals this is several times shorter than tau. If the
// period is among those of the phonons, all volumes are soon visited.

#include "larmor/atoms/integrators/barostat.hpp"
#include "larmor/atoms/integrators/mtk_kernel.hpp"
#include "larmor/atoms/integrators/nose_hoover.hpp"

namespace larmor::atoms {

class Mtk : public ChainedIntegrator {
 public:
  Mtk(double timestep, const HeatBath& heat, const PressureBath& pressure, int threads);

  std::vector<double> conserved(const AtomState& state) const override;
  /// M tr R^2 / 2, eV: the kinetic energy of a box, k_B T / 2 for each of its 1, 3 or 6 rates.
  double box_energy(const AtomState& state, Index replica) const;

 protected:
  void require(const AtomState& state) const override;
  void step(AtomState& state, ForceField& field) override;

 private:
  BoxBathView baths(const AtomState& state, const Device& device) const;
  void thermostat(AtomState& state);
  void push_boxes(AtomState& state);
  void kick_with_boxes(AtomState& state);
  void drift_with_boxes(AtomState& state);

  PressureBath bath_;
  KeptOfReplicas<NoseHooverChain> box_chains_;
  KeptOfReplicas<Mat3<double>> rate_;  ///< R

  // Work arrays of the current step [replicas].
  ReplicaSums<6> kinetic_;
  AtomArray<double> factor_;
  AtomArray<AffineStep> steps_;
};

}  // namespace larmor::atoms
