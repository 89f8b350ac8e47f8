#include "larmor/spins/landscape/geodesic_neb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/saved_numbers.hpp"
#include "larmor/spins/landscape/lbfgs.hpp"
#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spins/landscape/path_interpolation.hpp"
#include "larmor/spins/landscape/path_start.hpp"
#include "larmor/spins/landscape/tangent_view.hpp"
#include "larmor/spins/landscape/velocity_projection.hpp"
#include "larmor/spins/observables/observables.hpp"

namespace larmor::spins {
namespace {

/// A path is nearly converged if forces are below this fraction of the largest |dH/de|, or this
/// multiple of the tolerance. An image then begins to climb, or after so many steps.
constexpr double near_rest = 1e-3, near_tolerances = 10;
constexpr Index longest_approach = 2000;
/// L-BFGS has failed if forces or the path length exceed their initial values by these factors.
/// Another failure: the highest image is not the climbing one. Each new attempt requires forces
/// that are smaller by a factor.
constexpr double astray = 100, longer = 1.25, nearer = 0.1;
constexpr int most_attempts = 3;
/// With L-BFGS, spring forces also move images along the path. This is the force, in units of the
/// largest |dH/de|, for each rad of displacement.
constexpr double spring_of_field = 0.25;
/// The barrier depends only on the climbing image. This factor multiplies the tolerance of others.
constexpr double beside_the_saddle = 10;
/// Number of searches for the highest point of the path.
constexpr int most_searches = 4;
/// Number of intervals of a gap between images in a search for the highest point.
constexpr int pieces = 8;
/// A point between images is clearly higher, or perhaps higher, by these fractions of the height
/// above the ends. The second triggers a search.
constexpr double clearly = 0.1, perhaps = 1e-3;
/// In a path that has not converged, the saddle is accepted if other forces are within this factor
/// of near convergence.
constexpr double nearly_at_rest = 10;
/// Distance along the path (rad) at which states are compared with the climbing image.
constexpr double beside_the_top = 0.02;
/// States have returned to the climbing image if their distance has decreased by this factor.
constexpr double came_back = 0.5;
constexpr Index most_relaxing = 2000;
/// Images (with both ends) and steps of a path that is optimised between two images.
constexpr Index images_between = 7, most_between = 1000;
/// Smaller distances between images, in units of the mean distance, are only temporary.
constexpr double nearest_of_mean = 0.01;
/// A path is smooth at an image if it turns by less than the angle of this cosine.
constexpr double smooth = 0.95;
/// A path is folded at an image if it turns back by more than the angle of this cosine. Early in
/// the search the image then moves by this fraction towards the midpoint of its neighbours.
constexpr double folded = -0.2, unfolding = 0.5;
/// Images are evenly spaced if displacements are below this fraction of the distance to the next
/// image.
constexpr double spaced = 0.05;
/// A path has failed if its height grows by this factor, or its length by this factor with a larger
/// height. A path that is only longer may cross many flat valleys.
constexpr double too_far = 4;

/// Rows of the sums of a step.
constexpr int neb_longest_row = 0, image_row = 1, force_row = image_row + image_sums,
              neb_history_row = force_row + force_sums,
              neb_all_rows = neb_history_row + history_sums;

/// Rows of the numbers of a step.
constexpr int shift_row = 0, neb_length_row = shift_row + shift_numbers,
              neb_advance_row = neb_length_row + 1, forces_row = neb_advance_row + advance_numbers,
              neb_number_rows = forces_row + force_numbers;

}  // namespace

GeodesicNeb::GeodesicNeb(const Model& model, const NebSettings& settings, const Device& device)
    : device_(device_for(device, model.layout(settings.images))),
      model_(&model),
      settings_(settings),
      point_(model, model.layout(settings.images), device_, settings.method == NebMethod::lbfgs),
      ahead_(device_, tangent_numbers(point_.layout()), false),
      behind_(device_, tangent_numbers(point_.layout()), false),
      turned_(std::make_unique<SpinState>(device_, point_.layout(), model.canonical())) {
  const Index padded = point_.layout().padded_replicas();
  if (settings.method == NebMethod::lbfgs)
    kept_ = std::make_unique<SpinState>(device_, point_.layout(), model.canonical());
  numbers_ = Array<double>(device_, neb_number_rows * padded);
  sums_ = Array<double>(device_, neb_all_rows * padded);
  use(NebMethod::velocity_projection);
  for (auto* numbers :
       {&energy_, &slope_, &force_, &field_, &to_next_, &tangent_ahead_, &tangent_behind_})
    numbers->assign(count(), 0.0);
  is_folded_.assign(count(), false);
  products_.resize(count());
}

void GeodesicNeb::use(NebMethod method) {
  method_ = method;
  motion_.clear();
  if (method == NebMethod::lbfgs) {
    motion_.emplace_back().direction = std::make_unique<Lbfgs>();
  } else {
    for (std::size_t i = 0; i < count(); ++i)
      motion_.emplace_back().direction = std::make_unique<VelocityProjection>();
  }
}

void GeodesicNeb::start(const std::vector<SiteVectors>& path) {
  store_spins(path, 0, point_.spins());
  climbing_ = moves_ = patience_ = 0;
  searches_ = attempts_ = 0;
  converged_ = needs_images_ = false;
  use(NebMethod::velocity_projection);
  settle();
  start_length_ = 0;
  start_top_ = -std::numeric_limits<double>::infinity();
  start_bottom_ = std::numeric_limits<double>::infinity();
  note_start();
}

/// Records the length of the path and its energy range at the start.
void GeodesicNeb::note_start() {
  start_length_ = std::max(start_length_, length());
  start_top_ = std::max(start_top_, highest_point().energy);
  start_bottom_ = std::min(start_bottom_, *std::min_element(energy_.begin(), energy_.end()));
}

void GeodesicNeb::perturb(std::uint64_t seed, std::uint64_t step, double angle) {
  point_.spins().step = step;
  // If images left a ridge to different sides, the path would have kinks.
  spins::perturb(point_.spins(), model_->canonical(), seed, angle, 1, settings_.images - 1,
                 RandomTurns::replicas_alike);
  settle();
  note_start();
}

/// Restarts all motion from the current images.
void GeodesicNeb::settle() {
  point_.set_axes();
  for (Motion& motion : motion_) motion.rests = true;
  evaluate();
  set_forces();
}

double GeodesicNeb::stiffness(std::size_t i) const {
  // Second derivatives of a bilinear energy are at most twice the largest field. An image at a
  // saddle may have a small field, and so may all images if spins lie perpendicular to a hard axis.
  // If an image moves sideways, its tangent turns, and with it a fraction of the slope.
  const double mean = length() / static_cast<double>(count() - 1);
  const double nearest = std::max(std::min(to_next_[i - 1], to_next_[i]), nearest_of_mean * mean);
  const double turning = 4 * std::abs(slope_[i]) / nearest;
  return std::max({2 * largest_field(), model_->largest_derivative(), turning});
}

void GeodesicNeb::evaluate() {
  const Region region("images of a path");
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  const SurfaceView surface = point_.surface_at(point_.spins(), {0, 0, 0});
  landscape_kernels(device_).evaluate_images(device_, extent(), images_view(surface),
                                             sums_.data() + image_row * padded);
  const std::vector<double> found = numbers_async(sums_).take();
  const auto at = [&](int n, std::size_t image) {
    return found[static_cast<std::size_t>(image_row + n) * padded + image];
  };
  for (std::size_t i = 0; i < count(); ++i) {
    energy_[i] = at(image_energy, i);
    field_[i] = std::sqrt(at(image_largest_field, i));
    to_next_[i] = i + 1 == count() ? 0 : std::sqrt(at(image_ahead_square, i));
  }
  for (std::size_t i = 0; i < count(); ++i) find_tangent(i, found);
  ++evaluations_;
}

void GeodesicNeb::find_tangent(std::size_t i, const std::vector<double>& sums) {
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  const auto at = [&](int n) { return sums[static_cast<std::size_t>(image_row + n) * padded + i]; };
  const bool first = i == 0, last = i + 1 == count();
  const double up = last ? 0 : energy_[i + 1] - energy_[i];
  const double down = first ? 0 : energy_[i] - energy_[i - 1];
  const bool extremal = up * down < 0;
  const double cosine = -at(image_both) / (first || last ? 1 : to_next_[i] * to_next_[i - 1]);
  is_folded_[i] = !first && !last && cosine < folded;
  // The tangent points uphill: to the higher neighbour, or by the slope at an extremum of a smooth
  // path. A tangent towards the lower neighbour would drive the image away from it across the path,
  // without limit in soft systems. If the path still has kinks, slopes are unreliable. Both
  // neighbours then contribute at an extremum, weighted by their height. The same weights serve for
  // the climbing image, whose slope changes sign at the saddle.
  const bool by_slope = extremal && static_cast<Index>(i) != climbing_ && cosine > smooth;
  const double rise = by_slope ? at(image_gradient_ahead) / to_next_[i] -
                                     at(image_gradient_behind) / to_next_[i - 1]
                               : up + down;
  double ahead = first || (!last && rise > 0) ? 1 : 0;
  double behind = last || (!first && rise < 0) ? 1 : 0;
  if (extremal && !by_slope) {
    const double larger = std::max(std::abs(up), std::abs(down));
    const double smaller = std::min(std::abs(up), std::abs(down));
    ahead = rise > 0 ? larger : smaller;
    behind = rise > 0 ? smaller : larger;
  }
  if (ahead + behind == 0) ahead = behind = 1;
  const double square = ahead * ahead * at(image_ahead_square) -
                        2 * ahead * behind * at(image_both) +
                        behind * behind * at(image_behind_square);
  const double size = square > 0 ? std::sqrt(square) : 0;
  tangent_ahead_[i] = size > 0 ? ahead / size : 0;
  tangent_behind_[i] = size > 0 ? -behind / size : 0;
  slope_[i] =
      tangent_ahead_[i] * at(image_gradient_ahead) + tangent_behind_[i] * at(image_gradient_behind);
}

void GeodesicNeb::set_forces() {
  const Region region("forces of a path");
  const LandscapeKernels& kernels = landscape_kernels(device_);
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  const bool learns = method_ == NebMethod::lbfgs;
  const std::vector<double> off = off_their_places();
  const double spring = learns ? spring_of_field * largest_field() : 0;
  sent_.assign(force_numbers * padded, 0);
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    const bool climbs = static_cast<Index>(i) == climbing_;
    const double across = (climbs ? 2 : 1) * slope_[i] + spring * off[i];
    sent_[across_ahead * padded + i] = across * tangent_ahead_[i];
    sent_[across_behind * padded + i] = across * tangent_behind_[i];
  }
  const double* const on_device = numbers_.data() + forces_row * padded;
  numbers_.send_part(sent_, static_cast<Index>(forces_row * padded));
  const ImagesView images = images_view({});
  kernels.set_forces(device_, extent(), images, on_device, sums_.data() + force_row * padded);
  if (learns)
    kernels.multiply_history(device_, extent(), images.point,
                             sums_.data() + neb_history_row * padded);
  const std::vector<double> found = numbers_async(sums_).take();
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    const auto at = [&](int row) { return found[static_cast<std::size_t>(row) * padded + i]; };
    const auto sum = [&](int n) { return at(force_row + n); };
    const auto of_history = [&](int n) { return at(neb_history_row + n); };
    StepProducts& products = products_[i];
    products = products_of(sum, of_history, learns);
    // The maximum ignores NaN, but the sum does not.
    force_[i] = std::sqrt(std::isfinite(products.square) ? sum(force_largest) : products.square);
    if (!learns) {
      const double of_gradient = motion_[i].of_gradient();
      products.slope *= of_gradient;
      products.curvature *= of_gradient;
      products.direction_square *= of_gradient * of_gradient;
    }
  }
}

