#pragma once
// The energy of small deviations from a stationary state, to second order. Spin i has the direction
// e_i in this state, and local axes x_i and y_i that form a right-handed frame with e_i. A
// deviating spin is
//
//     e_i' = sqrt(1 - u^2 - v^2) e_i + u x_i + v y_i,
//     (u, v) = sqrt(s_i) xi_i,     s_i = gamma/mu_i,
//     H - H_0 = 1/2 sum_ij xi_i^T K_ij xi_j,
//     K_ij = sqrt(s_i s_j) [ P_i^T (d^2 H / de_i de_j) P_j + delta_ij (h_i.e_i) 1 ],
//     P_i = (x_i, y_i),
//
// with h_i = -dH/de_i, parallel to e_i in a stationary state. The Landau-Lifshitz equation de/dt =
// -gamma e x B is then canonical, d xi_x/dt = -dH/d xi_y, d xi_y/dt = dH/d xi_x. For xi_i = xi
// exp(i k.r_i), with r_i the position of the spin itself,
//
//     i d xi/dt = sigma_y D(k) xi,     D_ij(k) = sum over translates of K_ij exp(i k.(r_j - r_i)),
//
// where D is a Hermitian matrix of 2n x 2n frequencies (rad per time) for n spins in a magnetic
// cell.

#include <array>
#include <complex>
#include <span>
#include <vector>

#include "larmor/spinwaves/magnetic_cell.hpp"

namespace larmor::spinwaves {

/// Directions of the two coordinates of a spin: sqrt(s) times its local axes.
struct LocalAxes {
  Vec3<double> x, y;
};

class QuadraticHamiltonian {
 public:
  /// @param e unit vectors of canonical sites
  /// @param gyromagnetic_ratio gamma / mu_B: converts |dH/de| per mu_B into rad per time
  QuadraticHamiltonian(const Hamiltonian& hamiltonian, const MagneticCell& cell,
                       std::span<const Vec3<double>> e, double gyromagnetic_ratio);

  /// The number n of spins of the magnetic cell.
  Index spins() const { return static_cast<Index>(axes_.size()); }
  const LocalAxes& axes(Index spin) const { return axes_[static_cast<std::size_t>(spin)]; }
  /// Largest |e x dH/de| of a spin (an energy). The next function returns its canonical site.
  double largest_torque() const { return largest_torque_; }
  Index site_of_largest_torque() const { return site_of_largest_torque_; }
  /// The largest torque as a precession frequency, rad per time. It measures how far the state is
  /// from stationary.
  double torque_frequency() const { return torque_frequency_; }
  /// Upper bound of the eigenvalues of D, rad per time.
  double bound() const { return bound_; }
  /// Must wave vectors be those of the periodic lattice? They must be if there are interactions of
  /// any range.
  bool needs_commensurate() const { return needs_commensurate_; }

  /// D(k), (2n, 2n). Rows and columns go spin by spin, with x before y.
  /// @param k Cartesian, 1 / length
  std::vector<std::complex<double>> matrix(const Vec3<double>& k) const;

 private:
  /// K_ij of one bond, with r from i to j. The reverse bond has the transposed matrix.
  struct Coupling {
    Index i, j;
    Vec3<double> r;
    std::array<double, 4> K;
  };
  /// Spins, fields and second derivatives while couplings are gathered, in units of energy.
  struct SiteData;

  void add_stencils(const Hamiltonian& hamiltonian, const MagneticCell& cell, SiteData& data);
  void add_pairs(const Hamiltonian& hamiltonian, const MagneticCell& cell, SiteData& data);
  void add_long_range(const Hamiltonian& hamiltonian, const MagneticCell& cell, SiteData& data);
  void add_bond(Index i, Index j, const Vec3<double>& r, const Mat3<double>& A, double b,
                SiteData& data);
  void add_coupling(Index i, Index j, const Vec3<double>& r, const Mat3<double>& second);
  void finish(const SiteData& gathered, const MagneticCell& cell);

  std::vector<LocalAxes> axes_;
  std::vector<Coupling> couplings_;
  /// Elements xx, xy and yy of the part of K_ii that does not come from bonds.
  std::vector<std::array<double, 3>> onsite_;
  double largest_torque_ = 0, torque_frequency_ = 0, bound_ = 0;
  Index site_of_largest_torque_ = 0;
  bool needs_commensurate_ = false;
};

}  // namespace larmor::spinwaves
