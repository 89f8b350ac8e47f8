#pragma once
// The minimum-energy path between two states by the geodesic nudged elastic band (Bessarab, Uzdin,
// Jonsson, Comput. Phys. Commun. 196 (2015) 335): images of the system along the path feel the
// gradient across it and springs along it, lengths are geodesic distances.
//
//   F_i = - g_i + (g_i.t) t,   t: unit tangent
//
// with the tangent towards the higher neighbour (Henkelman, Jonsson, J. Chem. Phys. 113 (2000)
// 9978), at an extremum of a smooth path towards the one that lies uphill. The climbing image goes
// up along the path instead, - g + 2 (g.t) t, to the saddle (Henkelman, Uberuaga, Jonsson, J. Chem.
// Phys. 113 (2000) 9901).
//
// Springs act along the path alone: where they balance depends on their ratios, not on how stiff
// they are, and nobody chooses a stiffness. Springs of one stiffness hold images at equal distances
// on either side of the climbing one, as the string method does (E, Ren, Vanden-Eijnden, J. Chem.
// Phys. 126 (2007) 164103). Images that move by velocity projection go to their places along the
// path in steps of their own, beside the motion across it; so do those at which the path folds back
// on itself, to the middle of their neighbours, while the path is young. L-BFGS takes all images
// for one system and has springs among its forces: it learns how the motion of one image turns the
// force on the next.

#include <memory>
#include <optional>
#include <string>

#include "larmor/spins/landscape/direction.hpp"
#include "larmor/spins/landscape/energy_surface.hpp"

namespace larmor::spins {

/// How images move. L-BFGS begins where velocity projection has led near the path.
enum class NebMethod { velocity_projection, lbfgs };

struct NebSettings {
  Index images = 15;  ///< both ends included
  NebMethod method = NebMethod::velocity_projection;
  /// How much stiffer springs are next to the highest image than at the ends; in between it goes
  /// with the energy (Asgeirsson et al., J. Chem. Theory Comput. 17 (2021) 4929).
  double spring_ratio = 1;
  /// Of the largest force across the path, an energy; where an image climbs of its force, and ten
  /// times as much of the others'.
  double tolerance = 1e-6;
  double max_rotation = 0.1;  ///< of a spin in a step
  bool climb = true;
};

class GeodesicNeb {
 public:
  /// The model must outlive it.
  GeodesicNeb(const Model& model, const NebSettings& settings, const Device& device);

  /// Puts the images on a path; the ends stay where they are from now on. @param path [images]
  void start(const std::vector<SiteVectors>& path);
  /// Turns the spins between the ends by at most `angle`, at random and in all images alike, so
  /// that a path of too high a symmetry can be left. @param step keys the random numbers
  void perturb(std::uint64_t seed, std::uint64_t step, double angle);

  /// At most `iterations` steps, each one evaluation of all images. @return steps made
  Index run(Index iterations);
  bool converged() const { return converged_; }
  /// Is the climbing image the highest point of the path, and the force on it within the tolerance,
  /// where the others are near rest at least?
  bool saddle_converged() const;
  /// Nothing left to do: converged, or the path went wrong or needs more images.
  bool done() const { return converged_ || needs_images_ || went_wrong(); }
  /// Does the climbing image come to rest below the highest point between images, again and again?
  bool needs_images() const { return needs_images_; }
  /// Has the path become several times higher than it was at the start, or several times longer and
  /// higher too?
  bool went_wrong() const;
  /// Is the path several times longer than it was at the start?
  bool is_long() const;
  /// Is the path higher between two images than the image that climbs?
  bool rises_between_images() const;

