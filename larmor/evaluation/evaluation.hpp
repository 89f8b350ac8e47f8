#pragma once
// Energies, forces, virials and descriptors of the structures of a file, written to extended XYZ.

#include <functional>

#include "larmor/core/progress.hpp"
#include "larmor/evaluation/evaluator.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::evaluation {

/// A frame and its evaluation as text of extended XYZ. Keys: energy, virial W and, if the cell has
/// a volume V, stress = -W/V. Columns: energies:R:1, bispectrum:R:N and last forces:R:3.
std::string evaluated_text(const io::AtomFrame& frame, const Evaluated& found);

struct Request {
  std::string structures, output;
  PotentialChoice potential;
  std::vector<std::string> elements;  ///< elements of the types of a LAMMPS data file; empty: not
                                      ///< given
  bool with_bispectrum = false;
  io::IfExists if_exists = io::IfExists::refuse;
  Device device;
  std::ostream* progress_stream = nullptr;  ///< null: no progress is reported
  ProgressOptions progress;                 ///< evaluate_file sets `total` and `unit`
};

struct Summary {
  Index structures = 0, atoms = 0;
  double least_energy = 0, greatest_energy = 0;  ///< per atom, eV
  double largest_force = 0;                      ///< eV/Angstrom
};

/// Writes the whole output or none of it. The bytes of the output do not depend on the number of
/// threads.
/// @throws the errors of Evaluator, io::StructureReader, OverlaidPotential and io::WholeFile
Summary evaluate_file(const Request& request);

}  // namespace larmor::evaluation
