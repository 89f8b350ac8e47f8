#include "larmor/study/stages/configurations.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

#include "larmor/core/error.hpp"

namespace larmor::study {

double trajectory_bytes(const Sizing& sizing, Index count) {
  return 3 * sizing.system.configuration_bytes *
         static_cast<double>(std::min(count, sizing.all_replicas));
}

void append_trajectory(ResultsGroup& results, const Simulation& simulation, Index count,
                       const TrajectoryTime& when) {
  const Index kept = std::min(count, simulation.study.replicas);
  if (kept == 0) return;
  results.append("trajectory/value", simulation.system.configurations(kept, simulation.ranks));
  results.append("trajectory/step", {static_cast<double>(when.step)}, {}, "");
  results.append("trajectory/time", {when.time}, {}, when.unit);
}

void write_configurations(const Simulation& simulation, Index count, ResultsGroup& results) {
  const Index kept = std::min(count, simulation.study.replicas);
  if (kept == 0) return;
  results.write("configuration", simulation.system.configurations(kept, simulation.ranks));
}

void require_finite_energies(const Simulation& simulation, std::span<const double> energies) {
  for (std::size_t replica = 0; replica < energies.size(); ++replica) {
    if (std::isfinite(energies[replica])) continue;
    const std::string problem =
        "the energy of replica " +
        std::to_string(static_cast<Index>(replica) + simulation.ranks.share().first) +
        " is not a number";
    // A GPU gives the energies late, and each rank has them at another time. So ranks that share a
    // lattice cannot search together for the site.
    if (simulation.ranks.sharing() != nullptr)
      throw UnphysicalError(problem + "; a smaller time step is the usual remedy");
    simulation.system.require_finite();
    throw UnphysicalError(problem + ", but its state is finite; are the couplings too large?");
  }
}

double seconds_of_one(const Device& device, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  if (device.backend == Backend::cuda) {
    // The first call loads kernels, or compiles them.
    work();
    synchronise(device);
  }
  // Only the last and longest series of calls counts: by then the state no longer depends on the
  // start.
  double elapsed = 0, of_calls = 0;
  int calls = 1;
  for (; elapsed < 0.1; calls *= 2) {
    const auto start = Clock::now();
    for (int call = 0; call < calls; ++call) work();
    synchronise(device);
    of_calls = std::chrono::duration<double>(Clock::now() - start).count();
    elapsed += of_calls;
  }
  return of_calls / (calls / 2);
}

namespace {

/// Needs little more memory than the values. @param side_by_side as System::saved_side_by_side
/// gives it
template <class T>
void rearrange(std::vector<T>& values, const std::vector<Index>& source, Index side_by_side) {
  if (side_by_side == 0 || values.empty()) return;
  const Index replicas = std::ssize(source);
  const Index groups = (replicas + side_by_side - 1) / side_by_side;
  const Index width = std::ssize(values) / (groups * side_by_side);
  if (width * groups * side_by_side != std::ssize(values))
    throw InternalError("the saved values of replicas do not have one length");
  const auto place = [&](Index replica, Index n) {
    return static_cast<std::size_t>((replica / side_by_side * width + n) * side_by_side +
                                    replica % side_by_side);
  };
  constexpr Index block = 1024;
  std::vector<T> moved(static_cast<std::size_t>(replicas * std::min(block, width)));
  for (Index begin = 0; begin < width; begin += block) {
    const Index end = std::min(begin + block, width);
    auto to = moved.begin();
    for (const Index from : source)
      for (Index n = begin; n < end; ++n) *to++ = values[place(from, n)];
    to = moved.begin();
    for (Index r = 0; r < replicas; ++r)
      for (Index n = begin; n < end; ++n) values[place(r, n)] = *to++;
  }
}

template <class T>
std::vector<T> broadcast(std::vector<T> values, const Ranks& ranks) {
  if (ranks.size() == 1) return values;
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  bytes = ranks.broadcast(std::move(bytes));
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

}  // namespace

void rearrange_replicas(System& system, const std::vector<Index>& source, const Ranks& ranks) {
  Blocks blocks = system.save(ranks);
  for (auto& [name, saved] : blocks)
    std::visit(
        [&, side_by_side = system.saved_side_by_side(name)](auto& values) {
          if (ranks.is_root()) rearrange(values, source, side_by_side);
          values = broadcast(std::move(values), ranks);
        },
        saved);
  system.load(blocks, ranks);
}

}  // namespace larmor::study
