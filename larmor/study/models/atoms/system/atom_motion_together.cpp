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

/// BITS: steps of L-BFGS of all copies together, and the steps between two looks at them.
constexpr Index steps_together = 20, steps_between_looks = 5;

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
  Found home;
  std::optional<Found> reached{};  ///< the next state, if it has left
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

std::vector<AtomMotionTogether::Traveller> AtomMotionTogether::begin(
    std::span<const AdvanceRequest> requests) const {
  std::vector<Traveller> travellers(requests.size());
  parallel_for(device_.host_threads(), std::ssize(requests), [&](Index n) {
    const AdvanceRequest& request = requests[static_cast<std::size_t>(n)];
    Found& home = travellers[static_cast<std::size_t>(n)].home;
    const auto known = home_of_segment_.find(noise_seed(request.key));
    if (request.key.step > 0 && known != home_of_segment_.end())
      home = known->second;
    else
      home = minimum_of(
          vectors_of(request.configuration.first(static_cast<std::size_t>(numbers_of_places()))));
  });
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

void AtomMotionTogether::find_states(Copies& copies, std::vector<Traveller>& travellers) const {
  atoms::AtomState& state = copies.on_host;
  state.position = std::span<const Vec3<double>>(copies.moving.position.to_host());
  state.step = std::uint64_t{copies.moving.step};
  const Positions begin(state.position.begin(), state.position.end());
  atoms::Lbfgs minimiser(state.layout, settings_of_minima(), pairs_of_minima,
                         device_.host_threads());
  minimiser.start(state, copies.host_forces);
  std::vector<std::size_t> open(travellers.size());  // travellers that may have left
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (Index steps = 0; steps < steps_together && !open.empty(); steps += steps_between_looks) {
    minimiser.run(state, copies.host_forces, steps_between_looks);
    std::erase_if(open, [&](std::size_t n) {
      return is_at(travellers[n].home, state.positions_of(static_cast<Index>(n)),
                   minimiser.largest_forces()[n]);
    });
  }
  parallel_for(device_.host_threads(), std::ssize(open), [&](Index i) {
    Traveller& traveller = travellers[open[static_cast<std::size_t>(i)]];
    const auto atoms = static_cast<std::size_t>(numbers_of_places() / 3);
    traveller.reached = minimum_unless_at(
        traveller.home, std::span(begin).subspan(open[static_cast<std::size_t>(i)] * atoms, atoms));
  });
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
  // All calls end with the shortest one, or when a copy leaves its state.
  const Index most = std::ranges::min(requests, {}, &AdvanceRequest::steps).steps;
  Index steps = 0;
  while (steps < most && std::ranges::none_of(travellers, [](const Traveller& each) {
           return each.reached.has_value();
         })) {
    dynamics.run(copies.moving, *copies.field_of_moving, keys().timesteps_of_step);
    find_states(copies, travellers);
    ++steps;
  }
  return ended(requests, copies, travellers, steps);
}

std::vector<Advance> AtomMotionTogether::ended(std::span<const AdvanceRequest> requests,
                                               const Copies& copies,
                                               std::span<const Traveller> travellers,
                                               Index steps) const {
  const auto places = static_cast<std::size_t>(numbers_of_places());
  const std::size_t atoms = places / 3;
  Positions position = copies.moving.position.to_host();
  const Positions velocity = copies.moving.velocity.to_host();
  std::vector<Advance> advances;
  home_of_segment_.clear();
  for (std::size_t n = 0; n < requests.size(); ++n) {
    const auto& [home, reached] = travellers[n];
    const auto own = std::span(position).subspan(n * atoms, atoms);
    // A drift of all atoms would grow with each walk of a vacancy through the box.
    if (reached) {
      const Vec3<double> drift = grid().drift_of(reached->positions);
      for (Vec3<double>& each : own) each = each - drift;
    }
    put(own, requests[n].configuration.first(places));
    put(std::span(velocity).subspan(n * atoms, atoms), requests[n].configuration.subspan(places));
    const Found& end = reached ? *reached : home;
    advances.push_back({steps, end.label});
    home_of_segment_.emplace(noise_seed(requests[n].key), end);
  }
  return advances;
}

}  // namespace larmor::study