ImagesView GeodesicNeb::images_view(const SurfaceView& surface) const {
  PointView point = point_.view();
  // In velocity projection images turn along their gradients and need no other direction.
  if (method_ == NebMethod::velocity_projection) point.direction = point.gradient;
  return {surface, point, ahead_.reals(), behind_.reals()};
}

void GeodesicNeb::shift(const std::vector<double>& numbers) const {
  numbers_.copy_part_from(numbers, 0);
  landscape_kernels(device_).shift_images(device_, extent(), images_view({}), turned_->reals(),
                                          numbers_.data());
}

/// The highest point between each image and the next, from intermediate states. [images - 1]
std::vector<GeodesicNeb::PathPoint> GeodesicNeb::states_between() const {
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  std::vector<PathPoint> found;
  for (std::size_t i = 0; i + 1 < count(); ++i) found.push_back({energy_[i], i, 0});
  for (int piece = 1; piece < pieces; ++piece) {
    std::vector<double> numbers(shift_numbers * padded);
    for (std::size_t i = 0; i + 1 < count(); ++i)
      numbers[shift_ahead * padded + i] = static_cast<double>(piece) / pieces;
    shift(numbers);
    const std::vector<double> energies = energy_per_site(*model_, *turned_);
    for (std::size_t i = 0; i + 1 < count(); ++i) {
      const double energy = energies[i] * static_cast<double>(point_.layout().spins());
      if (energy > found[i].energy) found[i] = {energy, i, piece};
    }
  }
  return found;
}

