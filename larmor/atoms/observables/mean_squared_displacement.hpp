#pragma once
// The mean squared displacement of the atoms of each type, < |r(s + t) - r(s)|^2 >, over atoms and
// time origins s; in three dimensions 6 D t for long times, with the diffusion constant D. In a box
// that stays as it is: where the box changes, atoms are displaced with it.

#include "larmor/atoms/observables/frames.hpp"
#include "larmor/atoms/observables/lagged_averages.hpp"

namespace larmor::atoms {

class MeanSquaredDisplacement {
 public:
  /// @throws InputError as LaggedAverages
  MeanSquaredDisplacement(const AtomLayout& layout, Index types, const LagSettings& settings,
                          CentreOfMass centre, int threads);

  void add(const AtomState& state);
  /// Angstrom^2 [type, lag] of each block and replica; NaN where a replica has no atom of a type.
  const BlockedMeans& means() const { return averages_.means(); }

  /// FORMAT: as LaggedAverages.
  std::vector<double> save() const { return averages_.save(); }
  void load(std::span<const double> saved) { averages_.load(saved); }

 private:
  Index types_;
  CentreOfMass centre_;
  int threads_;
  LaggedAverages averages_;
};

}  // namespace larmor::atoms
