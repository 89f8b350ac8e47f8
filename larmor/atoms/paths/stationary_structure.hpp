#pragma once
// Refines a minimum or a saddle of the energy of atoms, and finds its normal modes. In coordinates
// weighted by the square roots of the masses, the modes u and the frequencies w solve
//
//   D u = w^2 u,   D = M^-1/2 H M^-1/2,
//
// with the Hessian H and the masses M. Rigid motions that keep the energy are projected out of D:
// three translations, and rotations about an axis if the box is open in both directions across it.
// Newton's method uses the modes, so it converges to minima and to saddles alike.

#include <memory>
#include <span>
#include <string>

#include "larmor/atoms/paths/hessian.hpp"

namespace larmor::atoms {

struct NormalModes {
  /// w^2 in ascending order, ps^-2, without rigid motions.
  std::vector<double> squared_frequency;
  Index rigid_motions;         ///< number of translations and rotations that keep the energy
  double log_volume;           ///< log of the volume of rigid motions, with weighted coordinates
  std::vector<double> lowest;  ///< displacements of the lowest mode, of length 1 [3 atoms]

  /// Number of unstable modes.
  Index unstable() const;
  /// log |det D| without rigid motions.
  double log_determinant() const;
  /// w / (2 pi) in THz; negative: the frequency is imaginary.
  std::vector<double> frequencies() const;
};

struct StationaryStructure {
  std::vector<Vec3<double>> positions;
  double energy;         ///< eV
  double largest_force;  ///< on an atom, eV/Angstrom
  Index steps;           ///< steps of Newton's method
  NormalModes modes;
};

/// The way to the stationary structure near some positions, one evaluation at a time.
class StationarySearch {
 public:
  /// @param what name of the structure in messages, such as "the saddle"
  StationarySearch(std::vector<Vec3<double>> positions, std::string what);
  StationarySearch(StationarySearch&&) noexcept;
  ~StationarySearch();

  /// Makes one evaluation of the copies, or a step of Newton's method.
  /// @param one a single replica with the box and the types; receives the structure
  /// @param copies replicas like it for the Hessian
  /// @throws UnphysicalError if no stationary structure is near, or if a mode costs no energy
  void advance(const Surface& one, const Surface& copies);
  bool done() const;
  /// The structure, after the search is done.
  StationaryStructure found() const;

 private:
  struct Progress;
  std::unique_ptr<Progress> progress_;
};

/// Makes a whole search.
StationaryStructure find_stationary_structure(const Surface& one, const Surface& copies,
                                              std::vector<Vec3<double>> positions,
                                              const std::string& what);

/// Numbers of a structure for checkpoints. FORMAT
std::vector<double> saved(const StationaryStructure& structure);
StationaryStructure loaded(std::span<const double> saved, Index atoms);

/// Bytes of matrices on the host.
double stationary_bytes(Index atoms);

}  // namespace larmor::atoms
