#pragma once
// The minimum-energy path between two states by the geodesic nudged elastic band (Bessarab, Uzdin,
// Jonsson, Comput. Phys. Commun. 196 (2015) 335): images of the system along the path feel the
// gradient across it and springs along it, lengths are geodesic distances.
//
//   F_i = - g_i + (g_i.t) t + kappa (|e_i+1 - e_i| - |e_i - e_i-1|) t,    t: unit tangent
//
// with the tangent towards the higher neighbour (Henkelman, Jonsson, J. Chem. Phys. 113 (2000)
// 9978). The climbing image goes up along the path instead, - g + 2 (g.t) t, to the saddle
// (Henkelman, Uberuaga, Jonsson, J. Chem. Phys. 113 (2000) 9901).
//
// All images move together by damped dynamics on the spheres (Bitzek et al., Phys. Rev. Lett. 97
// (2006) 170201): velocities are carried along with the spins and turned towards the forces.

#include "larmor/spins/landscape/energy_surface.hpp"

namespace larmor::spins {

struct BandSettings {
  Index images = 15;          ///< both ends included
  double spring = 1;          ///< kappa, an energy
  double tolerance = 1e-6;    ///< of the largest force across the path, an energy
  double max_rotation = 0.1;  ///< of a spin in a step
  bool climb = true;
};

class ElasticBand {
 public:
  /// The model must outlive it.
  ElasticBand(const Model& model, const BandSettings& settings, const Device& device);

  /// Puts the images on a path; the ends stay where they are from now on. @param path [images]
  void start(const std::vector<SiteVectors>& path);
  /// Turns the spins between the ends by at most `angle`, at random, so that a path of too high a
  /// symmetry can be left. @param step keys the random numbers
  void perturb(std::uint64_t seed, std::uint64_t step, double angle);

  /// At most `iterations` steps, each one evaluation of all images. @return steps made
  Index run(Index iterations);
  bool converged() const { return converged_; }

  /// Total energy of each image. [images]
  const std::vector<double>& energies() const { return energy_; }
  /// Geodesic distance along the path from the first image. [images]
  std::vector<double> coordinates() const;
  /// dE/d(coordinate) along the tangent. [images]
  const std::vector<double>& slopes() const { return slope_; }
  /// Largest force across the path of each image between the ends; of the climbing image the whole
  /// of it. [images]
  const std::vector<double>& forces() const { return size_; }
  double largest_force() const;
  /// The image of the highest energy.
  Index highest() const;
  /// The image that climbs; 0: none yet.
  Index climbing() const { return climbing_; }
  /// One replica an image.
  const SpinState& images() const { return state_; }

  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  std::size_t count() const { return static_cast<std::size_t>(settings_.images); }
  void evaluate();
  void set_force(std::size_t image, int threads);
  void move();
  void settle();
  double total(const std::vector<SiteVectors>& a, const std::vector<SiteVectors>& b) const;

  Device device_;
  const Model* model_;
  BandSettings settings_;
  SpinState state_;
  EnergySurface surface_;
  std::vector<SiteVectors> spins_, velocity_, force_;  ///< of each image
  std::vector<double> energy_, slope_, size_, field_size_;
  Index climbing_ = 0;
  bool converged_ = false;
  double timestep_ = 0, mixing_ = 0, downhill_ = 0;  ///< downhill: steps since the last stop
};

/// Bytes that a band works in.
double band_bytes(Index images, Index sites);

}  // namespace larmor::spins
