#pragma once
// Thermal motion of particles in a potential, and the states between which they move.
//
// Overdamped motion with the diffusion constant D, by the scheme of Euler and Maruyama:
//   dx = -(D / k_B T) grad V dt + sqrt(2 D) dW.
// Motion with the friction g and masses 1, by the splitting BAOAB (B. Leimkuhler and C. Matthews,
// Appl. Math. Res. Express 2013, 34 (2013)):
//   dx = v dt,  dv = -grad V dt - g v dt + sqrt(2 g k_B T) dW.
//
// A state is the basin of a minimum under steepest descent. Its label is a hash of the minimum in
// steps of L / 1000, with the typical length L. Or a formula gives a whole number for each state.

#include <optional>

#include "larmor/core/object_pool.hpp"
#include "larmor/parsplice/segment_system.hpp"
#include "larmor/particles/potential.hpp"

namespace larmor::particles {

struct MotionKeys {
  PotentialKeys potential;
  std::optional<std::string> state;  ///< formula of whole numbers; none: states are basins
  double diffusion = 1;              ///< D of overdamped motion
  std::optional<double> friction;    ///< g; none: the motion is overdamped
  double thermal_energy = 1;         ///< k_B T
  double timestep = 0;
  Index timesteps_of_step = 1;  ///< timesteps between two checks of the state
};

class Motion : public parsplice::MatterSystem {
 public:
  /// @throws InputError for a formula that is wrong
  explicit Motion(const MotionKeys& keys);

  Index numbers() const override;
  Index numbers_of_places() const override;
  Index most_steps_of_call() const override;
  double energy(std::span<const double> configuration) const override;
  /// @throws UnphysicalError if the formula of states gives no whole number, or if there is no
  /// isolated minimum
  parsplice::StateLabel state(std::span<const double> configuration) const override;
  /// The minimum, from a descent that begins at its place in steps of L / 1000. So its bits are
  /// those of the state.
  /// @throws UnphysicalError if the minimum lies in another state of the formula
  parsplice::Configuration reference(std::span<const double> configuration) const override;
  parsplice::Advance advance(std::span<double> configuration, Index steps,
                             const RandomKey& key) const override;

 private:
  struct Worker {
    explicit Worker(const MotionKeys& keys);
    Potential potential;
    std::optional<Formula> state;
    std::vector<double> gradient;
  };

  parsplice::StateLabel state_of(Worker& worker, std::span<const double> configuration) const;
  void diffuse(Worker& worker, std::span<double> x, const RandomKey& key) const;
  void move(Worker& worker, std::span<double> x, std::span<double> v, const RandomKey& key) const;

  MotionKeys keys_;
  std::size_t coordinates_;
  mutable ObjectPool<Worker> workers_;
};

}  // namespace larmor::particles