/// The highest point of the path, including states between the images.
GeodesicNeb::PathPoint GeodesicNeb::highest_point() const {
  PathPoint found{energy_[static_cast<std::size_t>(highest())], static_cast<std::size_t>(highest()),
                  0};
  for (const PathPoint& point : states_between())
    if (point.energy > found.energy) found = point;
  return found;
}

void GeodesicNeb::climb_from(Index image) {
  climbing_ = image;
  patience_ = 2 * moves_ + 100;
  settle();
  start_top_ = std::max(start_top_, energy_[static_cast<std::size_t>(image)]);
}

/// Is the climbing image at a minimum? The energy rises in both directions along the path from a
/// minimum. This may also hold next to a saddle from which the path leads away at an angle. But
/// only near a minimum do neighbouring states return to it under minimisation. In a flat valley the
/// states stay where they are.
bool GeodesicNeb::climbs_to_a_minimum() const {
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  const auto image = static_cast<std::size_t>(climbing_);
  const auto spins = static_cast<double>(point_.layout().spins());
  std::vector<SiteVectors> beside;
  for (const double way : {-beside_the_top, beside_the_top}) {
    std::vector<double> numbers(shift_numbers * padded);
    numbers[shift_ahead * padded + image] = way * tangent_ahead_[image];
    numbers[shift_behind * padded + image] = way * tangent_behind_[image];
    shift(numbers);
    if (energy_per_site(*model_, *turned_)[image] * spins <= energy_[image]) return false;
    copy_spins(*turned_, climbing_, beside.emplace_back());
  }
  const SpinLayout two = model_->layout(2);
  SpinState state(device_, two, model_->canonical());
  store_spins(beside, 0, state);
  MinimiserSettings settings;
  settings.tolerance = settings_.tolerance;
  settings.max_rotation = settings_.max_rotation;
  Minimiser minimiser(*model_, two, settings, device_);
  minimiser.start(state);
  minimiser.run(state, most_relaxing);
  const double rounding = 100 * energy_rounding(device_.precision, two.spins()) * largest_field();
  SiteVectors climbing;
  copy_spins(point_.spins(), climbing_, climbing);
  const std::vector<double> energies = minimiser.energies();
  const std::vector<SiteVectors> relaxed = copy_all_spins(state);
  for (std::size_t i = 0; i < relaxed.size(); ++i) {
    if (energies[i] * spins < energy_[image] - rounding) return false;
    if (distance(relaxed[i], climbing, device_.threads) > came_back * beside_the_top) return false;
  }
  return true;
}

