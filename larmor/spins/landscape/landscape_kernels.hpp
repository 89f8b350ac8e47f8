#pragma once
// The loops over sites of minimisers and bands of images, compiled for each instruction set
// (landscape_kernels.lanes.cpp) and for CUDA, and selected at run time. These loops are not used if
// processes share the sites. So a loop that computes sums may also write data of its sites.

#include "larmor/core/maths/philox.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

/// Number of past steps that L-BFGS stores.
inline constexpr int history_length = 5;

/// An energy as a function of the spins, for the model and a uniform field.
struct SurfaceView {
  ModelView model;
  RowTable moment;                ///< width 1
  Vec3<double> uniform{0, 0, 0};  ///< - sum_i m_i uniform.e_i
};

/// Points on a product of spheres with their tangent vectors, all in the layout of the spins.
struct PointView {
  SpinLayout layout;
  Reals spins, axes;   ///< current spins and their axes
  Reals gradient;      ///< at the current spins
  Reals direction;     ///< direction of the next turn
  Reals new_gradient;  ///< after the turn, at the transported axes
  Reals step[history_length],
      change[history_length];  ///< past steps and past changes of the gradient
};

/// Spins after a trial turn, and their transported axes.
struct TrialView {
  Reals spins, axes;
};

/// Length of the turn of each replica, in units of its direction. No spin turns by more than
/// max_rotation.
struct TurnLength {
  const double* requested;  ///< [padded replicas]
  /// Largest square of a site's direction [padded replicas]; null for no limit.
  const double* longest;
  double max_rotation;
};

/// Numbers that determine how a replica continues after a turn.
enum Advance : int {
  advance_accepts,    ///< 1: accept the turn; the new gradient becomes the gradient
  advance_renews,     ///< 1: set a new direction
  advance_length,     ///< length of the last turn, in units of the direction
  advance_reflects,   ///< multiple of the step to add to the change of the gradient
  advance_direction,  ///< coefficient of the old direction in the new one
  advance_gradient,   ///< coefficient of the gradient
  advance_step,       ///< coefficients of the past steps
  advance_change = advance_step + history_length,  ///< coefficients of the past changes
  advance_numbers = advance_change + history_length
};

/// Sums over the sites of a replica after a turn by p. The turn changes the gradient from g to g',
/// and y = g' - g. Squares of one site are not summed, but their maximum is taken.
enum TurnSums : int {
  turn_slope,             ///< g'.p
  turn_square,            ///< g'.g'
  turn_along_change,      ///< g'.y
  turn_change_square,     ///< y.y
  turn_curvature,         ///< y.p
  turn_direction_square,  ///< p.p
  turn_sums,
};
/// Continues TurnSums with an energy.
enum TrialSums : int {
  trial_energy = turn_sums,
  trial_largest_gradient,  ///< square of the gradient, for one site
  trial_largest_field,     ///< square of |dE/de|, for one site
  trial_sums
};
/// Products p.s, p.c, y.s and y.c with each past step s and past gradient change c. As above, p is
/// the turn and y = g' - g.
enum HistorySums : int {
  history_direction_step,
  history_direction_change = history_direction_step + history_length,
  history_change_step = history_direction_change + history_length,
  history_change_change = history_change_step + history_length,
  history_sums = history_change_change + history_length
};

/// Images of a path, stored as adjacent replicas.
struct ImagesView {
  SurfaceView surface;
  PointView point;
  Reals ahead, behind;  ///< tangent vectors to the next and to the previous image
};

/// Sums over the sites of an image. The vector a points to the next image, b to the previous image.
enum ImageSums : int {
  image_energy,
  image_ahead_square,   ///< a.a
  image_behind_square,  ///< b.b
  image_both,           ///< a.b
  image_gradient_ahead,
  image_gradient_behind,
  image_largest_field,  ///< square of |dE/de|, for one site
  image_sums
};
/// Numbers of an image: coefficients of a and b in the force on the image.
enum ImageForce : int { across_ahead, across_behind, force_numbers };
/// The sums of a turn, and the largest square of a site's force.
enum ForceSums : int { force_largest = turn_sums, force_sums };
/// Numbers of an image: its turns along a and b, in addition to its direction.
enum ImageShift : int { shift_ahead, shift_behind, shift_numbers };

/// Numbers that determine the random turns of a replica's spins.
enum Perturbation : int {
  perturb_each,  ///< angle of each spin about its own axis
  perturb_all,   ///< x, y and z of the common turn of all spins
  perturb_numbers = perturb_all + 3
};

struct LandscapeKernels {
  /// Chooses an axis perpendicular to each spin of the extent.
  void (*set_axes)(const Device&, const Extent&, const Reals& spins, const Reals& axes);
  /// Turns each spin of a replica about a random axis, combined with a common turn of all spins.
  /// @param numbers (Perturbation, padded replicas); replicas with angle 0 do not turn
  /// @param alike use the random axes of the first replica for all?
  void (*perturb)(const Device&, const Extent&, const Reals& spins, const std::int32_t* canonical,
                  const RandomKey& key, const double* numbers, bool alike);
  /// Writes the spins, turned along the direction, to `trial`.
  void (*turn)(const Device&, const Extent&, const PointView&, const TurnLength&, const TrialView&);
  /// Computes the gradient at `trial`, and TrialSums.
  void (*evaluate_trial)(const Device&, const Extent&, const SurfaceView&, const PointView&,
                         const TrialView&, double* sums);
  /// Computes HistorySums.
  void (*multiply_history)(const Device&, const Extent&, const PointView&, double* sums);
  /// Accepts turns and sets new directions. If a turn is accepted, `trial` becomes the spins, the
  /// new gradient becomes the gradient, and step and change are stored at `place`. If there is no
  /// trial, all turns are already accepted and made, and `new_gradient` is the gradient before the
  /// turn.
  /// @param numbers (Advance, padded replicas)
  /// @param remembers is there a history?
  /// @param longest receives the largest square of a site's direction [padded replicas]
  void (*advance)(const Device&, const Extent&, const PointView&, const TrialView&,
                  const double* numbers, int place, bool remembers, double* longest);
  /// Computes the gradients of images (in `new_gradient`), the vectors to their neighbours, and
  /// ImageSums.
  void (*evaluate_images)(const Device&, const Extent&, const ImagesView&, double* sums);
  /// Writes the negative force on images to `new_gradient`, and computes ForceSums.
  /// @param numbers (ImageForce, padded replicas)
  void (*set_forces)(const Device&, const Extent&, const ImagesView&, const double* numbers,
                     double* sums);
  /// Turns the images along their directions, shifts them, and writes them to `turned`. Their axes
  /// are transported.
  /// @param numbers (ImageShift, padded replicas), null for no shifts
  /// @param keeps should the complete turn become the direction?
  void (*turn_images)(const Device&, const Extent&, const ImagesView&, const TurnLength&,
                      const Reals& turned, const double* numbers, bool keeps);
  /// Writes the shifted images to `shifted`. Axes do not change.
  /// @param numbers (ImageShift, padded replicas)
  void (*shift_images)(const Device&, const Extent&, const ImagesView&, const Reals& shifted,
                       const double* numbers);
  void (*copy_vectors)(const Device&, const Extent&, const Reals& from, const Reals& to);
};

/// The kernels for a device: for the instruction set of this machine, or CUDA.
LARMOR_DEVICE_KERNELS(LandscapeKernels, landscape_kernels)

}  // namespace larmor::spins
