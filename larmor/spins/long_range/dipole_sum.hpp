#pragma once
// Lattice sums of the dipolar interaction over all periodic images,
//
//     T_ab(r) = sum_L d_a d_b 1 / |r + L|  =  sum_L (3 R_a R_b / R^2 - delta_ab) / R^3,  R = r + L,
//
// without the term R = 0, where d_a is the derivative along a. The sum uses Ewald's splitting (Ann.
// Phys. 369 (1921) 253; de Leeuw, Perram, Smith, Proc. R. Soc. A 373 (1980) 27) in the form
//
//     1 / R = (2 / sqrt(pi)) int_0^inf exp(-R^2 t^2) dt.
//
// The part t > eta is summed in real space, the part t < eta over reciprocal vectors of the
// periodic directions. The integral over t has a closed form for three periodic directions, and is
// a quadrature for one or two. So one formula serves chains, films and bulk. Errors are below 1e-12
// of the tensor of nearest neighbours, if the width along open directions is at most about a
// thousand periods.
//
// If three directions are periodic, the sum depends on the shape of the sample at infinite
// distance. By default there is no demagnetising field (tin foil). If demagnetising factors N are
// given, the field - 4 pi N M of a magnetisation M is added.

#include <map>
#include <mutex>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::spins {

/// (3 r_a r_b / r^2 - delta_ab) / r^3: the tensor of two dipoles without images.
Mat3<double> dipole_tensor(const Vec3<double>& r);

class DipoleSum {
 public:
  /// @param demagnetisation factors N_x, N_y, N_z of the sample; used only if all three directions
  ///        are periodic
  explicit DipoleSum(const lattice::Geometry& geometry,
                     const Vec3<double>& demagnetisation = {0, 0, 0});

  /// T of two different sites, in 1 / length^3. Thread-safe.
  /// @param r vector between the sites
  Mat3<double> between(const Vec3<double>& r) const;
  /// T of a site with its own images.
  Mat3<double> self() const;

 private:
  /// Integrals over t of the long-range sum for one wave vector, with weights 1, t^2 and t^4.
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

  std::vector<Vec3<double>> period_, dual_;  ///< periodic directions; dual.period = 1
  double content_ = 1;                       ///< length, area or volume of the periodic cell
  double eta_ = 0, reach_ = 0;               ///< splitting; radius of the sum in real space
  std::vector<Vec3<double>> image_;          ///< translations, with 0
  std::vector<Vec3<double>> wave_;           ///< one of each pair G, -G; the first is 0
  std::vector<Node> node_;                   ///< quadrature over t
  Mat3<double> across_{};                    ///< projects onto the open directions
  Mat3<double> sample_{};                    ///< tensor of the demagnetising field
  /// Integrals for each distance across the periodic directions. Few different distances occur.
  mutable std::map<long long, std::vector<Moments>> moments_;
  mutable std::mutex guard_;
};

}  // namespace larmor::spins