bool GeodesicNeb::is_higher(double energy, std::size_t image, double share) const {
  const double ends = std::max(energy_.front(), energy_.back());
  return energy - energy_[image] > share * (energy_[image] - ends) + settings_.tolerance;
}

bool GeodesicNeb::rises_between_images() const { return missed_top().has_value(); }

/// If images are too few for the saddles of the path, one may climb to a saddle while a higher
/// saddle lies between two images. Slopes detect the higher saddle if images are on its flanks.
/// States between the images detect it if the images are in the valleys on both sides. Both
/// overestimate the path if images are far apart, so a path of few images is optimised between the
/// two.
std::optional<GeodesicNeb::MissedTop> GeodesicNeb::missed_top() const {
  if (climbing_ == 0) return std::nullopt;
  const auto image = static_cast<std::size_t>(climbing_);
  const PathCurve curve = interpolate_path(coordinates(), energy_, slope_, pieces);
  std::vector<PathPoint> tops = states_between();
  for (std::size_t n = 0; n < curve.energy.size(); ++n) {
    PathPoint& top = tops[std::min(n / pieces, count() - 2)];
    top.energy = std::max(top.energy, curve.energy[n]);
  }
  std::stable_sort(tops.begin(), tops.end(),
                   [](const PathPoint& a, const PathPoint& b) { return a.energy > b.energy; });
  for (const PathPoint& top : tops) {
    if (!is_higher(top.energy, image, perhaps)) break;
    const MissedTop found = top_between(top.gap);
    if (is_higher(found.energy, image, perhaps)) return found;
  }
  return std::nullopt;
}

