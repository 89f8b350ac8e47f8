#pragma once
// A structure factor in the results file, as NeXus NXdata.

#include <string>

#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/study/kinds/spins/dynamics_tables.hpp"
#include "larmor/study/kinds/spins/stages/spin_stage.hpp"

namespace larmor::study {

/// @param name of the group, within the stage's
void write_structure_factor(ResultsGroup& results, const std::string& name,
                            const correlations::StructureFactorResult& values,
                            const correlations::StructureFactorSettings& settings,
                            const MeasurementTable& table, const SpinSimulation& simulation);

/// How far sums in real space are off, beside what the replicas scatter, for people.
/// @param error relative, of S(q)
std::string precision_note(const std::string& name, double error, Index replicas);

}  // namespace larmor::study
