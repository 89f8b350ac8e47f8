#pragma once
// The interface of every observable of spins, and the observables that stages measure by their
// names.

#include <string>
#include <vector>

#include "larmor/study/measurements/observable.hpp"
#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {

/// An entry of the list of observables, which all stages share.
struct SpinObservable {
  std::string name, doc;
  bool reads_tables = false;             ///< does it read tables of neighbours even if kernels are
                                         ///< compiled for the model?
  bool of_relaxed_spins = false;         ///< does it make sense for spins at a minimum?
  bool counts_hamiltonian_only = false;  ///< does it ignore pulses?
  /// @throws InputError for a property that the system does not have
  void (*validate)(const Study& study, const lattice::Geometry& geometry) = nullptr;
  /// Numbers in a sample of a replica, at most.
  Index (*numbers)(const Study& study, const lattice::Geometry& geometry) = nullptr;
  /// The observables, which refer to members of the simulation.
  std::vector<Observable> (*observables)(const SpinSimulation& simulation,
                                         const ReadContext& context) = nullptr;
};

const std::vector<SpinObservable>& spin_observables();

/// @throws InternalError for an unknown name
const SpinObservable& spin_observable(const std::string& name);

/// @throws InputError at `where` for a property that the system does not have
void require_observable(const SpinObservable& observable, const Study& study,
                        const lattice::Geometry& geometry, const SourcePosition& where);

}  // namespace larmor::study
