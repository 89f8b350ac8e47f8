#pragma once
// Lattice sums of the dipolar interaction over all periodic images,
//
//     T_ab(r) = sum_L d_a d_b 1 / |r + L|  =  sum_L (3 R_a R_b / R^2 - delta_ab) / R^3,  R = r + L,
//
// without the term R = 0. Ewald's splitting (Ann. Phys. 369 (1921) 253; de Leeuw, Perram, Smith,
// Proc. R. Soc. A 373 (1980) 27) in the form
//
//     1 / R = (2 / sqrt(pi)) int_0^inf exp(-R^2 t^2) dt:
//
// t > eta is summed in real space, t < eta over reciprocal vectors of the periodic directions. The
// integral over t is closed for three of them and a quadrature for one or two, so that chains,
// films and bulk are one formula. Errors are below 1e-12 of the nearest neighbour's tensor for
// samples up to about a thousand times as wide across as their period is long.
//
// In three dimensions the sum depends on the shape of the sample infinitely far away: without
// further term (tin foil) there is no demagnetising field; with factors N the field
// - 4 pi N M is added.

#include <map>
#include <mutex>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::spins {

/// (3 r_a r_b / r^2 - delta_ab) / r^3: of two dipoles alone.
Mat3<double> dipole_tensor(const Vec3<double>& r);

class DipoleSum {
 public:
  /// @param demagnetisation factors N_x, N_y, N_z of the sample; they act only where all three
  ///        directions are periodic
  explicit DipoleSum(const lattice::Geometry& geometry,
                     const Vec3<double>& demagnetisation = {0, 0, 0});

  /// T of two different sites, in 1 / length^3; safe to call from several threads.
  /// @param r from one to the other
  Mat3<double> between(const Vec3<double>& r) const;
  /// T of a site with its own images.
  Mat3<double> self() const;

 private:
  /// Weighted integrals over t of the long-range part of one wave vector: of 1, t^2 and t^4.
  struct Moments {
    double m0, m2, m4;
  };
  struct Node {
    double t, weight;
  };

  void choose_splitting();
  void find_images();
  void find_waves();
  Moments closed_moments(double square) const;
  Moments quadrature(double square, double across_square) const;
  const std::vector<Moments>& moments_at(double across_square) const;
  Mat3<double> sum(const Vec3<double>& r, bool same_site) const;
  void add_images(const Vec3<double>& r, Mat3<double>& T) const;
  void add_waves(const Vec3<double>& r, Mat3<double>& T) const;

  std::vector<Vec3<double>> period_, dual_;  ///< of the periodic directions; dual.period = 1
  double content_ = 1;                       ///< length, area or volume of the periodic cell
  double eta_ = 0, reach_ = 0;               ///< splitting; radius of the sum in real space
  std::vector<Vec3<double>> image_;          ///< translations, 0 included
  std::vector<Vec3<double>> wave_;           ///< one of each pair G, -G; first of all 0
  std::vector<Node> node_;                   ///< quadrature over t
  Mat3<double> across_{};                    ///< projects on the open directions
  Mat3<double> sample_{};                    ///< of the demagnetising field
  /// By the distance across the periodic directions: few different ones occur.
  mutable std::map<long long, std::vector<Moments>> moments_;
  mutable std::mutex guard_;
};

}  // namespace larmor::spins
