#include "larmor/study/models/atoms/system/atom_motion_together.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "larmor/atoms/forces/forces_of_copy.hpp"
#include "larmor/atoms/integrators/langevin.hpp"
#include "larmor/atoms/minimisers/lbfgs.hpp"
#include "larmor/core/device/parallel.hpp"

namespace larmor::study {
namespace {

using parsplice::Advance;
using parsplice::AdvanceRequest;
using Positions = std::vector<Vec3<double>>;

/// BITS: the most steps of L-BFGS of all copies together, and of few copies together.
constexpr Index steps_of_all = 60, steps_of_few = 400;

}  // namespace

/// States and force fields for a number of copies.
struct AtomMotionTogether::Copies {
  /// Each has its own step, which minimisers increase.
  atoms::AtomState moving, relaxing, on_host;
  std::unique_ptr<atoms::ForceField> field_of_moving, field_of_relaxing;
  atoms::ForcesOfCopy host_forces;

  Copies(const AtomMotionTogether& motion, Index count)
      : moving(motion.state_of(count, motion.device_)),
        relaxing(motion.state_of(count, motion.device_)),
        on_host(motion.state_of(count, Device::cpu(motion.device_.host_threads()))),
        field_of_moving(motion.field_on(motion.device_)),
        field_of_relaxing(motion.field_on(motion.device_)),
        host_forces(relaxing, *field_of_relaxing) {}
};

struct AtomMotionTogether::Traveller {
  Found home;       ///< later the minimum at which it ended
  Index steps = 0;  ///< when it ended; 0: it goes on
};

AtomMotionTogether::AtomMotionTogether(const AtomTables& tables, const AtomMotionKeys& keys,
                                       std::span<const double> first, const Device& device)
    : AtomMotion(tables, keys, first),
      device_(device),
      copies_(usual_copies(numbers_of_places() / 3)) {}

AtomMotionTogether::~AtomMotionTogether() = default;

Index AtomMotionTogether::usual_copies(Index atoms) {
  const auto many =
      static_cast<std::uint64_t>(std::clamp(Index{60'000} / atoms, Index{2}, Index{4096}));
  return static_cast<Index>(std::bit_floor(many));
}

AtomMotionTogether::Copies& AtomMotionTogether::copies_for(Index count) const {
  // Few sizes, because each has its own memory.
  const auto size = static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(count)));
  std::unique_ptr<Copies>& copies = copies_of_count_[size];
  if (!copies) copies = std::make_unique<Copies>(*this, size);
  return *copies;
}

Advance AtomMotionTogether::advance(std::span<double> configuration, Index steps,
                                    const RandomKey& key) const {
  const AdvanceRequest request{configuration, steps, key};
  return advance_together(std::span(&request, 1))[0];
}

std::vector<AtomMotionTogether::Relaxed> AtomMotionTogether::relaxed(
    std::span<const Positions> begin, std::span<const Found* const> home, Index most_steps) const {
  std::vector<Relaxed> relaxed(begin.size());
  if (begin.empty()) return relaxed;
  Copies& copies = copies_for(std::ssize(begin));
  atoms::AtomState& state = copies.on_host;
  Positions all;
  // Copies without a structure repeat the first one.
  for (Index n = 0; n < state.layout.replicas(); ++n) {
    const Positions& own = begin[n < std::ssize(begin) ? static_cast<std::size_t>(n) : 0];
    all.insert(all.end(), own.begin(), own.end());
  }
  state.position = std::span<const Vec3<double>>(all);
  atoms::Lbfgs minimiser(state.layout, settings_of_minima(), pairs_of_minima,
                         device_.host_threads());
  minimiser.start(state, copies.host_forces);
  std::vector<std::size_t> open(begin.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (Index steps = 0; steps < most_steps && !open.empty(); steps += steps_between_looks) {
    minimiser.run(state, copies.host_forces, steps_between_looks);
    std::erase_if(open, [&](std::size_t n) {
      const auto positions = state.positions_of(static_cast<Index>(n));
      if (home[n] != nullptr && is_at(*home[n], positions, minimiser.largest_forces()[n])) {
        relaxed[n].is_at_home = true;
        return true;
      }
      if (!minimiser.convergence()[n]) return false;
      relaxed[n].minimum = labelled({positions.begin(), positions.end()});
      return true;
    });
  }
  return relaxed;
}

std::vector<AtomMotionTogether::Relaxed> AtomMotionTogether::fully_relaxed(
    std::span<const Positions> begin, std::span<const Found* const> home) const {
  std::vector<Relaxed> all = relaxed(begin, home, steps_of_few);
  parallel_for(device_.host_threads(), std::ssize(all), [&](Index i) {
    const auto n = static_cast<std::size_t>(i);
    if (all[n].is_at_home || all[n].minimum) return;
    if (home[n] == nullptr)
      all[n].minimum = minimum_of(begin[n]);
    else
      all[n].minimum = minimum_unless_at(*home[n], begin[n]);
  });
  return all;
}

std::vector<AtomMotionTogether::Traveller> AtomMotionTogether::begin(
    std::span<const AdvanceRequest> requests) const {
  std::vector<Traveller> travellers(requests.size());
  std::vector<std::size_t> unknown;
  std::vector<Positions> positions;
  for (std::size_t n = 0; n < requests.size(); ++n) {
    const auto known = home_of_segment_.find(noise_seed(requests[n].key));
    if (requests[n].key.step > 0 && known != home_of_segment_.end()) {
      travellers[n].home = known->second;
      continue;
    }
    unknown.push_back(n);
    positions.push_back(
        vectors_of(requests[n].configuration.first(static_cast<std::size_t>(numbers_of_places()))));
  }
  const std::vector<Relaxed> found =
      fully_relaxed(positions, std::vector<const Found*>(positions.size(), nullptr));
  for (std::size_t i = 0; i < unknown.size(); ++i) travellers[unknown[i]].home = *found[i].minimum;
  return travellers;
}

void AtomMotionTogether::load(std::span<const AdvanceRequest> requests, Copies& copies) const {
  const auto places = static_cast<std::size_t>(numbers_of_places());
  Positions position, velocity;
  std::vector<atoms::ReplicaKey> key;
  // Copies without a request repeat the first one.
  for (Index n = 0; n < copies.moving.layout.replicas(); ++n) {
    const AdvanceRequest& request =
        requests[n < std::ssize(requests) ? static_cast<std::size_t>(n) : 0];
    const Positions r = vectors_of(request.configuration.first(places)),
                    v = vectors_of(request.configuration.subspan(places));
    position.insert(position.end(), r.begin(), r.end());
    velocity.insert(velocity.end(), v.begin(), v.end());
    key.push_back({noise_seed(request.key), 0,
                   request.key.step * static_cast<std::uint64_t>(keys().timesteps_of_step)});
  }
  copies.moving.position = std::span<const Vec3<double>>(position);
  copies.moving.velocity = std::span<const Vec3<double>>(velocity);
  copies.moving.keys = std::span<const atoms::ReplicaKey>(key);
  copies.moving.step = 0;
}

std::vector<AtomMotionTogether::Relaxed> AtomMotionTogether::states_of(
    std::span<const Positions> begin, std::span<const Found* const> home) const {
  std::vector<Relaxed> all = relaxed(begin, home, steps_of_all);
  std::vector<std::size_t> open;
  std::vector<Positions> begin_of_open;
  std::vector<const Found*> home_of_open;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (all[n].is_at_home || all[n].minimum) continue;
    open.push_back(n);
    begin_of_open.push_back(begin[n]);
    home_of_open.push_back(home[n]);
  }
  const std::vector<Relaxed> rest = fully_relaxed(begin_of_open, home_of_open);
  for (std::size_t i = 0; i < open.size(); ++i) all[open[i]] = rest[i];
  return all;
}

void AtomMotionTogether::end_some(std::span<const AdvanceRequest> requests, const Copies& copies,
                                  Index step, std::vector<Traveller>& travellers) const {
  const Positions position = copies.moving.position.to_host(),
                  velocity = copies.moving.velocity.to_host();
  const auto places = static_cast<std::size_t>(numbers_of_places());
  const std::size_t atoms = places / 3;
  // The last check of a call is complete, so that `state` gives the label that the call returns.
  for (const bool is_last : {false, true}) {
    std::vector<std::size_t> chosen;
    std::vector<Positions> begin;
    std::vector<const Found*> home;
    for (std::size_t n = 0; n < requests.size(); ++n) {
      if (travellers[n].steps > 0 || (requests[n].steps == step) != is_last) continue;
      chosen.push_back(n);
      const auto first = position.begin() + static_cast<std::ptrdiff_t>(n * atoms);
      begin.emplace_back(first, first + static_cast<std::ptrdiff_t>(atoms));
      home.push_back(is_last ? nullptr : &travellers[n].home);
    }
    const std::vector<Relaxed> now = is_last ? fully_relaxed(begin, home) : states_of(begin, home);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::size_t n = chosen[i];
      Traveller& traveller = travellers[n];
      const bool has_left = now[i].minimum && now[i].minimum->label != traveller.home.label;
      if (!is_last && !has_left) continue;
      // A drift of all atoms would grow with each walk of a vacancy through the box.
      if (has_left) {
        const Vec3<double> drift = grid().drift_of(now[i].minimum->positions);
        for (Vec3<double>& each : begin[i]) each = each - drift;
      }
      put(begin[i], requests[n].configuration.first(places));
      put(std::span(velocity).subspan(n * atoms, atoms), requests[n].configuration.subspan(places));
      traveller.steps = step;
      traveller.home = *now[i].minimum;
    }
  }
}

std::vector<Advance> AtomMotionTogether::advance_together(
    std::span<const AdvanceRequest> requests) const {
  if (requests.empty()) return {};
  Copies& copies = copies_for(std::ssize(requests));
  std::vector<Traveller> travellers = begin(requests);
  load(requests, copies);
  const auto count = static_cast<std::size_t>(copies.moving.layout.replicas());
  atoms::Langevin dynamics(
      keys().timestep,
      {std::vector<atoms::Ramp>(count, atoms::Ramp::constant(keys().temperature)),
       std::vector<double>(count, keys().friction_time), true},
      device_.host_threads());
  dynamics.start(copies.moving, *copies.field_of_moving);
  const auto goes_on = [](const Traveller& traveller) { return traveller.steps == 0; };
  for (Index step = 1; std::ranges::any_of(travellers, goes_on); ++step) {
    dynamics.run(copies.moving, *copies.field_of_moving, keys().timesteps_of_step);
    end_some(requests, copies, step, travellers);
  }
  std::vector<Advance> advances;
  home_of_segment_.clear();
  for (std::size_t n = 0; n < requests.size(); ++n) {
    advances.push_back({travellers[n].steps, travellers[n].home.label});
    home_of_segment_.emplace(noise_seed(requests[n].key), travellers[n].home);
  }
  return advances;
}

}  // namespace larmor::study
