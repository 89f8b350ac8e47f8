#include "larmor/spins/landscape/geodesic_neb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/saved_numbers.hpp"
#include "larmor/spins/landscape/neb_policy.hpp"
#include "larmor/spins/landscape/neb_springs.hpp"
#include "larmor/spins/landscape/tangent_view.hpp"

namespace larmor::spins {
namespace {

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
      turned_(std::make_unique<SpinState>(device_, point_.layout(), model.canonical())),
      numbers_(device_, neb_number_rows * point_.layout().padded_replicas()),
      sums_(device_, neb_all_rows * point_.layout().padded_replicas()),
      path_(static_cast<std::size_t>(settings.images)),
      force_(count()),
      field_(count()),
      products_(count()),
      optimiser_(count(), settings.max_rotation) {
  if (settings.method == NebMethod::lbfgs)
    before_lbfgs_ = std::make_unique<SpinState>(device_, point_.layout(), model.canonical());
  optimiser_.use(NebMethod::velocity_projection);
}

void GeodesicNeb::start(const std::vector<SiteVectors>& path) {
  store_spins(path, 0, point_.spins());
  path_.climbing = 0;
  steps_ = reselection_step_ = 0;
  searches_ = attempts_ = 0;
  converged_ = needs_images_ = false;
  optimiser_.use(NebMethod::velocity_projection);
  restart();
  start_length_ = 0;
  start_highest_ = -std::numeric_limits<double>::infinity();
  start_lowest_ = std::numeric_limits<double>::infinity();
  record_start();
}

/// Records the length of the path and its energy range at the start.
void GeodesicNeb::record_start() {
  start_length_ = std::max(start_length_, path_.length());
  start_highest_ = std::max(start_highest_, highest_point().energy);
  start_lowest_ =
      std::min(start_lowest_, *std::min_element(path_.energy.begin(), path_.energy.end()));
}

void GeodesicNeb::perturb(std::uint64_t seed, std::uint64_t step, double angle) {
  point_.spins().step = step;
  // If images left a ridge to different sides, the path would have kinks.
  spins::perturb(point_.spins(), model_->canonical(), seed, angle, 1, settings_.images - 1,
                 RandomTurns::replicas_alike);
  restart();
  record_start();
}

/// Restarts all motion from the current images.
void GeodesicNeb::restart() {
  point_.set_axes();
  optimiser_.restart();
  evaluate();
  set_forces();
}

/// Upper estimate of the second derivative of the energy across the path at an image.
double GeodesicNeb::curvature_bound(std::size_t i) const {
  // Second derivatives of a bilinear energy are at most twice the largest field. But an image at a
  // saddle may have a small field. If spins lie perpendicular to a hard axis, even all images may
  // have small fields. If an image moves sideways, its tangent turns, and a fraction of the slope
  // becomes a force across the path.
  const std::vector<double>& to_next = path_.to_next;
  const double mean = path_.length() / static_cast<double>(count() - 1);
  const double nearest =
      std::max(std::min(to_next[i - 1], to_next[i]), neb::min_gap_of_mean * mean);
  const double turning = neb::tangent_stiffness * std::abs(path_.slope[i]) / nearest;
  return std::max({2 * largest_field(), model_->largest_derivative(), turning});
}

void GeodesicNeb::evaluate() {
  const Region region("images of a path");
  const SurfaceView surface = point_.surface_at(point_.spins(), {0, 0, 0});
  landscape_kernels(device_).evaluate_images(device_, extent(), images_view(surface),
                                             sums_.data() + image_row * padded());
  const std::vector<double> found = numbers_async(sums_).take();
  const auto at = [&](int n, std::size_t image) {
    return found[static_cast<std::size_t>(image_row + n) * padded() + image];
  };
  for (std::size_t i = 0; i < count(); ++i) {
    path_.energy[i] = at(image_energy, i);
    field_[i] = std::sqrt(at(image_largest_field, i));
    path_.to_next[i] = i + 1 == count() ? 0 : std::sqrt(at(image_ahead_square, i));
  }
  for (std::size_t i = 0; i < count(); ++i)
    paths::set_tangent(path_, i,
                       {at(image_ahead_square, i), at(image_behind_square, i), at(image_both, i),
                        at(image_gradient_ahead, i), at(image_gradient_behind, i)});
  ++evaluations_;
}

void GeodesicNeb::set_forces() {
  const Region region("forces of a path");
  const LandscapeKernels& kernels = landscape_kernels(device_);
  const bool learns = method() == NebMethod::lbfgs;
  const std::vector<double> displacement =
      paths::spring_displacements(path_, settings_.spring_ratio);
  const double spring = learns ? neb::lbfgs_spring_of_field * largest_field() : 0;
  upload_.assign(force_numbers * padded(), 0);
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    const bool climbs = i == path_.climbing;
    const double across = (climbs ? 2 : 1) * path_.slope[i] + spring * displacement[i];
    upload_[across_ahead * padded() + i] = across * path_.tangent_ahead[i];
    upload_[across_behind * padded() + i] = across * path_.tangent_behind[i];
  }
  const double* const on_device = numbers_.data() + forces_row * padded();
  numbers_.send_range(upload_, static_cast<Index>(forces_row * padded()));
  const ImagesView images = images_view({});
  kernels.set_forces(device_, extent(), images, on_device, sums_.data() + force_row * padded());
  if (learns)
    kernels.multiply_history(device_, extent(), images.point,
                             sums_.data() + neb_history_row * padded());
  const std::vector<double> found = numbers_async(sums_).take();
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    const auto at = [&](int row) { return found[static_cast<std::size_t>(row) * padded() + i]; };
    const auto sum = [&](int n) { return at(force_row + n); };
    const auto of_history = [&](int n) { return at(neb_history_row + n); };
    StepProducts& products = products_[i] = products_of(sum, of_history, learns);
    // The maximum ignores NaN, but the sum does not.
    force_[i] = std::sqrt(std::isfinite(products.square) ? sum(force_largest) : products.square);
    if (!learns) {
      const double of_gradient = optimiser_.of_gradient(i);
      products.slope *= of_gradient;
      products.curvature *= of_gradient;
      products.direction_square *= of_gradient * of_gradient;
    }
  }
}

