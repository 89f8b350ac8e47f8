#pragma once
// The topological charge of Berg and Luescher (Nucl. Phys. B 190 (1981) 412), summed over layers.

#include "larmor/lattice/triangulation.hpp"
#include "larmor/spins/observables/topology.hpp"
#include "larmor/study/models/spins/observables/spin_observables.hpp"

namespace larmor::study {

struct TopologicalCharge {
  static constexpr const char* name = "topological-charge";
  static constexpr const char* doc =
      "number of times that the spins of a layer cover the sphere, summed over layers";
  static constexpr bool of_relaxed_spins = true;

  /// @throws InputError for a lattice without layers
  static void validate(const Study& study, const lattice::Geometry& geometry) {
    lattice::triangulate_layers(geometry, spin_tables(study).lattice.layer_thickness);
  }

  static Index numbers(const Study&, const lattice::Geometry&) { return 1; }

  static std::vector<Observable> observables(const SpinSimulation& simulation, const ReadContext&) {
    const spins::SpinState& state = simulation.state;
    return {{"topological_charge", "", 1,
             [&state, charge = spins::LayerCharge(
                          lattice::triangulate_layers(simulation.geometry,
                                                      simulation.tables.lattice.layer_thickness),
                          state)] { return charge.measure(state); }}};
  }
};

}  // namespace larmor::study
