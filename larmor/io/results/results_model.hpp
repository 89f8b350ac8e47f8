#pragma once
// FORMAT: the model group of a results file.

#include "larmor/io/results/results_reader.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::io {

/// Lattice or plain positions of the run, with species and moments; lengths in the file's unit.
/// Positions agree with those in the file up to rounding.
/// @throws MachineError if the group is missing or its datasets are inconsistent
lattice::Geometry read_geometry(const ResultsReader& file);

}  // namespace larmor::io
