#include "larmor/particles/motion.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/core/maths/normal.hpp"
#include "larmor/parsplice/state_label.hpp"

namespace larmor::particles {
namespace {

using parsplice::Configuration;
using parsplice::StateLabel;

/// Timesteps of one call, about a millisecond.
constexpr Index timesteps_of_call = 5000;

/// Minima closer than this share of L are one state.
constexpr double grid = 1e-3;

/// The place of a minimum in steps of the grid.
std::vector<Index> steps_to(const Minimum& minimum, double length) {
  std::vector<Index> steps;
  for (const double x : minimum.place)
    steps.push_back(static_cast<Index>(std::llround(x / (grid * length))));
  return steps;
}

/// Calls work(c, normal) for each coordinate with a standard normal number of this timestep.
template <class Work>
void for_each_noise(std::size_t coordinates, const RandomKey& key, const Work& work) {
  for (std::size_t first = 0; first < coordinates; first += 3) {
    const Vec3<double> normal =
        normal_vector<double>(philox(key, std::uint64_t{first / 3}, std::uint64_t{0}));
    work(first, normal.x);
    if (first + 1 < coordinates) work(first + 1, normal.y);
    if (first + 2 < coordinates) work(first + 2, normal.z);
  }
}

}  // namespace

Motion::Worker::Worker(const MotionKeys& keys)
    : potential(keys.potential), gradient(keys.potential.coordinates.size()) {
  if (keys.state) state.emplace(*keys.state, keys.potential.coordinates, keys.potential.parameters);
}

Motion::Motion(const MotionKeys& keys)
    : keys_(keys),
      coordinates_(keys.potential.coordinates.size()),
      workers_([this] { return std::make_unique<Worker>(keys_); }) {
  workers_.borrow();  // throws
}

Index Motion::numbers() const { return numbers_of_places() * (keys_.friction ? 2 : 1); }
Index Motion::numbers_of_places() const { return static_cast<Index>(coordinates_); }
Index Motion::most_steps_of_call() const {
  return std::max<Index>(1, timesteps_of_call / keys_.timesteps_of_step);
}

double Motion::energy(std::span<const double> configuration) const {
  return workers_.borrow()->potential.energy(configuration.first(coordinates_));
}

StateLabel Motion::state(std::span<const double> configuration) const {
  return state_of(*workers_.borrow(), configuration);
}

StateLabel Motion::state_of(Worker& worker, std::span<const double> configuration) const {
  const std::span<const double> place = configuration.first(coordinates_);
  if (!worker.state)
    return parsplice::label_of(
        steps_to(worker.potential.minimum_near(place), worker.potential.length()));
  const double number = (*worker.state)(place);
  if (!(std::abs(number) < 1e15) || number != std::round(number))
    throw UnphysicalError("the formula of states gives " + number_text(number) + " at " +
                          text_of(place) + "; give a formula of whole numbers, such as \"x > 0\"");
  return static_cast<StateLabel>(static_cast<Index>(number));
}

Configuration Motion::reference(std::span<const double> configuration) const {
  const auto worker = workers_.borrow();
  const double length = worker->potential.length();
  std::vector<double> place;
  for (const Index steps :
       steps_to(worker->potential.minimum_near(configuration.first(coordinates_)), length))
    place.push_back(static_cast<double>(steps) * grid * length);
  Configuration reference = worker->potential.minimum_near(place).place;
  if (state_of(*worker, reference) != state_of(*worker, configuration))
    throw UnphysicalError("the steepest descent from " +
                          text_of(configuration.first(coordinates_)) + " ends at " +
                          text_of(reference) +
                          " in another state; give a formula of states whose regions are those of "
                          "the minima");
  reference.resize(static_cast<std::size_t>(numbers()));
  return reference;
}

parsplice::Advance Motion::advance(std::span<double> configuration, Index steps,
                                   const RandomKey& key) const {
  const auto worker = workers_.borrow();
  const StateLabel home = state_of(*worker, configuration);
  StateLabel now = home;
  Index done = 0;
  RandomKey of_timestep = key;
  const auto n = static_cast<std::uint64_t>(keys_.timesteps_of_step);
  const std::span<double> x = configuration.first(coordinates_);
  const std::span<double> v = configuration.subspan(coordinates_);
  if (keys_.friction) worker->potential.gradient(x, worker->gradient);
  while (done < steps && now == home) {
    of_timestep.step = (key.step + static_cast<std::uint64_t>(done++)) * n;
    for (std::uint64_t i = 0; i < n; ++i, ++of_timestep.step) {
      if (keys_.friction)
        move(*worker, x, v, of_timestep);
      else
        diffuse(*worker, x, of_timestep);
    }
    if (!std::ranges::all_of(x, [](double place) { return std::isfinite(place); }))
      throw UnphysicalError("the place of a particle is not finite; try a shorter timestep");
    now = state_of(*worker, configuration);
  }
  return {done, now};
}

void Motion::diffuse(Worker& worker, std::span<double> x, const RandomKey& key) const {
  const double drift = keys_.diffusion / keys_.thermal_energy * keys_.timestep;
  const double spread = std::sqrt(2 * keys_.diffusion * keys_.timestep);
  worker.potential.gradient(x, worker.gradient);
  for_each_noise(coordinates_, key, [&](std::size_t c, double normal) {
    x[c] += spread * normal - drift * worker.gradient[c];
  });
}

/// The gradient of the worker is that at x, before and after.
void Motion::move(Worker& worker, std::span<double> x, std::span<double> v,
                  const RandomKey& key) const {
  const double dt = keys_.timestep, keep = std::exp(-*keys_.friction * dt);
  const double spread = std::sqrt((1 - keep * keep) * keys_.thermal_energy);
  for_each_noise(coordinates_, key, [&](std::size_t c, double normal) {
    v[c] -= dt / 2 * worker.gradient[c];
    x[c] += dt / 2 * v[c];
    v[c] = keep * v[c] + spread * normal;
    x[c] += dt / 2 * v[c];
  });
  worker.potential.gradient(x, worker.gradient);
  for (std::size_t c = 0; c < coordinates_; ++c) v[c] -= dt / 2 * worker.gradient[c];
}

}  // namespace larmor::particles
