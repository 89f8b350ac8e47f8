#pragma once
// SNAP with or without ZBL over it, as files and options name them.

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
  std::string prefix;  ///< of PREFIX.snapcoeff and PREFIX.snapparam
  std::string script;  ///< or an include file of LAMMPS
  /// With a prefix: inner and outer radius of ZBL between all its elements, Angstrom.
  std::optional<std::array<double, 2>> zbl;
  std::string coefficients = {}, parameters = {};  ///< or these two files of SNAP
};

class OverlaidPotential : public atoms::Potential {
 public:
  /// @throws InputError for whatever is wrong with the files, and for ZBL of a name that is no
  /// chemical element; MachineError if a file cannot be read
  OverlaidPotential(const PotentialChoice& given, const Device& device);
  /// Of no files. @param zbl of the same kinds of atoms
  OverlaidPotential(const atoms::snap::SnapPotential& snap, std::optional<atoms::Zbl> zbl,
                    const Device& device);

  /// Each once; kinds of atoms are their numbers.
  const std::vector<std::string>& elements() const { return elements_; }
  /// Their numbers.
  std::vector<std::int32_t> kinds() const;
  /// Of the types 1, 2, .. that an include file of LAMMPS counts; else `elements`.
  const std::vector<std::string>& types() const { return types_; }
  const atoms::snap::Snap& snap() const { return *snap_; }
  const std::optional<atoms::Zbl>& zbl() const { return zbl_; }
  /// Paths of the files that it was read from.
  const std::vector<std::string>& files() const { return files_; }
  double cutoff() const override;
  atoms::PairGradients evaluate(const atoms::NeighbourRows& rows,
                                std::span<const std::int32_t> kinds) const override;
#if defined(LARMOR_HAS_CUDA)
  /// The same on a GPU, as parts that overlay. @param kind_of_type of the atoms there
  /// @return the part that has descriptors
  atoms::snap::GpuSnap& add_to(std::vector<std::unique_ptr<atoms::GpuPotential>>& parts,
                               std::span<const std::int32_t> kind_of_type,
                               const Device& device) const;
#endif

 private:
  std::vector<std::string> types_, elements_, files_;
  std::unique_ptr<atoms::snap::Snap> snap_;
  std::optional<atoms::Zbl> zbl_;
};

/// Forces of the potential alone, on atoms of that device whose types are its kinds.
std::unique_ptr<atoms::ForceField> force_field_of(
    std::unique_ptr<const OverlaidPotential> potential, double skin, const Device& device);

}  // namespace larmor::evaluation
