#pragma once
// FORMAT: reads the model group of a results file: sites of a lattice, or atoms.

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/io/results/results_reader.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::io {

/// The lattice or plain positions of the run, with species and moments. Lengths have the file's
/// unit. Positions agree with those in the file up to rounding.
/// @throws MachineError if the group is missing or its datasets are inconsistent
lattice::Geometry read_geometry(const ResultsReader& file);

/// The atoms of the group /model, in the order of the results. If the structure of the study has no
/// ids, they count from 1.
/// @param replica number in the study; replicas may have structures of their own
/// @throws MachineError if its datasets are inconsistent
atoms::NamedStructure read_atoms(const ResultsReader& file, Index replica);

/// The number of the first atom of each replica in lists of all replicas, then the number of all
/// atoms. Empty: all replicas have one structure. @throws MachineError if the numbers are not in
/// order
std::vector<Index> read_first_atoms(const ResultsReader& file);

/// Positions, velocities and box of one replica.
struct AtomConfiguration {
  std::vector<double> positions, velocities;  ///< (atom, 3)
  std::vector<double> box;                    ///< (3, 3)
};

/// The atoms of a model, with these positions, velocities and box.
/// @param file the file of the numbers, for messages
/// @throws MachineError if the number of values does not match the atoms
atoms::NamedStructure placed(atoms::NamedStructure atoms, const AtomConfiguration& numbers,
                             const std::string& file);

}  // namespace larmor::io