GeodesicNeb::MissedTop GeodesicNeb::top_between(std::size_t gap) const {
  NebSettings settings = settings_;
  settings.images = images_between;
  settings.method = NebMethod::velocity_projection;
  settings.climb = false;
  GeodesicNeb between(*model_, settings, device_);
  std::vector<SiteVectors> ends(2);
  for (std::size_t end = 0; end < 2; ++end)
    copy_spins(point_.spins(), static_cast<Index>(gap + end), ends[end]);
  between.start(geodesic_path(ends, settings.images, std::nullopt));
  between.run(most_between);
  MissedTop top{between.height(), gap, {}};
  // The ends are images of this path, and known to be not higher.
  copy_spins(between.images(), between.highest(), top.state);
  return top;
}

/// Selects an image to climb: the highest image. If the path is clearly higher between images or at
/// an end, the image next to the highest point moves there first. States between images lie
/// slightly above the path, more so for larger distances.
void GeodesicNeb::begin_to_climb() {
  const PathPoint found = highest_point();
  const auto top = static_cast<std::size_t>(highest());
  if (!is_end(top) && !is_higher(found.energy, top, clearly))
    return climb_from(static_cast<Index>(top));
  if (found.piece == 0) return;
  const bool ahead = found.gap == 0 || (found.piece > pieces / 2 && found.gap + 2 < count());
  const std::size_t image = ahead ? found.gap + 1 : found.gap;
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  std::vector<double> numbers(shift_numbers * padded);
  const double part = static_cast<double>(found.piece) / pieces;
  if (ahead)
    numbers[shift_behind * padded + image] = 1 - part;
  else
    numbers[shift_ahead * padded + image] = part;
  shift(numbers);
  point_.exchange_spins(turned_);
  climb_from(static_cast<Index>(image));
}

/// Moves an image next to a missed top to this top, and lets it climb.
void GeodesicNeb::climb_to(const MissedTop& top) {
  const bool ahead =
      top.gap == 0 || (static_cast<Index>(top.gap) == climbing_ && top.gap + 2 < count());
  const auto image = static_cast<Index>(ahead ? top.gap + 1 : top.gap);
  store_spins({&top.state, 1}, image, point_.spins());
  climb_from(image);
}

/// L-BFGS takes the forces as a gradient, which is nearly true close to the path.
void GeodesicNeb::try_lbfgs(double force) {
  if (settings_.method != NebMethod::lbfgs || method_ == NebMethod::lbfgs) return;
  const bool near = (climbing_ > 0 || !settings_.climb) && is_spaced() &&
                    force <= force_near_rest() * std::pow(nearer, attempts_);
  if (!near || attempts_ == most_attempts) return;
  ++attempts_;
  landscape_kernels(device_).copy_vectors(device_, extent(), point_.spins().reals(),
                                          kept_->reals());
  use(NebMethod::lbfgs);
  // In velocity projection the forces have overwritten the gradients.
  evaluate();
  set_forces();
  force_at_switch_ = largest_force();
  length_at_switch_ = length();
}

bool GeodesicNeb::is_astray() const {
  return method_ == NebMethod::lbfgs &&
         (largest_force() > astray * force_at_switch_ || length() > longer * length_at_switch_);
}

/// Restores the images from the start of L-BFGS.
void GeodesicNeb::leave_lbfgs() {
  use(NebMethod::velocity_projection);
  landscape_kernels(device_).copy_vectors(device_, extent(), kept_->reals(),
                                          point_.spins().reals());
  settle();
}

double GeodesicNeb::force_near_rest() const {
  return std::max(near_rest * largest_field(), near_tolerances * settings_.tolerance);
}

