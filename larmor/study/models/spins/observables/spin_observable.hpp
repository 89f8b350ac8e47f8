#pragma once
// What every observable of spins is made with.

#include <string>
#include <vector>

#include "larmor/study/measurements/observable.hpp"
#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {

/// An entry of the list of observables, all of which stages take alike.
struct SpinObservable {
  std::string name, doc;
  bool reads_tables = false;      ///< of neighbours, even where kernels are compiled for the model
  bool of_relaxed_spins = false;  ///< has it a meaning where nothing moves?
  bool counts_hamiltonian_only = false;  ///< and so no pulses
  /// @throws InputError for what the system does not have
  void (*validate)(const Study& study, const lattice::Geometry& geometry) = nullptr;
  /// Of a sample of a replica, at most.
  Index (*numbers)(const Study& study, const lattice::Geometry& geometry) = nullptr;
  /// They refer to the simulation's parts.
  std::vector<Observable> (*observables)(const SpinSimulation& simulation,
                                         const ReadContext& context) = nullptr;
};

}  // namespace larmor::study
