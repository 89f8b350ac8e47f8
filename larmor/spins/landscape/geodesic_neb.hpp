#pragma once
// The minimum-energy path between two states by the geodesic nudged elastic band (Bessarab, Uzdin,
// Jonsson, Comput. Phys. Commun. 196 (2015) 335). Images of the system along the path feel the
// gradient across the path and springs along the path. Lengths are geodesic distances.
//
//   F_i = - g_i + (g_i.t) t,   t: unit tangent
//
// The tangent points to the higher neighbour (Henkelman, Jonsson, J. Chem. Phys. 113 (2000) 9978),
// at an extremum of a smooth path to the uphill neighbour. The climbing image moves up along the
// path, - g + 2 (g.t) t, to the saddle (Henkelman, Uberuaga, Jonsson, J. Chem. Phys. 113 (2000)
// 9901).
//
// Springs act only along the path. Their balance depends on ratios of stiffness, not on its value,
// so no stiffness has to be chosen. Springs of equal stiffness keep images at equal distances on
// both sides of the climbing image, as in the string method (E, Ren, Vanden-Eijnden, J. Chem. Phys.
// 126 (2007) 164103). With velocity projection, images move to their places along the path in
// separate steps, in addition to the motion across the path. Early in the search, images where the
// path folds back also move to the midpoint of their neighbours. L-BFGS treats all images as one
// system and includes spring forces: its history tells how the motion of one image changes the
// force on the next.

#include <memory>
#include <optional>
#include <string>

#include "larmor/spins/landscape/direction.hpp"
#include "larmor/spins/landscape/energy_surface.hpp"

namespace larmor::spins {

/// Method of moving images. L-BFGS starts after velocity projection has come close to the path.
enum class NebMethod { velocity_projection, lbfgs };

struct NebSettings {
  Index images = 15;  ///< with both ends
  NebMethod method = NebMethod::velocity_projection;
  /// Stiffness of springs next to the highest image relative to those at the ends. In between, the
  /// stiffness varies with the energy (Asgeirsson et al., J. Chem. Theory Comput. 17 (2021) 4929).
  double spring_ratio = 1;
  /// Tolerance of the largest force across the path, an energy. A climbing image has this tolerance
  /// for its force, the other images ten times as much.
  double tolerance = 1e-6;
  double max_rotation = 0.1;  ///< largest rotation of a spin in one step
  bool climb = true;
};

class GeodesicNeb {
 public:
  /// @param model must outlive this object
  GeodesicNeb(const Model& model, const NebSettings& settings, const Device& device);

  /// Sets the images; both ends are fixed from now on.
  /// @param path [images]
  void start(const std::vector<SiteVectors>& path);
  /// Turns the spins between the ends by at most `angle`, at random, and equally in all images.
  /// This breaks the symmetry of a path.
  /// @param step counter of the random numbers
  void perturb(std::uint64_t seed, std::uint64_t step, double angle);

  /// Runs at most `iterations` steps, each with one evaluation of all images.
  /// @return the steps made
  Index run(Index iterations);
  bool converged() const { return converged_; }
  /// Is the climbing image the highest point of the path, with a force within the tolerance, and
  /// are the other images at least nearly converged?
  bool saddle_converged() const;
  /// True if converged, failed, or if the path needs more images.
  bool done() const { return converged_ || needs_images_ || went_wrong(); }
  /// Does the climbing image repeatedly converge below the highest point between images?
  bool needs_images() const { return needs_images_; }
  /// Has the path become several times higher than at the start, or several times longer and
  /// higher?
  bool went_wrong() const;
  /// Has the path become several times longer than at the start?
  bool is_long() const;
  /// Is the path between two images higher than the climbing image?
  bool rises_between_images() const;

