#pragma once
// The coordinates of a minimiser: the atoms and, if boxes relax, their strain. With the positions r
// of N atoms, and with the vectors h0 and the volume V0 of the initial box,
//
//   r = F u,   h = F h0,   F = 1 + s / lambda,   lambda = V0^(1/3) sqrt(N),
//
// the coordinates are u and s, and the enthalpy H = E + P V is minimised, with the target pressure
// P. If f are the forces on the atoms, the forces on the coordinates are
//
//   -dH/du = F^T f,   -dH/ds = sym((W - P V) F^-T) / lambda
//
// with the virial W = -dE/d(strain). Matrices are restricted to the components that the box may
// follow. Strains are symmetric, so that boxes do not rotate (E. B. Tadmor, G. S. Smith, N.
// Bernstein, E. Kaxiras, Phys. Rev. B 59, 235 (1999)). With this lambda, the weight of a strain is
// the distance by which the strain moves atoms (D. Sheppard, P. Xiao, W. Chemelewski, D. D.
// Johnson, G. Henkelman, J. Chem. Phys. 136, 074103 (2012)).

#include <optional>

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/atoms/minimisers/joint_vectors.hpp"

namespace larmor::atoms {

/// Settings of the relaxation of boxes.
struct BoxRelaxation {
  CellShape shape = CellShape::isotropic;
  std::vector<double> pressure;  ///< P of each replica, eV/Angstrom^3
  double tolerance = 0;          ///< for each component of the pressure, eV/Angstrom^3
};

class Coordinates {
 public:
  /// @param box none: boxes are constant
  Coordinates(const AtomLayout& layout, const std::optional<BoxRelaxation>& box, int threads);

  /// Uses the current boxes as h0. @param x receives the coordinates
  /// @throws InputError if boxes relax and are not periodic in all directions
  void start(const AtomState& state, JointVector& x);

  /// Sets the positions and boxes of the state from the coordinates.
  void place(const JointVector& x, AtomState& state) const;

  /// Forces on the coordinates x, from the last evaluation of the state.
  void forces(const AtomState& state, const JointVector& x, JointVector& forces) const;
  /// E + P V [replicas].
  std::vector<double> enthalpies(const AtomState& state) const;
  /// The largest force on an atom of each replica [replicas].
  std::vector<double> largest_forces(const AtomState& state) const;
  /// The largest difference between a pressure component and its target, among the components that
  /// the box follows. It is 0 for constant boxes. [replicas]
  std::vector<double> pressure_excesses(const AtomState& state) const;
  bool has_target_pressure(double excess) const { return !box_ || excess <= box_->tolerance; }

  /// The longest allowed step along a direction: no atom moves farther than `distance`, and no box
  /// is strained by more than 0.05. Infinite if the direction is zero. [replicas]
  std::vector<double> longest_steps(const AtomLayout& layout, const JointVector& direction,
                                    double distance) const;

  /// Appends the numbers of one replica.
  void save(std::vector<double>& out, std::size_t replica) const;
  /// Removes the numbers of the replica from the front of `saved`.
  void load(std::span<const double>& saved, std::size_t replica);

 private:
  Mat3<double> deformation(const JointVector& x, std::size_t replica) const;

  std::optional<BoxRelaxation> box_;
  int threads_;
  std::vector<std::array<Vec3<double>, 3>> first_vectors_;  ///< h0 [replicas]
  std::vector<double> scale_;                               ///< lambda, Angstrom [replicas]
};

}  // namespace larmor::atoms
