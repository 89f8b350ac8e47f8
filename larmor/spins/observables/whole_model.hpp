#pragma once
// The view of a whole model for given spins, with its long-range field already computed.

#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/long_range/convolution.hpp"
#include "larmor/spins/state/schedule.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

/// Computes the long-range field of the spins of all blocks.
/// @param field in the layout of the spins
void store_long_range_field(const Convolution& interaction, const SpinState& state,
                            RealArray& field);

/// Calls work(view). If there is an interaction, its field is computed first and added to the view.
template <class Work>
auto with_long_range(ModelView view, const Convolution* interaction, const SpinState& state,
                     const Work& work) {
  RealArray field;
  if (interaction != nullptr) {
    field = RealArray(state.device(), state.layout().numbers(), false);
    store_long_range_field(*interaction, state, field);
  }
  view.long_range = field.reals();
  return work(view);
}

template <class Work>
auto with_whole_model(const Model& model, const SpinState& state, const Work& work) {
  return with_long_range(model.view(state.layout().replicas), model.long_range(), state, work);
}

}  // namespace larmor::spins