/// The largest force on the highest image and its neighbours.
double GeodesicNeb::force_near_top() const {
  const auto top = static_cast<std::size_t>(highest());
  const std::size_t first = top == 0 ? 0 : top - 1, last = std::min(top + 1, count() - 1);
  return *std::max_element(force_.begin() + static_cast<std::ptrdiff_t>(first),
                           force_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
}

Index GeodesicNeb::run(Index iterations) {
  Index made = 0;
  while (made < iterations && !done()) {
    const double force = largest_force();
    if (settings_.climb && searches_ == 0 &&
        (force_near_top() <= force_near_rest() || moves_ >= longest_approach)) {
      ++searches_;
      begin_to_climb();
      continue;
    }
    const Index top = highest();
    const bool higher =
        climbing_ > 0 && !is_end(static_cast<std::size_t>(top)) && !climbs_highest();
    if (higher && method_ == NebMethod::lbfgs) {
      leave_lbfgs();
      continue;
    }
    // An image that climbs on a plateau may be slower than others that reach its top.
    if (higher && (force <= beside_the_saddle * settings_.tolerance || moves_ >= patience_)) {
      climb_from(top);
      continue;
    }
    const bool calm = climbing_ > 0
                          ? force_[static_cast<std::size_t>(climbing_)] <= settings_.tolerance &&
                                force <= beside_the_saddle * settings_.tolerance
                          : force <= settings_.tolerance;
    if (calm && is_spaced()) {
      // With few images, one may have converged to a minimum between two saddles, or another saddle
      // may be higher.
      const std::optional<MissedTop> missed = missed_top();
      converged_ = climbing_ == 0 || (!missed && !climbs_to_a_minimum());
      if (converged_) break;
      needs_images_ = ++searches_ > most_searches;
      if (needs_images_) break;
      if (missed)
        climb_to(*missed);
      else
        begin_to_climb();
      continue;
    }
    if (!higher) try_lbfgs(force);
    move();
    if (is_astray()) leave_lbfgs();
    ++made;
  }
  return made;
}

GeodesicNeb::Springs GeodesicNeb::springs() const {
  Springs springs{std::max(energy_.front(), energy_.back()), height(), 0, {}};
  const double range = springs.top - springs.bottom;
  if (range > 0) springs.stiffening = (settings_.spring_ratio - 1) / range;
  for (std::size_t i = 0; i + 1 < count(); ++i) {
    const double above = std::max(energy_[i], energy_[i + 1]) - springs.bottom;
    springs.stiffness.push_back(1 + springs.stiffening * std::max(0.0, above));
  }
  return springs;
}

/// Displacement of each image along the path from the balance of its springs, to first order with
/// the other images fixed. [images]
std::vector<double> GeodesicNeb::off_their_places() const {
  const auto [bottom, top, stiffening, stiffness] = springs();
  std::vector<double> off(count());
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    if (static_cast<Index>(i) == climbing_) continue;
    const double pull = stiffness[i] * to_next_[i] - stiffness[i - 1] * to_next_[i - 1];
    double change = stiffness[i] + stiffness[i - 1];
    // The spring on the lower side depends on the energy of this image, and softens as the image
    // goes down. The springs of the highest image are the stiffest in any case.
    if (energy_[i] > bottom && energy_[i] < top) {
      const double softens = stiffening * slope_[i];
      if (energy_[i] > energy_[i + 1]) change += std::max(0.0, -softens * to_next_[i]);
      if (energy_[i] > energy_[i - 1]) change += std::max(0.0, softens * to_next_[i - 1]);
    }
    off[i] = pull / change;
  }
  return off;
}

bool GeodesicNeb::is_spaced() const {
  const std::vector<double> off = off_their_places();
  for (std::size_t i = 1; i + 1 < count(); ++i)
    if (std::abs(off[i]) > spaced * std::min(to_next_[i - 1], to_next_[i])) return false;
  return true;
}

/// Displacements of images along the path towards their places, where no forces act. If images have
/// left a ridge to different sides, no force unfolds the path between them. A fold that persists,
/// as with few images, is finally left, so that the images converge. (ImageShift, padded replicas)
std::vector<double> GeodesicNeb::shifts() const {
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  std::vector<double> numbers(shift_numbers * padded);
  const std::vector<double> off = off_their_places();
  constexpr double share = 0.5;
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    const double most = 0.25 * (off[i] > 0 ? to_next_[i] : to_next_[i - 1]);
    const double shift = std::clamp(share * off[i], -most, most);
    // The sum of the ways to both neighbours is twice the way to their midpoint.
    const double to_both =
        is_folded_[i] && static_cast<Index>(i) != climbing_ && moves_ < longest_approach
            ? unfolding / 2
            : 0;
    numbers[shift_ahead * padded + i] = shift * tangent_ahead_[i] + to_both;
    numbers[shift_behind * padded + i] = shift * tangent_behind_[i] + to_both;
  }
  return numbers;
}

