#include "larmor/atoms/paths/nudged_band.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "larmor/atoms/system/replica_sums.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/saved_numbers.hpp"
#include "larmor/paths/springs.hpp"

namespace larmor::atoms {
namespace {

/// Force of the springs per way to their balance, eV/Angstrom^2. It is similar to the curvature of
/// the energy of soft modes, so springs do not shorten the steps of FIRE.
constexpr double spring = 5;
/// An image climbs as soon as no force is larger than this, eV/Angstrom. Before, the highest image
/// may be far from the saddle.
constexpr double near_force = 0.3;
/// After this many steps, an image climbs in any case.
constexpr Index longest_approach = 500;
/// Factor in the tolerance of other images: the barrier depends only on the climbing image.
constexpr double tolerance_of_other_images = 10;
/// Another image may climb after `reselection_growth` times the steps so far, plus
/// `reselection_delay`. So the climbing image changes ever more rarely.
constexpr Index reselection_growth = 2, reselection_delay = 50;

/// FIRE itself never ends, because springs and forces across the path have other tolerances.
MinimiserSettings endless(const BandSettings& settings) {
  MinimiserSettings endless;
  endless.tolerance = std::numeric_limits<double>::min();
  endless.max_step = settings.max_step;
  return endless;
}

/// The atoms of all images as one replica. FIRE uses neither its types nor its box.
AtomState joint_state(const AtomLayout& layout) {
  const auto atoms = static_cast<std::size_t>(layout.atoms());
  const Structure joint{{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {false, false, false}},
                        std::vector<Vec3<double>>(atoms),
                        std::vector<std::int32_t>(atoms)};
  return AtomState(AtomUnits::reduced(), std::vector<double>{1}, {&joint, 1});
}

}  // namespace

BandForces::BandForces(const AtomLayout& layout, const BandSettings& settings, int threads)
    : settings_(settings),
      threads_(threads),
      path_(static_cast<std::size_t>(layout.replicas())),
      largest_force_(path_.images()) {}

void BandForces::evaluate(AtomState& joint) {
  images_->position = joint.position;
  field_->evaluate(*images_);
  find_tangents();
  set_forces(joint);
  joint.energy[0] = std::accumulate(path_.energy.begin(), path_.energy.end(), 0.0);
}

void BandForces::find_tangents() {
  const AtomState& images = *images_;
  const Index atoms = images.layout.atoms_of(0), all = images.layout.atoms();
  const auto sums = sums_of_replicas<5>(images.layout, threads_, [&](Index atom) {
    const auto at = [&](Index other) {
      return images.position[static_cast<std::size_t>(other)] -
             images.position[static_cast<std::size_t>(atom)];
    };
    const Vec3<double> ahead = atom + atoms < all ? at(atom + atoms) : Vec3<double>{},
                       behind = atom >= atoms ? at(atom - atoms) : Vec3<double>{},
                       gradient = -images.force[static_cast<std::size_t>(atom)];
    return std::array{dot(ahead, ahead), dot(behind, behind), dot(ahead, behind),
                      dot(gradient, ahead), dot(gradient, behind)};
  });
  for (std::size_t i = 0; i < path_.images(); ++i) {
    path_.energy[i] = images.energy[i];
    path_.to_next[i] = std::sqrt(sums[i][0]);
  }
  for (std::size_t i = 0; i < path_.images(); ++i)
    set_tangent(path_, i, {sums[i][0], sums[i][1], sums[i][2], sums[i][3], sums[i][4]});
}

void BandForces::set_forces(AtomState& joint) {
  std::vector<double> along = path_.slope;
  if (path_.climbing > 0) along[path_.climbing] *= 2;
  joint.force = images_->force;
  add_along_path(along, joint);
  for_each_atom(images_->layout, threads_, [&](Index image, Index atom) {
    if (path_.is_end(static_cast<std::size_t>(image)))
      joint.force[static_cast<std::size_t>(atom)] = {};
  });
  largest_force_ = largest_of_atoms(images_->layout, joint.force, threads_);
  std::vector<double> pull = paths::spring_displacements(path_, settings_.spring_ratio);
  for (double& x : pull) x *= spring;
  add_along_path(pull, joint);
}

/// Adds vectors along the tangents to the forces between the ends. @param length [images]
void BandForces::add_along_path(const std::vector<double>& length, AtomState& joint) const {
  const AtomState& images = *images_;
  const Index atoms = images.layout.atoms_of(0);
  for_each_atom(images.layout, threads_, [&](Index image, Index atom) {
    const auto i = static_cast<std::size_t>(image);
    if (path_.is_end(i)) return;
    const auto position = [&](Index other) {
      return images.position[static_cast<std::size_t>(other)];
    };
    const Vec3<double> tangent =
        path_.tangent_ahead[i] * (position(atom + atoms) - position(atom)) +
        path_.tangent_behind[i] * (position(atom - atoms) - position(atom));
    joint.force[static_cast<std::size_t>(atom)] += length[i] * tangent;
  });
}

NudgedBand::NudgedBand(const AtomLayout& layout, const BandSettings& settings, int threads)
    : settings_(settings),
      forces_(layout, settings, threads),
      joint_(joint_state(layout)),
      fire_(joint_.layout, endless(settings), threads) {
  if (!(settings.tolerance > 0))
    throw InputError("the tolerance of a path is " + number_text(settings.tolerance),
                     "give a positive number");
  if (layout.replicas() < 3)
    throw InputError("a path has " + std::to_string(layout.replicas()) + " images",
                     "give three images or more");
}

void NudgedBand::start(AtomState& images, ForceField& field) {
  forces_.use(images, field);
  forces_.let_climb(0);
  steps_ = reselection_step_ = 0;
  joint_.position = images.position;
  fire_.start(joint_, forces_);
}

void NudgedBand::evaluate(AtomState& images, ForceField& field) {
  forces_.use(images, field);
  joint_.position = images.position;
  forces_.evaluate(joint_);
}

Index NudgedBand::run(AtomState& images, ForceField& field, Index iterations) {
  forces_.use(images, field);
  Index made = 0;
  for (; made < iterations; ++made) {
    if (select_climbing_image()) fire_.start(joint_, forces_);
    if (converged()) break;
    fire_.run(joint_, forces_, 1);
    ++images.step;
    ++steps_;
  }
  return made;
}

/// Selects the first image to climb, or another image that has become higher.
/// @return true if the climbing image has changed
bool NudgedBand::select_climbing_image() {
  const std::size_t highest = path().highest(), climbing = path().climbing;
  if (!settings_.climb || path().is_end(highest) || highest == climbing) return false;
  if (climbing == 0) {
    if (largest_force() > near_force && steps_ < longest_approach) return false;
  } else if (climbing_is_highest() || steps_ < reselection_step_) {
    return false;
  }
  forces_.let_climb(highest);
  reselection_step_ = reselection_growth * steps_ + reselection_delay;
  return true;
}

double NudgedBand::largest_force() const { return *std::ranges::max_element(forces()); }

bool NudgedBand::saddle_converged() const {
  const std::size_t climbing = path().climbing;
  return climbing > 0 && climbing_is_highest() && forces()[climbing] <= settings_.tolerance;
}

/// Is no image clearly higher than the climbing one? The work of a force within the tolerance on
/// the way to the next image does not count.
bool NudgedBand::climbing_is_highest() const {
  const std::size_t climbing = path().climbing;
  return path().height() <=
         path().energy[climbing] + settings_.tolerance * path().to_next[climbing];
}

bool NudgedBand::converged() const {
  if (!paths::springs_balance(path(), settings_.spring_ratio)) return false;
  if (path().climbing > 0)
    return saddle_converged() && largest_force() <= tolerance_of_other_images * settings_.tolerance;
  return largest_force() <= settings_.tolerance;
}

std::vector<double> NudgedBand::save() const {
  std::vector<double> out = fire_.save();
  save_numbers(out, {static_cast<double>(path().climbing), static_cast<double>(steps_),
                     static_cast<double>(reselection_step_)});
  return out;
}

void NudgedBand::load(std::span<const double> saved, AtomState& images, ForceField& field) {
  std::span<const double> own = saved.last(3);
  fire_.load(saved.first(saved.size() - own.size()));
  forces_.let_climb(static_cast<std::size_t>(take_number(own)));
  for (Index* number : {&steps_, &reselection_step_})
    *number = static_cast<Index>(take_number(own));
  evaluate(images, field);
}

double band_bytes(Index atoms) {
  // The joint state has positions, velocities, forces and types.
  return minimiser_bytes(atoms, 0) + 76.0 * static_cast<double>(atoms);
}

}  // namespace larmor::atoms
