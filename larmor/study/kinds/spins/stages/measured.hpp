#pragma once
// What stages can measure on a configuration, by the names that studies use.

#include <functional>
#include <string>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/study/kinds/spins/stages/spin_stage.hpp"
#include "larmor/study/stages/averages.hpp"

namespace larmor::study {

/// A number, a vector or a ratio of every replica.
struct Observable {
  std::string name;  ///< of its series and averages
  std::string unit;
  Index components = 1;              ///< 1, 3, or `of_ratio`
  std::function<Pending()> measure;  ///< [replica][component], of the spins as they are
};

/// The observables of one entry of `measure`: "energy", "magnetisation", "energy-terms" (one a
/// term), "sublattices" (magnetisation of each species, or of each basis atom where all are of one
/// species, per site of it), "topological-charge", "spin-temperature" or "spin-currents". They
/// refer to the simulation's parts.
/// @throws InputError for a topological charge on a lattice without layers
std::vector<Observable> observables_of(const std::string& what, const SpinSimulation& simulation,
                                       const ReadContext& context);

/// Does measuring `what` read, or make, tables of neighbours even where kernels are made for the
/// model?
bool reads_tables(const std::string& what);

/// Checks what observables_of would throw. @throws InputError at `where`
void require_measurable(const std::string& what, const Study& study,
                        const lattice::Geometry& geometry, const SourcePosition& where);

}  // namespace larmor::study
