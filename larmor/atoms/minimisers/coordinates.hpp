#pragma once
// What a minimiser moves: the atoms and, if boxes relax, their strain. With the vectors h0 of the
// box at the start, its volume V0 and N atoms,
//
//   r = F u,   h = F h0,   F = 1 + s / lambda,   lambda = V0^(1/3) sqrt(N),
//
// the coordinates are u and s, and what falls is the enthalpy H = E + P V. The forces on them are
//
//   -dH/du = F^T f,   -dH/ds = sym((W - P V) F^-T) / lambda
//
// with the virial W = -dE/d(strain) and, of a matrix, the part that the box may follow. Strains are
// symmetric, so that boxes do not rotate. (E. B. Tadmor, G. S. Smith, N. Bernstein, E. Kaxiras,
// Phys. Rev. B 59, 235 (1999); lambda: D. Sheppard, P. Xiao, W. Chemelewski, D. D. Johnson, G.
// Henkelman, J. Chem. Phys. 136, 074103 (2012). A strain then counts as far as it moves atoms.)

#include <optional>

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/atoms/minimisers/joint_vectors.hpp"

namespace larmor::atoms {

/// How boxes relax.
struct BoxRelaxation {
  CellShape shape = CellShape::isotropic;
  std::vector<double> pressure;  ///< P of each replica, eV/Angstrom^3
  double tolerance = 0;          ///< of each component of the pressure, eV/Angstrom^3
};

class Coordinates {
 public:
  /// @param box none: boxes stay as they are
  Coordinates(const AtomLayout& layout, const std::optional<BoxRelaxation>& box, int threads);

  /// Takes the boxes as they are for h0. @param x the coordinates
  /// @throws InputError for boxes that relax and are not periodic in all directions
  void start(const AtomState& state, JointVector& x);

  /// Puts atoms and boxes where the coordinates say.
  void place(const JointVector& x, AtomState& state) const;

  /// Of the state as last evaluated, at the coordinates x.
  void forces(const AtomState& state, const JointVector& x, JointVector& forces) const;
  /// E + P V, of each replica.
  std::vector<double> enthalpies(const AtomState& state) const;
  /// Force on the atom that has the largest, of each replica.
  std::vector<double> largest_forces(const AtomState& state) const;
  /// How far the component of the pressure that is farthest from its target is from it, of those
  /// that the box follows; 0 where boxes do not relax. Of each replica.
  std::vector<double> pressure_excesses(const AtomState& state) const;
  bool has_target_pressure(double excess) const { return !box_ || excess <= box_->tolerance; }

  /// How far one may go along a direction: no atom moves farther than `distance`, and no box is
  /// strained by more than 0.05. Of each replica; infinite where the direction is zero.
  std::vector<double> longest_steps(const AtomLayout& layout, const JointVector& direction,
                                    double distance) const;

  /// Of one replica.
  void save(std::vector<double>& out, std::size_t replica) const;
  /// Takes its numbers from the front of `saved`.
  void load(std::span<const double>& saved, std::size_t replica);

 private:
  Mat3<double> deformation(const JointVector& x, std::size_t replica) const;

  std::optional<BoxRelaxation> box_;
  int threads_;
  std::vector<std::array<Vec3<double>, 3>> first_vectors_;  ///< h0 [replicas]
  std::vector<double> scale_;                               ///< lambda, Angstrom [replicas]
};

}  // namespace larmor::atoms
