#pragma once
// The tuned numbers of GNEB, each with the reason for its value.

#include "larmor/core/types.hpp"

namespace larmor::spins::neb {

// Springs and reparametrisation.
/// Fraction of a displacement in a step. Both neighbours also move, so 1 keeps alternating errors.
inline constexpr double balance_damping = 0.5;
/// Largest step, in units of a gap. Two images that approach each other keep half of their gap.
inline constexpr double max_shift_of_gap = 0.25;
/// Fraction of the way from a fold to the midpoint of its neighbours. With 1, a zigzag persists.
inline constexpr double unfolding_fraction = 0.5;
/// Spring force of L-BFGS per rad, in units of the largest |dH/de|. Stiffer springs, close to the
/// curvature of the energy (at most 2), would dominate its steps.
inline constexpr double lbfgs_spring_of_field = 0.25;

// Steps.
/// Change of the force by a turn of the tangent, in units of slope / distance. A factor of 2 arises
/// because the climbing image inverts its slope. Another factor of 2 arises because the neighbour
/// may move the opposite way.
inline constexpr double tangent_stiffness = 4;
/// Gaps below this fraction of the mean gap are temporary and do not shorten steps further.
inline constexpr double min_gap_of_mean = 0.01;
/// Smallest cosine between a direction and the force that rounding does not dominate.
inline constexpr double min_descent_cosine = 1e-6;

// Convergence.
/// Factor in the tolerance of other images: the barrier depends only on the climbing image.
inline constexpr double tolerance_of_other_images = 10;
/// Forces near convergence, in units of the largest |dH/de|. If images climb or L-BFGS starts at
/// ten times this force, paths across a hard axis do not converge.
inline constexpr double near_force_of_field = 1e-3;
/// Forces below this multiple of the tolerance also count as near, because all images except the
/// climbing one have converged.
inline constexpr double near_force_of_tolerance = tolerance_of_other_images;
/// A converged saddle is accepted if the forces of other images are within this multiple of the
/// near force. Such a path still passes the saddle.
inline constexpr double unconverged_path_factor = 10;
/// A path has failed if its height grows by this factor, or its length by this factor with a larger
/// height. A path that is only longer may cross flat valleys. Convergence lowers a path.
inline constexpr double failure_growth = 4;

// L-BFGS.
/// L-BFGS has failed if forces grow by this factor, to 0.1 of the field. Such forces mean that
/// images are far from the path.
inline constexpr double lbfgs_force_growth = 100;
/// L-BFGS has failed if the path lengthens by this factor, because images move along flat
/// directions.
inline constexpr double lbfgs_length_growth = 1.25;
/// Each new attempt starts at forces that are smaller by this factor, so that it does not fail
/// again.
inline constexpr double lbfgs_retry_factor = 0.1;
/// Number of attempts. The last attempt starts at 1e-5 of the field. If it fails, velocity
/// projection converges without L-BFGS.
inline constexpr int max_lbfgs_attempts = 3;

// The climbing image.
/// After this many steps, an image climbs in any case, and folds are accepted. A path of few images
/// may not converge without these two rules. Skyrmions need some hundred steps
/// (docs/benchmarks/landscape.md).
inline constexpr Index max_approach = 2000;
/// Another image may climb after `reselection_growth` times the steps so far, plus
/// `reselection_delay`. So the climbing image changes ever more rarely, and a slow image on a
/// plateau has time.
inline constexpr Index reselection_growth = 2, reselection_delay = 100;
/// Number of searches for the highest point. If images miss it so often, they are too few.
inline constexpr int max_searches = 4;
/// Intervals of a gap in a search. The search misses a top by at most 1/16 of the gap.
inline constexpr int gap_divisions = 8;
/// An image moves to a point between images that is higher by this fraction of its height above
/// both ends. States between images lie above the path, mostly by less.
inline constexpr double clear_rise = 0.1;
/// A gap that rises by this fraction is searched. If such a saddle is missed, the fraction is the
/// error of the barrier.
inline constexpr double possible_rise = 1e-3;
/// Number of images, with both ends, and number of steps of a path in a gap. A rough path is
/// enough, because an image climbs on from the maximum in the gap.
inline constexpr Index gap_images = 7, gap_steps = 1000;

// Test whether the climbing image is at a minimum.
/// Distance (rad) of probes along the path. Their energies exceed rounding and are still parabolic.
inline constexpr double probe_distance = 0.02;
/// Largest distance of a probe that has returned, in units of probe_distance. At a minimum, the
/// minimiser brings this distance to 0. In a flat valley, the distance does not change.
inline constexpr double probe_return = 0.5;
/// Steps of the probes. Probes near a minimum need fewer steps. Slower probes are in a flat valley.
inline constexpr Index probe_steps = 2000;
/// Smallest decrease of the energy of a probe, in units of the rounding error: a safe margin.
inline constexpr double probe_rounding = 100;

}  // namespace larmor::spins::neb
