#include "larmor/atoms/observables/mean_squared_displacement.hpp"

namespace larmor::atoms {

MeanSquaredDisplacement::MeanSquaredDisplacement(const AtomLayout& layout, Index types,
                                                 const LagSettings& settings, CentreOfMass centre,
                                                 int threads)
    : types_(types),
      centre_(centre),
      threads_(threads),
      averages_(LaggedFunction::squared_distance, layout, types, settings, threads) {}

void MeanSquaredDisplacement::add(const AtomState& state) {
  averages_.add(frame_positions(state, centre_, threads_), state.type,
                atoms_of_types(state, types_));
}

}  // namespace larmor::atoms
