#pragma once
// The minimum-energy path between two states by the geodesic nudged elastic band (Bessarab, Uzdin,
// Jonsson, Comput. Phys. Commun. 196 (2015) 335). Images of the system along the path feel the
// gradient across the path and springs along the path. Lengths are geodesic distances.
//
//   F_i = - g_i + (g_i.t) t,   g_i: gradient at image i,  t: unit tangent
//
// The tangent points to the higher neighbour (Henkelman, Jonsson, J. Chem. Phys. 113 (2000) 9978).
// At an extremum of a smooth path, it points to the side where the slope goes uphill. The climbing
// image has the force - g + 2 (g.t) t. This force moves the image up along the path to the saddle
// (Henkelman, Uberuaga, Jonsson, J. Chem. Phys. 113 (2000) 9901).
//
// Springs act only along the path. Their balance depends only on ratios of stiffness, so no value
// of the stiffness has to be chosen. Springs of equal stiffness keep images at equal distances on
// both sides of the climbing image, as in the string method (E, Ren, Vanden-Eijnden, J. Chem. Phys.
// 126 (2007) 164103). With velocity projection, images move to their places along the path in
// separate steps, in addition to the motion across the path. Early in the search, images where the
// path folds back also move to the midpoint of their neighbours. L-BFGS treats all images as one
// system and includes spring forces. The history of L-BFGS tells how the motion of one image
// changes the force on the next image.

#include <algorithm>
#include <memory>
#include <optional>

#include "larmor/paths/geometry.hpp"
#include "larmor/spins/landscape/energy_surface.hpp"
#include "larmor/spins/landscape/neb_optimiser.hpp"

namespace larmor::spins {

struct NebSettings {
  Index images = 15;  ///< number of images, with both ends
  NebMethod method = NebMethod::velocity_projection;
  /// Stiffness of springs next to the highest image relative to those at the ends. In between, the
  /// stiffness varies with the energy (Asgeirsson et al., J. Chem. Theory Comput. 17 (2021) 4929).
  double spring_ratio = 1;
  /// Tolerance of the largest force across the path, an energy. If an image climbs, this is the
  /// tolerance of its full force, and all other images have ten times this tolerance.
  double tolerance = 1e-6;
  double max_rotation = 0.1;  ///< largest rotation of a spin in one step
  bool climb = true;
};

class GeodesicNeb {
 public:
  /// @param model must outlive this object
  GeodesicNeb(const Model& model, const NebSettings& settings, const Device& device);

  /// Sets the images. Both ends stay fixed.
  /// @param path [images]
  void start(const std::vector<SiteVectors>& path);
  /// Turns the spins between the ends by at most `angle`, at random, and equally in all images.
  /// This breaks the symmetry of a path.
  /// @param step counter of the random numbers
  void perturb(std::uint64_t seed, std::uint64_t step, double angle);

  /// Runs at most `iterations` steps, each with one evaluation of all images.
  /// @return how many steps were made
  Index run(Index iterations);
  bool converged() const { return converged_; }
  /// Is the climbing image the highest point of the path, with a force within the tolerance, and
  /// are the other images at least nearly converged?
  bool saddle_converged() const;
  /// True if converged, failed, or if the path needs more images.
  bool done() const { return converged_ || needs_images_ || has_failed(); }
  /// Does the climbing image repeatedly converge below the highest point between images?
  bool needs_images() const { return needs_images_; }
  /// Has the path become several times higher than at the start, or several times longer and
  /// higher?
  bool has_failed() const;
  /// Has the path become several times longer than at the start?
  bool has_lengthened() const;
  /// Is the path between two images higher than the climbing image?
  bool rises_between_images() const;

