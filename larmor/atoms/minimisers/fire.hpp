#pragma once
// FIRE 2.0: dynamics that stops when it goes uphill, and that otherwise turns towards the force (J.
// Guenole, W. G. Noehring, A. Vaid, F. Houlle, Z. Xie, A. Prakash, E. Bitzek, Comput. Mater. Sci.
// 175, 109584 (2020); the first FIRE: E. Bitzek, P. Koskinen, F. Gaehler, M. Moseler, P. Gumbsch,
// Phys. Rev. Lett. 97, 170201 (2006)). With coordinates x, velocities v, forces F, the mixing a and
// P = F.v, each step does
//
//   P > 0: after 20 steps in a row dt = min(1.1 dt, dt_max), a = 0.99 a;
//   else:  dt = max(dt / 2, dt_min), a = 0.25, x -= v dt / 2, v = 0;
// v += F dt,  if P > 0: v = (1 - a) v + a |v| F / |F|,  x += v dt.
//
// After the start, dt does not shrink for 20 steps. All masses are 1 and dt is in
// After the start, dt does not shrink for 20 steps. All masses are 1 and dt is in
// Angstrom/eV^(1/2). FIRE is robust, also far from a minimum. L-BFGS needs fewer steps near a
// minimum.

#include "larmor/atoms/minimisers/minimiser.hpp"

namespace larmor::atoms {

class Fire : public Minimiser {
 public:
  Fire(const AtomLayout& layout, const MinimiserSettings& settings, int threads);

 protected:
  void restart(const ReplicaSet& chosen) override;
  void propose(const ReplicaSet& running) override;
  ReplicaSet accept_trials(const ReplicaSet& running, std::span<const double> enthalpy) override;
  void advance(const ReplicaSet&) override {}
  bool may_stop_by_energy(std::size_t replica) const override;
  void save_memory(std::vector<double>& out, std::size_t replica) const override;
  void load_memory(std::span<const double>& saved, std::size_t replica) override;

 private:
  /// Timestep, mixing and counters of a replica.
  struct StepControl {
    double timestep, mixing;
    double steps;     ///< since the start
    double downhill;  ///< number of successive downhill steps
  };
  void adjust(StepControl& control, bool is_downhill) const;

  JointVector velocity_;
  std::vector<StepControl> step_controls_;
};

}  // namespace larmor::atoms