ImagesView GeodesicNeb::images_view(const SurfaceView& surface) const {
  PointView point = point_.view();
  // In velocity projection, images turn along their gradients, so they have no stored directions.
  if (method() == NebMethod::velocity_projection) point.direction = point.gradient;
  return {surface, point, ahead_.reals(), behind_.reals()};
}

/// Starts L-BFGS if the images are close to the path. L-BFGS takes forces as a gradient, which is
/// nearly true there.
void GeodesicNeb::try_lbfgs() {
  if (settings_.method != NebMethod::lbfgs || method() == NebMethod::lbfgs) return;
  const bool near = (path_.climbing > 0 || !settings_.climb) &&
                    paths::springs_balance(path_, settings_.spring_ratio) &&
                    largest_force() <= near_force() * std::pow(neb::lbfgs_retry_factor, attempts_);
  if (!near || attempts_ == neb::max_lbfgs_attempts) return;
  ++attempts_;
  landscape_kernels(device_).copy_vectors(device_, extent(), point_.spins().reals(),
                                          before_lbfgs_->reals());
  optimiser_.use(NebMethod::lbfgs);
  // In velocity projection the forces have overwritten the gradients.
  evaluate();
  set_forces();
  force_at_switch_ = largest_force();
  length_at_switch_ = path_.length();
}

bool GeodesicNeb::lbfgs_failed() const {
  return method() == NebMethod::lbfgs &&
         (largest_force() > neb::lbfgs_force_growth * force_at_switch_ ||
          path_.length() > neb::lbfgs_length_growth * length_at_switch_);
}

/// Restores the images from the start of L-BFGS.
void GeodesicNeb::undo_lbfgs() {
  optimiser_.use(NebMethod::velocity_projection);
  landscape_kernels(device_).copy_vectors(device_, extent(), before_lbfgs_->reals(),
                                          point_.spins().reals());
  restart();
}

/// The largest force at which a path counts as near convergence.
double GeodesicNeb::near_force() const {
  return std::max(neb::near_force_of_field * largest_field(),
                  neb::near_force_of_tolerance * settings_.tolerance);
}

/// The largest force on the highest image and its neighbours.
double GeodesicNeb::force_near_highest() const {
  const auto highest = static_cast<std::ptrdiff_t>(path_.highest());
  return *std::max_element(force_.begin() + std::max<std::ptrdiff_t>(highest - 1, 0),
                           force_.begin() + std::min(highest + 2, std::ssize(force_)));
}

Index GeodesicNeb::run(Index iterations) {
  Index iteration = 0;
  while (iteration < iterations && !done()) {
    if (update_climbing_image()) continue;
    if (forces_converged() && paths::springs_balance(path_, settings_.spring_ratio)) {
      search_higher_saddle();
      continue;
    }
    if (!another_is_higher()) try_lbfgs();
    move();
    if (lbfgs_failed()) undo_lbfgs();
    ++iteration;
  }
  return iteration;
}

