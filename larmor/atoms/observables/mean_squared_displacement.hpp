#pragma once
// The mean squared displacement of the atoms of each type, < |r(s + t) - r(s)|^2 >, over atoms and
// time origins s. In three dimensions it is 6 D t for long times, with the diffusion constant D.
// It is meant for constant boxes, because a change of the box also displaces atoms.

#include "larmor/atoms/observables/frames.hpp"
#include "larmor/atoms/observables/lagged_averages.hpp"

namespace larmor::atoms {

class MeanSquaredDisplacement {
 public:
  /// @throws InputError for the errors of LaggedAverages
  MeanSquaredDisplacement(const AtomLayout& layout, Index types, const LagSettings& settings,
                          CentreOfMass centre, int threads)
      : types_(types),
        centre_(centre),
        threads_(threads),
        averages_(LaggedFunction::squared_distance, layout, types, settings, threads) {}

  void add(const AtomState& state) {
    averages_.add(frame_positions(state, centre_, threads_), state.type,
                  atoms_of_types(state, types_));
  }
  /// Angstrom^2 [type, lag] for each block and replica; NaN if a replica has no atom of a type.
  const BlockedMeans& means() const { return averages_.means(); }

  /// FORMAT: that of LaggedAverages.
  std::vector<double> save() const { return averages_.save(); }
  void load(std::span<const double> saved) { averages_.load(saved); }

 private:
  Index types_;
  CentreOfMass centre_;
  int threads_;
  LaggedAverages averages_;
};

}  // namespace larmor::atoms