/// The next direction of images with a common rule.
/// @param products sums over these images
GeodesicNeb::Course GeodesicNeb::next_course(Motion& motion, const StepProducts& products,
                                             double stiffest) const {
  Course course;
  if (!motion.rests) {
    course.length = motion.length;
    course.next = motion.direction->next(
        {motion.length, motion.slope_before, motion.square_before, place(), products, stiffest});
    course.reflects = course.next.reflects;
  }
  const double steepest = std::sqrt(products.square * course.next.square);
  if (motion.rests || !(course.next.slope < -1e-6 * steepest))
    course.next = motion.direction->restart(products.square, stiffest);
  motion.rests = false;
  motion.slope_before = course.next.slope;
  motion.square_before = products.square;
  course.next_length = motion.direction->first_length(course.next);
  return course;
}

void GeodesicNeb::move() {
  const Region region("motion of a path");
  if (method_ == NebMethod::lbfgs)
    turn_together();
  else
    turn_each();
  point_.exchange_spins(turned_);
  ++moves_;
  evaluate();
  set_forces();
}

/// Moves each image by its own velocity along its force.
void GeodesicNeb::turn_each() {
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  sent_ = shifts();
  sent_.resize((neb_length_row + 1) * padded);
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    Motion& motion = motion_[i];
    const Course course = next_course(motion, products_[i], stiffness(i));
    const double longest = force_[i] * std::abs(course.next.of_gradient);
    motion.length = course.next_length;
    if (longest > 0) motion.length = std::min(motion.length, settings_.max_rotation / longest);
    sent_[neb_length_row * padded + i] = motion.length * course.next.of_gradient;
  }
  numbers_.send_part(sent_, 0);
  std::swap(point_.gradient, point_.new_gradient);
  landscape_kernels(device_).turn_images(
      device_, extent(), images_view({}),
      {numbers_.data() + neb_length_row * padded, nullptr, settings_.max_rotation},
      turned_->reals(), numbers_.data() + shift_row * padded, false);
}

/// Moves all images as one system.
void GeodesicNeb::turn_together() {
  const LandscapeKernels& kernels = landscape_kernels(device_);
  const auto padded = static_cast<std::size_t>(point_.layout().padded_replicas());
  StepProducts all;
  double stiffest = 0;
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    all += products_[i];
    stiffest = std::max(stiffest, stiffness(i));
  }
  const Course course = next_course(motion_[0], all, stiffest);
  motion_[0].length = 1;
  sent_.assign((1 + advance_numbers) * padded, 0);
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    sent_[i] = course.next_length;
    const auto set = [&](int n, double x) {
      sent_[static_cast<std::size_t>(1 + n) * padded + i] = x;
    };
    set(advance_accepts, 1);
    set(advance_length, course.length);
    set(advance_reflects, course.reflects);
    set_direction(course.next, set);
  }
  numbers_.send_part(sent_, static_cast<Index>(neb_length_row * padded));
  std::swap(point_.gradient, point_.new_gradient);
  const ImagesView images = images_view({});
  double* const longest = sums_.data() + neb_longest_row * padded;
  kernels.advance(device_, extent(), images.point, {}, numbers_.data() + neb_advance_row * padded,
                  place(), true, longest);
  kernels.turn_images(device_, extent(), images,
                      {numbers_.data() + neb_length_row * padded, longest, settings_.max_rotation},
                      turned_->reals(), nullptr, true);
}

bool GeodesicNeb::climbs_highest() const {
  return climbing_ > 0 && energy_[static_cast<std::size_t>(highest())] <=
                              energy_[static_cast<std::size_t>(climbing_)] + settings_.tolerance;
}

bool GeodesicNeb::saddle_converged() const {
  return climbs_highest() && !went_wrong() && !needs_images_ &&
         force_[static_cast<std::size_t>(climbing_)] <= settings_.tolerance &&
         (converged_ || (largest_force() <= nearly_at_rest * force_near_rest() && !missed_top() &&
                         !climbs_to_a_minimum()));
}

bool GeodesicNeb::went_wrong() const {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(energy_.begin(), energy_.end(), is_finite) ||
      !std::all_of(force_.begin(), force_.end(), is_finite))
    return true;
  const double ends = std::max(energy_.front(), energy_.back());
  const double usual = std::max(start_top_ - start_bottom_, settings_.tolerance);
  return height() - ends > too_far * usual || (is_long() && height() > start_top_);
}

bool GeodesicNeb::is_long() const { return length() > too_far * start_length_; }

double GeodesicNeb::length() const {
  return std::accumulate(to_next_.begin(), to_next_.end(), 0.0);
}

std::vector<double> GeodesicNeb::coordinates() const {
  std::vector<double> reached{0};
  for (std::size_t i = 0; i + 1 < count(); ++i) reached.push_back(reached[i] + to_next_[i]);
  return reached;
}