/// Selects the first image to climb, or another image that has become higher.
/// @return true if the images have changed
bool GeodesicNeb::update_climbing_image() {
  if (settings_.climb && searches_ == 0 &&
      (force_near_highest() <= near_force() || steps_ >= neb::max_approach)) {
    ++searches_;
    select_climbing_image();
    return true;
  }
  if (!another_is_higher()) return false;
  if (method() == NebMethod::lbfgs) {
    undo_lbfgs();
    return true;
  }
  // An image that climbs on a plateau may be slower than another image that reaches the top.
  const bool others_converged =
      largest_force() <= neb::tolerance_of_other_images * settings_.tolerance;
  if (!others_converged && steps_ < reselection_step_) return false;
  climb_from(path_.highest());
  return true;
}

/// Is an image between the ends higher than the climbing image?
bool GeodesicNeb::another_is_higher() const {
  return path_.climbing > 0 && !path_.is_end(path_.highest()) && !climbing_is_highest();
}

bool GeodesicNeb::forces_converged() const {
  if (path_.climbing == 0) return largest_force() <= settings_.tolerance;
  return force_[path_.climbing] <= settings_.tolerance &&
         largest_force() <= neb::tolerance_of_other_images * settings_.tolerance;
}

/// If there are few images, the climbing image may have converged to a minimum between two saddles.
/// Or another saddle may be higher. If neither is the case, the path has converged.
void GeodesicNeb::search_higher_saddle() {
  const std::optional<GapMaximum> missed = missed_maximum();
  converged_ = path_.climbing == 0 || (!missed && !climbing_is_minimum());
  if (converged_) return;
  needs_images_ = ++searches_ > neb::max_searches;
  if (needs_images_) return;
  if (missed)
    climb_from(*missed);
  else
    select_climbing_image();
}

void GeodesicNeb::move() {
  const Region region("motion of a path");
  if (method() == NebMethod::lbfgs)
    turn_together();
  else
    turn_each();
  point_.exchange_spins(turned_);
  ++steps_;
  evaluate();
  set_forces();
}

/// Moves each image by its own velocity along its force. Also moves it along the path towards the
/// balance of its springs, and towards the midpoint of its neighbours if the path is folded. If
/// images have left a ridge to different sides, no force unfolds the path between them. After many
/// steps a fold is accepted, because a path of few images might never converge without it.
void GeodesicNeb::turn_each() {
  upload_ = reparametrisation(path_, settings_.spring_ratio, steps_ < neb::max_approach, padded());
  upload_.resize((neb_length_row + 1) * padded());
  for (std::size_t i = 1; i + 1 < count(); ++i)
    upload_[neb_length_row * padded() + i] =
        optimiser_.next_turn(i, products_[i], curvature_bound(i), force_[i]);
  numbers_.send_range(upload_, 0);
  std::swap(point_.gradient, point_.new_gradient);
  landscape_kernels(device_).turn_images(
      device_, extent(), images_view({}),
      {numbers_.data() + neb_length_row * padded(), nullptr, settings_.max_rotation},
      turned_->reals(), numbers_.data() + shift_row * padded(), false);
}

/// Moves all images as one system.
void GeodesicNeb::turn_together() {
  const LandscapeKernels& kernels = landscape_kernels(device_);
  StepProducts all;
  double largest_bound = 0;
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    all += products_[i];
    largest_bound = std::max(largest_bound, curvature_bound(i));
  }
  const auto place = static_cast<int>(steps_ % history_length);
  const NebOptimiser::Step step = optimiser_.next_step(all, largest_bound, place);
  upload_.assign((1 + advance_numbers) * padded(), 0);
  for (std::size_t i = 1; i + 1 < count(); ++i) {
    upload_[i] = step.length;
    const auto set = [&](int n, double x) {
      upload_[static_cast<std::size_t>(1 + n) * padded() + i] = x;
    };
    set(advance_accepts, 1);
    set(advance_length, step.last_length);
    set(advance_reflects, step.reflects);
    set_direction(step.direction, set);
  }
  numbers_.send_range(upload_, static_cast<Index>(neb_length_row * padded()));
  std::swap(point_.gradient, point_.new_gradient);
  const ImagesView images = images_view({});
  double* const longest = sums_.data() + neb_longest_row * padded();
  kernels.advance(device_, extent(), images.point, {}, numbers_.data() + neb_advance_row * padded(),
                  place, true, longest);
  kernels.turn_images(
      device_, extent(), images,
      {numbers_.data() + neb_length_row * padded(), longest, settings_.max_rotation},
      turned_->reals(), nullptr, true);
}

