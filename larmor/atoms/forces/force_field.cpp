#include "larmor/atoms/forces/force_field.hpp"

#include <string>

#include "larmor/core/error.hpp"

namespace larmor::atoms {
namespace {

Index replica_of(const AtomLayout& layout, Index atom) {
  Index replica = 0;
  while (layout.first(replica + 1) <= atom) ++replica;
  return replica;
}

}  // namespace

std::string replica_text(const AtomState& state, Index replica) {
  return "replica " +
         std::to_string(state.layout.first_replica() + static_cast<std::uint64_t>(replica));
}

bool ForceField::complete_steps(AtomState& state) {
  throw_fault(state);
  return true;
}

void throw_fault(AtomState& state) {
  const std::optional<RaisedFault> raised = state.faults.first();
  if (!raised) return;
  state.faults.clear(state.step);
  const bool of_atom = raised->fault == Fault::lost_atom ||
                       raised->fault == Fault::coincident_atoms ||
                       raised->fault == Fault::narrow_rows;
  const Index replica = of_atom ? replica_of(state.layout, raised->place) : raised->place;
  const std::string step = std::to_string(raised->step);
  const std::string of_replica = " of " + replica_text(state, replica);
  const std::string atom = "atom " + std::to_string(raised->place - state.layout.first(replica)) +
                           of_replica + " at step " + step;
  switch (raised->fault) {
    case Fault::flat_box:
      throw UnphysicalError("the vectors of the box" + of_replica + " lie in a plane at step " +
                            step);
    case Fault::small_box:
      throw UnphysicalError("the box" + of_replica +
                            " repeats too many times within the cutoff at step " + step);
    case Fault::lost_atom:
      throw UnphysicalError(atom +
                            " has left the box: its position is not finite or far away; try a "
                            "shorter timestep");
    case Fault::coincident_atoms:
      throw UnphysicalError(atom + " is at the same place as another atom");
    case Fault::large_strain:
      throw UnphysicalError("the box" + of_replica +
                            " changes by more than a quarter in the step " + step +
                            "; try a longer barostat time or a shorter timestep");
    case Fault::not_finite:
      throw UnphysicalError("the energy or a force" + of_replica + " is not finite at step " +
                            step + "; try a shorter timestep");
    case Fault::narrow_rows:
      break;
  }
  throw InternalError("the row of neighbours of " + atom +
                      " is still too narrow after it was enlarged");
}

}  // namespace larmor::atoms
