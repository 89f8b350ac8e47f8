#include "larmor/atoms/forces/potential_forces.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {
namespace {

std::string in_replica(const AtomState& state, Index replica) {
  return " of " + replica_text(state, replica) + " at step " +
         std::to_string(static_cast<std::uint64_t>(state.step));
}

void require_places(const AtomState& state, Index replica) {
  const Box& box = state.box[static_cast<std::size_t>(replica)];
  const auto positions = state.positions_of(replica);
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (!has_place(box, positions[i]))
      throw UnphysicalError("atom " + std::to_string(i) + in_replica(state, replica) +
                            " has left the box: its position is not finite or far away; try a "
                            "shorter timestep");
}

}  // namespace

PotentialForces::PotentialForces(std::vector<std::unique_ptr<const Potential>> potentials,
                                 double skin, int threads)
    : potentials_(std::move(potentials)), skin_(skin), threads_(threads) {
  if (potentials_.empty())
    throw InputError("there is no potential", "give a potential, such as [[snap]]");
  for (const auto& potential : potentials_) cutoff_ = std::max(cutoff_, potential->cutoff());
}

void PotentialForces::evaluate(AtomState& state) {
  require_cpu(state.device);
  const Index replicas = state.layout.replicas();
  lists_.resize(static_cast<std::size_t>(replicas), NeighbourList(cutoff_, skin_));
  parallel_for(threads_, replicas, [&](Index replica) { evaluate_replica(state, replica); });
}

Index PotentialForces::searches() const {
  Index searches = 0;
  for (const NeighbourList& list : lists_) searches += list.searches();
  return searches;
}

void PotentialForces::evaluate_replica(AtomState& state, Index replica) {
  require_places(state, replica);
  const auto r = static_cast<std::size_t>(replica);
  try {
    const NeighbourRows& rows = lists_[r].rows(state.box[r], state.positions_of(replica), threads_);
    PairGradients sum = potentials_.front()->evaluate(rows, state.types_of(replica));
    for (std::size_t n = 1; n < potentials_.size(); ++n)
      sum.add(potentials_[n]->evaluate(rows, state.types_of(replica)));
    std::ranges::copy(forces(rows, sum.gradient), state.forces_of(replica).begin());
    state.energy[r] = total(sum.energy);
    state.virial[r] = total(virials(rows, sum.gradient));
  } catch (const InputError& error) {
    // If the structure has an input error here, the motion has caused it, not the input.
    throw UnphysicalError(error.problem() + ", in the structure" + in_replica(state, replica) +
                          "; try a shorter timestep");
  }
}

}  // namespace larmor::atoms