bool GeodesicNeb::saddle_converged() const {
  return climbing_is_highest() && !has_failed() && !needs_images_ &&
         force_[path_.climbing] <= settings_.tolerance &&
         (converged_ || (largest_force() <= neb::unconverged_path_factor * near_force() &&
                         !missed_maximum() && !climbing_is_minimum()));
}

bool GeodesicNeb::has_failed() const {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(path_.energy.begin(), path_.energy.end(), is_finite) ||
      !std::all_of(force_.begin(), force_.end(), is_finite))
    return true;
  const double usual = std::max(start_highest_ - start_lowest_, settings_.tolerance);
  return height() - path_.higher_end() > neb::failure_growth * usual ||
         (has_lengthened() && height() > start_highest_);
}

bool GeodesicNeb::has_lengthened() const {
  return path_.length() > neb::failure_growth * start_length_;
}

/// Index of the first saved number of the vectors of each image.
std::vector<std::size_t> GeodesicNeb::offsets_of_images() const {
  std::vector<std::size_t> offset;
  for (std::size_t i = 0; i < count(); ++i) offset.push_back(i * point_.numbers_of_replica());
  return offset;
}

std::vector<double> GeodesicNeb::save() const {
  // A generous bound for the numbers of an image in addition to its vectors. With this capacity,
  // `numbers` is not copied while it grows.
  constexpr std::size_t of_image = 256;
  std::vector<double> numbers;
  numbers.reserve(point_.numbers_of_replica() * count() + of_image * (count() + 1));
  numbers.resize(point_.numbers_of_replica() * count());
  point_.save(numbers, offsets_of_images());
  save_numbers(numbers,
               {static_cast<double>(path_.climbing), static_cast<double>(searches_),
                converged_ ? 1.0 : 0.0, needs_images_ ? 1.0 : 0.0, start_length_, start_highest_,
                start_lowest_, static_cast<double>(steps_), static_cast<double>(reselection_step_),
                method() == NebMethod::lbfgs ? 1.0 : 0.0, static_cast<double>(attempts_),
                force_at_switch_, length_at_switch_});
  if (method() == NebMethod::lbfgs) {
    const std::vector<double> kept = before_lbfgs_->save();
    numbers.insert(numbers.end(), kept.begin(), kept.end());
  }
  optimiser_.save(numbers);
  return numbers;
}

void GeodesicNeb::load(std::span<const double> saved) {
  point_.load(take_numbers(saved, point_.numbers_of_replica() * count()), offsets_of_images());
  path_.climbing = static_cast<std::size_t>(take_number(saved));
  searches_ = static_cast<int>(take_number(saved));
  converged_ = take_number(saved) != 0;
  needs_images_ = take_number(saved) != 0;
  for (double* number : {&start_length_, &start_highest_, &start_lowest_})
    *number = take_number(saved);
  for (Index* number : {&steps_, &reselection_step_})
    *number = static_cast<Index>(take_number(saved));
  optimiser_.use(take_number(saved) != 0 ? NebMethod::lbfgs : NebMethod::velocity_projection);
  attempts_ = static_cast<int>(take_number(saved));
  for (double* number : {&force_at_switch_, &length_at_switch_}) *number = take_number(saved);
  if (method() == NebMethod::lbfgs) {
    const auto kept = take_numbers(saved, static_cast<std::size_t>(point_.layout().numbers()));
    before_lbfgs_->load({kept.begin(), kept.end()});
  }
  optimiser_.load(saved);
  if (!saved.empty()) throw InternalError("a band of images has not read all of its numbers");
  evaluate();
  set_forces();
}

namespace {

/// Bytes of a path, without the further path that is optimised between two of its images.
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
         (settings.climb ? bytes_alone({.images = neb::gap_images}, sites, precision) : 0);
}

double band_host_bytes(const NebSettings& settings, Index sites) {
  const SpinLayout layout{sites, settings.images};
  // Memory for an initial path or a path between two images, for a checkpoint, and for the copy
  // from which a checkpoint is written.
  const Index images = std::max(settings.images, neb::gap_images);
  return 8.0 * static_cast<double>(3 * sites * images + 2 * layout.numbers()) +
         saved_point_bytes(layout, settings.method == NebMethod::lbfgs);
}

}  // namespace larmor::spins