  /// Total energy of each image. [images]
  const std::vector<double>& energies() const { return energy_; }
  /// Geodesic distance along the path from the first image. [images]
  std::vector<double> coordinates() const;
  double start_length() const { return start_length_; }
  /// Energy of the highest image.
  double height() const { return energy_[static_cast<std::size_t>(highest())]; }
  /// Energy of the highest point of the path at the start.
  double start_height() const { return start_top_; }
  /// dE/d(coordinate) along the tangent. [images]
  const std::vector<double>& slopes() const { return slope_; }
  /// Largest force across the path for each image between the ends; for the climbing image the full
  /// force. [images]
  const std::vector<double>& forces() const { return force_; }
  double largest_force() const;
  /// The image of the highest energy.
  Index highest() const;
  /// The current method of moving images.
  NebMethod method() const { return method_; }
  /// The climbing image; 0 if none climbs yet.
  Index climbing() const { return climbing_; }
  /// Number of evaluations of the gradient of all images.
  Index evaluations() const { return evaluations_; }
  /// One replica for each image.
  const SpinState& images() const { return point_.spins(); }

  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  std::size_t count() const { return static_cast<std::size_t>(settings_.images); }
  Extent extent() const { return Extent::all(point_.layout()); }
  bool is_end(std::size_t image) const { return image == 0 || image + 1 == count(); }
  void use(NebMethod method);
  void try_lbfgs(double force);
  bool is_astray() const;
  void leave_lbfgs();
  double length() const;
  double largest_field() const;
  double force_near_rest() const;
  double force_near_top() const;
  void settle();
  void evaluate();
  void find_tangent(std::size_t image, const std::vector<double>& sums);
  /// Springs between adjacent images: stiffness 1 up to the energy of the higher end, then larger.
  struct Springs {
    double bottom, top;  ///< energies of the higher end and of the highest image
    double stiffening;   ///< increase per energy above it
    std::vector<double> stiffness;
  };
  Springs springs() const;
  std::vector<double> off_their_places() const;
  bool is_spaced() const;
  void set_forces();
  /// A point of the path: `piece` intervals of the gap after image `gap`.
  struct PathPoint {
    double energy;
    std::size_t gap;
    int piece;
  };
  PathPoint highest_point() const;
  void note_start();
  bool is_higher(double energy, std::size_t image, double share) const;
  std::vector<PathPoint> states_between() const;
  /// The highest state between an image and the next.
  struct MissedTop {
    double energy;
    std::size_t gap;
    SiteVectors state;
  };
  MissedTop top_between(std::size_t gap) const;
  std::optional<MissedTop> missed_top() const;
  bool climbs_to_a_minimum() const;
  void begin_to_climb();
  void climb_to(const MissedTop& top);
  void climb_from(Index image);
  bool climbs_highest() const;
  ImagesView images_view(const SurfaceView& surface) const;
  void shift(const std::vector<double>& numbers) const;
  /// Images with a common rule of motion: each has its own, or, with L-BFGS, all have one.
  struct Motion {
    std::unique_ptr<Direction> direction;
    double slope_before = 0, square_before = 0;  ///< when the direction was chosen
    double length = 0;                           ///< length of the last turn
    bool rests = true;

    /// In velocity projection, the direction is this multiple of the gradient.
    double of_gradient() const { return square_before > 0 ? slope_before / square_before : 0; }
  };
  /// Result of a turn.
  struct Course {
    NextDirection next;
    double next_length = 0;
    double length = 0, reflects = 0;  ///< values of the last turn
  };
  Course next_course(Motion& motion, const StepProducts& products, double stiffest) const;
  /// Where a past step is stored.
  int place() const { return static_cast<int>(moves_ % history_length); }
  void move();
  void turn_each();
  void turn_together();
  std::vector<double> shifts() const;
  double stiffness(std::size_t image) const;
  std::vector<std::size_t> firsts_of_images() const;

  Device device_;
  const Model* model_;
  NebSettings settings_;
  LandscapePoint point_;
  RealArray ahead_, behind_;  ///< tangent vectors to the neighbours of each image
  std::unique_ptr<SpinState> turned_;
  std::unique_ptr<SpinState> kept_;  ///< state when L-BFGS started
  std::vector<Motion> motion_;
  mutable Array<double> numbers_;  ///< scratch for uploads
  std::vector<double> sent_;       ///< upload in progress
  Array<double> sums_;

  std::vector<double> energy_, slope_, force_, field_;
  std::vector<double> to_next_;  ///< distance to the next image
  std::vector<bool> is_folded_;  ///< does the path turn back at the image?
  /// Coefficients of the vectors to the next and to the previous image in the unit tangent.
  std::vector<double> tangent_ahead_, tangent_behind_;
  std::vector<StepProducts> products_;                 ///< when forces were set
  NebMethod method_ = NebMethod::velocity_projection;  ///< current method
  double force_at_switch_ = 0, length_at_switch_ = 0;  ///< when L-BFGS started
  int attempts_ = 0;                                   ///< number of attempts with L-BFGS
  Index climbing_ = 0;
  int searches_ = 0;  ///< number of searches for the highest point
  bool converged_ = false, needs_images_ = false;
  double start_length_ = 0, start_top_ = 0, start_bottom_ = 0;
  Index moves_ = 0, evaluations_ = 0;
  Index patience_ = 0;  ///< number of moves after which another image may climb
};

/// Bytes of a band.
double band_bytes(const NebSettings& settings, Index sites, Precision precision);
/// Bytes of a band on the host, for any device.
double band_host_bytes(const NebSettings& settings, Index sites);

}  // namespace larmor::spins
