#pragma once
// Reads the potentials of a study, for the species of its structure.

#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/forces/potential_forces.hpp"
#include "larmor/study/models/atoms/tables/atom_tables.hpp"

namespace larmor::study {

/// A potential of the types of a structure.
class StudyPotential : public atoms::Potential {
 public:
#if defined(LARMOR_HAS_CUDA)
  /// Adds the GPU version of this potential to a list of overlaid potentials.
  virtual void add_to(std::vector<std::unique_ptr<atoms::GpuPotential>>& potentials,
                      const Device& device) const = 0;
  /// Bytes of working memory of the GPU version for this number of atoms.
  virtual double gpu_bytes(Index atoms) const = 0;
#endif
};

struct AtomPotentials {
  std::vector<std::unique_ptr<const StudyPotential>> potentials;
  std::vector<std::string> words;  ///< a description of each potential
  std::vector<std::string> files;  ///< files that were read

  double cutoff() const;
  double gpu_bytes(Index atoms) const;
  /// The force field of atoms on a device.
  static std::unique_ptr<atoms::ForceField> force_field(AtomPotentials potentials, double skin,
                                                        const Device& device);
};

/// @param species those of the types of atoms
/// @throws InputError for mistakes in tables and files, and for species that a potential lacks;
/// MachineError if a file cannot be read
AtomPotentials read_potentials(const AtomTables& tables, const std::vector<std::string>& species,
                               const Device& device);

}  // namespace larmor::study