  /// Total energy of each image. [images]
  const std::vector<double>& energies() const { return energy_; }
  /// Geodesic distance along the path from the first image. [images]
  std::vector<double> coordinates() const;
  double start_length() const { return start_length_; }
  /// Energy of the highest image.
  double height() const { return energy_[static_cast<std::size_t>(highest())]; }
  /// Energy of the highest point that the path had at the start.
  double start_height() const { return start_top_; }
  /// dE/d(coordinate) along the tangent. [images]
  const std::vector<double>& slopes() const { return slope_; }
  /// Largest force across the path of each image between the ends; of the climbing image the whole
  /// of it. [images]
  const std::vector<double>& forces() const { return force_; }
  double largest_force() const;
  /// The image of the highest energy.
  Index highest() const;
  /// How images move at present.
  NebMethod method() const { return method_; }
  /// The image that climbs; 0: none yet.
  Index climbing() const { return climbing_; }
  /// Evaluations of the gradient, of all images together.
  Index evaluations() const { return evaluations_; }
  /// One replica an image.
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
  /// Springs between images and the next ones: of stiffness 1 up to the higher end, then stiffer.
  struct Springs {
    double bottom, top;  ///< energies of the higher end and of the highest image
    double stiffening;   ///< with the energy above it
    std::vector<double> stiffness;
  };
  Springs springs() const;
  std::vector<double> off_their_places() const;
  bool is_spaced() const;
  void set_forces();
  /// A point of the path: so many pieces of a gap from an image on.
  struct PathPoint {
    double energy;
    std::size_t gap;
    int piece;
  };
  PathPoint highest_point() const;
  void note_start();
  bool is_higher(double energy, std::size_t image, double share) const;
  std::vector<PathPoint> states_between() const;
  /// The highest state between an image and the next one.
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
  /// Images that move by one rule: each by its own, or, by L-BFGS, all by one.
  struct Motion {
    std::unique_ptr<Direction> direction;
    double slope_before = 0, square_before = 0;  ///< as the direction was made
    double length = 0;                           ///< of the last turn
    bool rests = true;

    /// By velocity projection: the direction is so many times the gradient.
    double of_gradient() const { return square_before > 0 ? slope_before / square_before : 0; }
  };
  /// What follows from a turn.
  struct Course {
    NextDirection next;
    double next_length = 0;
    double length = 0, reflects = 0;  ///< of the turn
  };
  Course next_course(Motion& motion, const StepProducts& products, double stiffest) const;
  /// Where a step of the past is remembered.
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
  RealArray ahead_, behind_;  ///< what leads to the neighbours of each image
  std::unique_ptr<SpinState> turned_;
  std::unique_ptr<SpinState> kept_;  ///< as L-BFGS began
  std::vector<Motion> motion_;
  mutable Array<double> numbers_;  ///< scratch of what goes up
  std::vector<double> sent_;       ///< what is on its way up
  Array<double> sums_;

  std::vector<double> energy_, slope_, force_, field_;
  std::vector<double> to_next_;  ///< distance to the next image
  std::vector<bool> is_folded_;  ///< does the path turn back at the image?
  /// How much of what leads to the next image and to the last one is in the unit tangent.
  std::vector<double> tangent_ahead_, tangent_behind_;
  std::vector<StepProducts> products_;                 ///< as forces were set
  NebMethod method_ = NebMethod::velocity_projection;  ///< at present
  double force_at_switch_ = 0, length_at_switch_ = 0;  ///< as L-BFGS began
  int attempts_ = 0;                                   ///< of L-BFGS
  Index climbing_ = 0;
  int searches_ = 0;  ///< of the path, for its highest point
  bool converged_ = false, needs_images_ = false;
  double start_length_ = 0, start_top_ = 0, start_bottom_ = 0;
  Index moves_ = 0, evaluations_ = 0;
  Index patience_ = 0;  ///< from so many moves on another image may climb
};

/// Bytes that a band works in.
double band_bytes(const NebSettings& settings, Index sites, Precision precision);
/// The same on the host, whatever the device.
double band_host_bytes(const NebSettings& settings, Index sites);

}  // namespace larmor::spins
