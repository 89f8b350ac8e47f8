#pragma once
// SNAP, optionally with ZBL added to it, from the files and options of a command.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/atoms/forces/potential_forces.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/atoms/potentials/snap/gpu_snap.hpp"
#endif
#include "larmor/atoms/potentials/snap/snap.hpp"
#include "larmor/atoms/potentials/zbl/zbl.hpp"

namespace larmor::evaluation {

struct PotentialChoice {
  std::string prefix;  ///< stands for PREFIX.snapcoeff and PREFIX.snapparam
  std::string script;  ///< instead of a prefix: include file of LAMMPS
  /// If there is no script: inner and outer radius of ZBL between all elements, Angstrom.
  std::optional<std::array<double, 2>> zbl;
  std::string coefficients = {}, parameters = {};  ///< instead of both: two files of SNAP
};

class OverlaidPotential : public atoms::Potential {
 public:
  /// @throws InputError for errors in the files, and for ZBL with a name that is not a chemical
  /// element; MachineError if a file cannot be read
  OverlaidPotential(const PotentialChoice& given, const Device& device);
  /// Makes a potential without files. @param zbl has the kinds of atoms of `snap`
  OverlaidPotential(const atoms::snap::SnapPotential& snap, std::optional<atoms::Zbl> zbl,
                    const Device& device);

  /// Names of the elements, each once; an index in this list is a kind of atoms.
  const std::vector<std::string>& elements() const { return elements_; }
  /// All kinds of atoms: 0, 1, ...
  std::vector<std::int32_t> kinds() const;
  /// Elements of the types 1, 2, ... that an include file of LAMMPS counts; otherwise `elements`.
  const std::vector<std::string>& types() const { return types_; }
  const atoms::snap::Snap& snap() const { return *snap_; }
  const std::optional<atoms::Zbl>& zbl() const { return zbl_; }
  /// Paths of the files that the potential was read from.
  const std::vector<std::string>& files() const { return files_; }
  double cutoff() const override;
  atoms::PairGradients evaluate(const atoms::NeighbourRows& rows,
                                std::span<const std::int32_t> kinds) const override;
#if defined(LARMOR_HAS_CUDA)
  /// Adds the terms of this potential to `terms`, on a GPU. @param kind_of_type kind of each type
  /// there
  /// @return the term that has descriptors
  atoms::snap::GpuSnap& add_to(std::vector<std::unique_ptr<atoms::GpuPotential>>& terms,
                               std::span<const std::int32_t> kind_of_type,
                               const Device& device) const;
#endif

 private:
  std::vector<std::string> types_, elements_, files_;
  std::unique_ptr<atoms::snap::Snap> snap_;
  std::optional<atoms::Zbl> zbl_;
};

/// The force field of this potential only, for atoms on `device`. Types of atoms are kinds of the
/// potential.
std::unique_ptr<atoms::ForceField> force_field_of(
    std::unique_ptr<const OverlaidPotential> potential, double skin, const Device& device);

}  // namespace larmor::evaluation
