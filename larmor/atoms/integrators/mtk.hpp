#pragma once
// Constant temperature and pressure by the equations of cell_motion.hpp with two Nose-Hoover chains
// for each replica, one for its atoms and one for its box, both with the time of the heat bath. The
// steps are those of M. E. Tuckerman, J. Alejandre, R. Lopez-Rendon, A. L. Jochim, G. J. Martyna,
// J. Phys. A 39, 5629 (2006). Time-reversible. Energy, P V, the box's energy and the chains
// together are conserved.
//
// Without links in the chains enthalpy takes the place of temperature: E + K + P V and the box's
// energy are conserved, and the temperature of the heat bath says only how heavy the box is.
//
// The volume swings with a period of about 2 pi tau sqrt(k_B T / (3 B v)), with the bulk modulus B
// and the volume v of an atom: in crystals several times shorter than tau. Where it lies among the
// periods of the phonons, all volumes are soon visited.

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

  // Of the step that is being done. [replicas]
  ReplicaSums<6> kinetic_;
  AtomArray<double> factor_;
  AtomArray<AffineStep> steps_;
};

}  // namespace larmor::atoms