double GeodesicNeb::largest_field() const {
  return *std::max_element(field_.begin(), field_.end());
}

double GeodesicNeb::largest_force() const {
  return *std::max_element(force_.begin(), force_.end());
}

Index GeodesicNeb::highest() const {
  return std::max_element(energy_.begin(), energy_.end()) - energy_.begin();
}

/// Begin of the vectors of each image among the saved numbers.
std::vector<std::size_t> GeodesicNeb::firsts_of_images() const {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < count(); ++i) first.push_back(i * point_.numbers_of_replica());
  return first;
}

std::vector<double> GeodesicNeb::save() const {
  constexpr std::size_t of_image = 256;
  std::vector<double> numbers;
  numbers.reserve(point_.numbers_of_replica() * count() + of_image * (count() + 1));
  numbers.resize(point_.numbers_of_replica() * count());
  point_.save(numbers, firsts_of_images());
  save_numbers(numbers, {static_cast<double>(climbing_), static_cast<double>(searches_),
                         converged_ ? 1.0 : 0.0, needs_images_ ? 1.0 : 0.0, start_length_,
                         start_top_, start_bottom_, static_cast<double>(moves_),
                         static_cast<double>(patience_), method_ == NebMethod::lbfgs ? 1.0 : 0.0,
                         static_cast<double>(attempts_), force_at_switch_, length_at_switch_});
  if (method_ == NebMethod::lbfgs) {
    const std::vector<double> kept = kept_->save();
    numbers.insert(numbers.end(), kept.begin(), kept.end());
  }
  for (const Motion& motion : motion_) {
    save_numbers(numbers, {motion.slope_before, motion.square_before, motion.length,
                           motion.rests ? 1.0 : 0.0});
    motion.direction->save(numbers);
  }
  return numbers;
}

void GeodesicNeb::load(std::span<const double> saved) {
  point_.load(take_numbers(saved, point_.numbers_of_replica() * count()), firsts_of_images());
  climbing_ = static_cast<Index>(take_number(saved));
  searches_ = static_cast<int>(take_number(saved));
  converged_ = take_number(saved) != 0;
  needs_images_ = take_number(saved) != 0;
  for (double* number : {&start_length_, &start_top_, &start_bottom_}) *number = take_number(saved);
  for (Index* number : {&moves_, &patience_}) *number = static_cast<Index>(take_number(saved));
  use(take_number(saved) != 0 ? NebMethod::lbfgs : NebMethod::velocity_projection);
  attempts_ = static_cast<int>(take_number(saved));
  for (double* number : {&force_at_switch_, &length_at_switch_}) *number = take_number(saved);
  if (method_ == NebMethod::lbfgs) {
    const auto kept = take_numbers(saved, static_cast<std::size_t>(point_.layout().numbers()));
    kept_->load({kept.begin(), kept.end()});
  }
  for (Motion& motion : motion_) {
    for (double* number : {&motion.slope_before, &motion.square_before, &motion.length})
      *number = take_number(saved);
    motion.rests = take_number(saved) != 0;
    motion.direction->load(saved);
  }
  if (!saved.empty()) throw InternalError("a band of images has not read all of its numbers");
  evaluate();
  set_forces();
}

namespace {

/// Bytes without the path that is optimised between two images.
double bytes_alone(const NebSettings& settings, Index sites, Precision precision) {
  const SpinLayout layout{sites, settings.images};
  const bool learns = settings.method == NebMethod::lbfgs;
  return point_bytes(layout, learns, precision) +
         static_cast<double>((learns ? 2 : 1) * bytes_of_reals(precision, layout.numbers()) +
                             2 * 8 * tangent_numbers(layout));
}

}  // namespace

double band_bytes(const NebSettings& settings, Index sites, Precision precision) {
  return bytes_alone(settings, sites, precision) +
         (settings.climb ? bytes_alone({.images = images_between}, sites, precision) : 0);
}

double band_host_bytes(const NebSettings& settings, Index sites) {
  const SpinLayout layout{sites, settings.images};
  // An initial path, or one between two images, and a checkpoint, which is written from a copy.
  const Index images = std::max(settings.images, images_between);
  return 8.0 * static_cast<double>(3 * sites * images + 2 * layout.numbers()) +
         saved_point_bytes(layout, settings.method == NebMethod::lbfgs);
}

}  // namespace larmor::spins
