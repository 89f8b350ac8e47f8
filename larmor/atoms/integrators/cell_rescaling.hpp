#pragma once
// Constant temperature and pressure by stochastic cell rescaling: M. Bernetti, G. Bussi, J. Chem.
// Phys. 153, 114107 (2020); boxes of other shapes: V. Del Tatto, P. Raiteri, M. Bernetti, G. Bussi,
// Appl. Sci. 12, 1139 (2022). Velocity verlet, velocity rescaling (bussi.hpp), and in
// each step a strain e of the box, h -> exp(e) h, r -> exp(e) r, v -> exp(-e) v, with
//
//   e = kappa / (3 tau) (P_int - P) dt + sqrt(2 k_B T kappa dt / (3 V tau)) X,
//   P_int = (sum m v (x) v + W) / V,
//
// restricted to the components that the box may follow. X is a symmetric matrix of normal deviates,
// with variance 1 on the diagonal and 1/2 off it. For an isotropic box this is the equation of the
// paper for ln V. For small timesteps a box has the weight exp(-(E + P V) / k_B T) dV. The box does
// not oscillate: it follows its pressure within tau, if kappa is the compressibility.

#include "larmor/atoms/integrators/barostat.hpp"
#include "larmor/atoms/integrators/bussi.hpp"
#include "larmor/atoms/integrators/cell_rescaling_kernel.hpp"

namespace larmor::atoms {

class CellRescaling : public Bussi {
 public:
  /// @param compressibility kappa, Angstrom^3/eV; a rough value only changes how fast boxes respond
  /// @throws InputError for a compressibility that is not positive
  CellRescaling(double timestep, const HeatBath& heat, const PressureBath& pressure,
                double compressibility, std::uint64_t seed, int threads);

  /// E + P V minus the heat and the work of the baths. The work on a box uses the mean of its
  /// pressures before and after a step.
  std::vector<double> conserved(const AtomState& state) const override;

 protected:
  void require(const AtomState& state) const override;
  void step(AtomState& state, ForceField& field) override;

 private:
  void strain(AtomState& state);

  PressureBath bath_;
  double compressibility_;

  // Work arrays of the current step [replicas].
  ReplicaSums<6> kinetic_;
  ReplicaSums<1> before_, after_;
  AtomArray<CellStrain> strains_;
};

}  // namespace larmor::atoms
