#pragma once
// The loops over sites of minimisers and bands of images, compiled once per instruction set
// (landscape_kernels.lanes.cpp) and for CUDA, and picked at run time. Where processes share the
// sites, none of this runs: sums may write what belongs to their own site.

#include "larmor/core/maths/philox.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

/// Steps of the past that L-BFGS knows.
inline constexpr int history_length = 5;

/// An energy as a function of the spins: the model's, and that of a uniform field beside it.
struct SurfaceView {
  ModelView model;
  RowTable moment;                ///< width 1
  Vec3<double> uniform{0, 0, 0};  ///< - sum_i m_i uniform.e_i
};

/// Points on a product of spheres and what is known of them; all in the layout of the spins.
struct PointView {
  SpinLayout layout;
  Reals spins, axes;   ///< where the spins are
  Reals gradient;      ///< there
  Reals direction;     ///< in which they turn next
  Reals new_gradient;  ///< after the turn, at axes that were carried along
  Reals step[history_length], change[history_length];  ///< of spins and gradients, in the past
};

/// Where spins are after a turn that is tried, and their axes, carried along.
struct TrialView {
  Reals spins, axes;
};

/// How far replicas turn: so many times their direction, but no spin further than max_rotation.
struct TurnLength {
  const double* asked;  ///< [padded replicas]
  /// Largest square of a site's direction [padded replicas]; null: there is no limit.
  const double* longest;
  double max_rotation;
};

/// Numbers of a replica that say how it goes on from a turn.
enum Advance : int {
  advance_accepts,    ///< 1: the turn was good, the new gradient becomes the gradient
  advance_renews,     ///< 1: there is a new direction
  advance_length,     ///< of the turn that was made, in units of the direction
  advance_reflects,   ///< times the step, added to the change of the gradient
  advance_direction,  ///< what of the old direction is in the new one
  advance_gradient,   ///< and of the gradient
  advance_step,       ///< and of each past step
  advance_change = advance_step + history_length,  ///< and of each past change
  advance_numbers = advance_change + history_length
};

/// Sums over the sites of a replica after a turn by p, from the gradient g to g', y = g' - g. Of
/// squares of single sites, the largest.
enum TurnSums : int {
  turn_slope,             ///< g'.p
  turn_square,            ///< g'.g'
  turn_along_change,      ///< g'.y
  turn_change_square,     ///< y.y
  turn_curvature,         ///< y.p
  turn_direction_square,  ///< p.p
  turn_sums,
};
/// The same with an energy.
enum TrialSums : int {
  trial_energy = turn_sums,
  trial_largest_gradient,  ///< of one site, squared
  trial_largest_field,     ///< |dE/de|, squared
  trial_sums
};
/// Products p.s, p.y, (g' - g).s and (g' - g).y with each past step s and change y.
enum HistorySums : int {
  history_direction_step,
  history_direction_change = history_direction_step + history_length,
  history_change_step = history_direction_change + history_length,
  history_change_change = history_change_step + history_length,
  history_sums = history_change_change + history_length
};

/// Images of a path, which lie side by side as replicas.
struct ImagesView {
  SurfaceView surface;
  PointView point;
  Reals ahead, behind;  ///< tangent vectors that lead to the next image, and to the one before
};

/// Sums over the sites of an image: a leads to the next image, b to the one before.
enum ImageSums : int {
  image_energy,
  image_ahead_square,   ///< a.a
  image_behind_square,  ///< b.b
  image_both,           ///< a.b
  image_gradient_ahead,
  image_gradient_behind,
  image_largest_field,  ///< |dE/de| of one site, squared
  image_sums
};
/// Numbers of an image: how much of a and b is in its force.
enum ImageForce : int { across_ahead, across_behind, force_numbers };
/// The sums of a turn, and the largest square of a site's force.
enum ForceSums : int { force_largest = turn_sums, force_sums };
/// Numbers of an image: how far it turns along a and b, beside its direction.
enum ImageShift : int { shift_ahead, shift_behind, shift_numbers };

/// Numbers of a replica that say how spins turn at random.
enum Perturbation : int {
  perturb_each,  ///< the angle of each spin about an axis of its own
  perturb_all,   ///< x, y and z of the turn of all spins
  perturb_numbers = perturb_all + 3
};

struct LandscapeKernels {
  /// Every spin of the extent gets an axis across it.
  void (*set_axes)(const Device&, const Extent&, const Reals& spins, const Reals& axes);
  /// Every spin of a replica turns by an angle about an axis at random and, at the same time, as
  /// all do. @param numbers (Perturbation, padded replicas); replicas whose angle is 0 stay
  /// @param alike are the axes at random those of the first replica?
  void (*perturb)(const Device&, const Extent&, const Reals& spins, const std::int32_t* canonical,
                  const RandomKey& key, const double* numbers, bool alike);
  /// `trial`: the spins turned along the direction.
  void (*turn)(const Device&, const Extent&, const PointView&, const TurnLength&, const TrialView&);
  /// The gradient at `trial`, and TrialSums.
  void (*evaluate_trial)(const Device&, const Extent&, const SurfaceView&, const PointView&,
                         const TrialView&, double* sums);
  /// HistorySums.
  void (*multiply_history)(const Device&, const Extent&, const PointView&, double* sums);
  /// Where a turn was good the spins go to `trial` and the new gradient becomes the gradient, step
  /// and change are remembered at `place`, and replicas get new directions. Without a trial all
  /// turns were good, and all that has been done: `new_gradient` is the one before the turn.
  /// @param numbers (Advance, padded replicas) @param remembers is there a history?
  /// @param longest largest square of a site's direction
  void (*advance)(const Device&, const Extent&, const PointView&, const TrialView&,
                  const double* numbers, int place, bool remembers, double* longest);
  /// Gradients of images, what leads to their neighbours, and ImageSums.
  void (*evaluate_images)(const Device&, const Extent&, const ImagesView&, double* sums);
  /// `new_gradient`: the negative force on images, and ForceSums. @param numbers (ImageForce,
  /// padded replicas)
  void (*set_forces)(const Device&, const Extent&, const ImagesView&, const double* numbers,
                     double* sums);
  /// `turned`: the images after they have turned along their direction and been shifted; axes go
  /// along. @param numbers (ImageShift, padded replicas), null: no shifts @param keeps becomes the
  /// whole of the turn the direction?
  void (*turn_images)(const Device&, const Extent&, const ImagesView&, const TurnLength&,
                      const Reals& turned, const double* numbers, bool keeps);
  /// `shifted`: the images shifted; axes stay. @param numbers (ImageShift, padded replicas)
  void (*shift_images)(const Device&, const Extent&, const ImagesView&, const Reals& shifted,
                       const double* numbers);
  void (*copy_vectors)(const Device&, const Extent&, const Reals& from, const Reals& to);
};

/// The kernels for a device: for this machine's instruction set, or CUDA.
const LandscapeKernels& landscape_kernels(const Device& device);

}  // namespace larmor::spins