  /// Total energy of each image. [images]
  const std::vector<double>& energies() const { return path_.energy; }
  /// Geodesic distance along the path from the first image. [images]
  std::vector<double> coordinates() const { return path_.coordinates(); }
  double start_length() const { return start_length_; }
  /// Energy of the highest image.
  double height() const { return path_.height(); }
  /// Energy of the highest point of the path at the start.
  double start_height() const { return start_highest_; }
  /// dE/d(coordinate) along the tangent. [images]
  const std::vector<double>& slopes() const { return path_.slope; }
  /// Largest force across the path for each image between the ends; for the climbing image the full
  /// force. [images]
  const std::vector<double>& forces() const { return force_; }
  double largest_force() const { return *std::max_element(force_.begin(), force_.end()); }
  /// The image of the highest energy.
  Index highest() const { return static_cast<Index>(path_.highest()); }
  /// The current method of moving images.
  NebMethod method() const { return optimiser_.method(); }
  /// The climbing image; 0 if none climbs yet.
  Index climbing() const { return static_cast<Index>(path_.climbing); }
  /// Number of evaluations of the gradient of all images.
  Index evaluations() const { return evaluations_; }
  /// One replica for each image.
  const SpinState& images() const { return point_.spins(); }

  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  /// The highest point between image `gap` and the next image. The gap between these images has
  /// neb::gap_divisions intervals, and the point lies `division` intervals after image `gap`.
  struct PathPoint {
    double energy;
    std::size_t gap;
    int division;
  };
  /// The highest image of an optimised path between image `gap` and the next.
  struct GapMaximum {
    double energy;
    std::size_t gap;
    SiteVectors state;
  };

  std::size_t count() const { return path_.images(); }
  std::size_t padded() const { return static_cast<std::size_t>(point_.layout().padded_replicas()); }
  Extent extent() const { return Extent::all(point_.layout()); }
  ImagesView images_view(const SurfaceView& surface) const;
  std::vector<std::size_t> offsets_of_images() const;

  // Energies and forces of the current images.
  void restart();
  void record_start();
  void evaluate();
  void set_forces();
  double largest_field() const { return *std::max_element(field_.begin(), field_.end()); }
  double curvature_bound(std::size_t image) const;
  double near_force() const;
  double force_near_highest() const;
  bool forces_converged() const;

  // Motion.
  void move();
  void turn_each();
  void turn_together();
  void try_lbfgs();
  bool lbfgs_failed() const;
  void undo_lbfgs();

  // The climbing image.
  bool update_climbing_image();
  bool another_is_higher() const;
  void search_higher_saddle();
  // In neb_climbing_image.cpp:
  void shift(const std::vector<double>& numbers) const;
  std::vector<PathPoint> highest_of_gaps() const;
  PathPoint highest_point() const;
  bool is_higher(double energy, std::size_t image, double fraction) const;
  bool climbing_is_highest() const;
  void climb_from(std::size_t image);
  void climb_from(const GapMaximum& maximum);
  void select_climbing_image();
  bool climbing_is_minimum() const;
  std::optional<GapMaximum> missed_maximum() const;
  GapMaximum optimised_maximum(std::size_t gap) const;

  Device device_;
  const Model* model_;
  NebSettings settings_;
  LandscapePoint point_;
  RealArray ahead_, behind_;  ///< tangent vectors to the neighbours of each image
  std::unique_ptr<SpinState> turned_;
  std::unique_ptr<SpinState> before_lbfgs_;  ///< images when L-BFGS started
  mutable Array<double> numbers_;            ///< scratch for uploads
  std::vector<double> upload_;               ///< upload in progress
  Array<double> sums_;

  paths::NebPath path_;
  std::vector<double> force_, field_;
  std::vector<StepProducts> products_;  ///< inner products with the current forces
  NebOptimiser optimiser_;
  double force_at_switch_ = 0, length_at_switch_ = 0;  ///< values when L-BFGS started
  int attempts_ = 0;                                   ///< number of attempts with L-BFGS
  int searches_ = 0;                                   ///< number of searches for the highest point
  bool converged_ = false, needs_images_ = false;
  double start_length_ = 0, start_highest_ = 0, start_lowest_ = 0;
  Index steps_ = 0, evaluations_ = 0;
  Index reselection_step_ = 0;  ///< step from which another image may climb
};

/// Bytes of a band.
double band_bytes(const NebSettings& settings, Index sites, Precision precision);
/// Bytes of a band on the host, for any device.
double band_host_bytes(const NebSettings& settings, Index sites);

}  // namespace larmor::spins
