#pragma once
// FORMAT: atoms in a results file.

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::io {

/// The atoms of the group /model, in the order of the results; ids from 1 where the structure of
/// the study had none. @throws MachineError if its parts do not fit together
atoms::NamedStructure read_atoms(const ResultsReader& file);

/// Numbers of one replica.
struct AtomConfiguration {
  std::vector<double> positions, velocities;  ///< (atom, 3)
  std::vector<double> box;                    ///< (3, 3)
};

/// The atoms of a model, placed and moving so.
/// @param file that the numbers are of
/// @throws MachineError if there are not as many numbers as atoms need
atoms::NamedStructure placed(atoms::NamedStructure atoms, const AtomConfiguration& numbers,
                             const std::string& file);

}  // namespace larmor::io
