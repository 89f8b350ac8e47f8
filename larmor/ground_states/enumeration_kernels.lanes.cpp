#include "larmor/ground_states/enumeration_kernels.hpp"

#include "larmor/core/maths/pack.hpp"

namespace larmor::ground_states {
inline namespace LARMOR_ISA_NAMESPACE {

static_assert(prefixes_at_once == lane_count);

namespace {

/// Spin k of eight prefixes.
template <class Number>
struct PrefixSpins {
  std::uint64_t first;

  LARMOR_INLINE PackOf<Number> operator()(int k) const {
    PackOf<Number> spin(Number(0));
    for (int l = 0; l < lane_count; ++l)
      spin.set(l,
               (((first + static_cast<std::uint64_t>(l)) >> k) & 1U) != 0 ? Number(1) : Number(-1));
    return spin;
  }
};

template <class Number>
Number least(const EnumerationView<Number>& view, std::uint64_t first) {
  EnumerationWalk<PackOf<Number>> walk(view, PrefixSpins<Number>{first});
  PackOf<Number> found = walk.least();
  walk.run([&](const auto& visited) { found = lesser(found, visited.least()); });
  Number all = found.lane(0);
  for (int l = 1; l < lane_count; ++l) all = lesser(all, found.lane(l));
  return all;
}

template <class Number>
__attribute__((noinline)) void add_lane(const EnumerationView<Number>& view,
                                        const EnumerationWalk<PackOf<Number>>& visited, int lane,
                                        std::uint64_t first, LowStates<Number>& low) {
  Number field[low_spins];
  for (int i = 0; i < low_spins; ++i) field[i] = visited.low(i).lane(lane);
  const std::uint64_t prefix = first + static_cast<std::uint64_t>(lane);
  add_all(view.among_low, visited.energy().lane(lane), field,
          visited.bits() | prefix << (low_spins + view.middle), low);
}

template <class Number>
void count(const EnumerationView<Number>& view, std::uint64_t first, LowStates<Number>& low) {
  EnumerationWalk<PackOf<Number>> walk(view, PrefixSpins<Number>{first});
  walk.run([&](const auto& visited) {
    const PackOf<Number> found = visited.least();
    Number all = found.lane(0);
    for (int l = 1; l < lane_count; ++l) all = lesser(all, found.lane(l));
    if (!low.is_worth(all)) return;
    for (int l = 0; l < lane_count; ++l)
      if (low.is_worth(found.lane(l))) add_lane(view, visited, l, first, low);
  });
}

}  // namespace

const EnumerationKernelSet enumeration_kernels_table{{least<float>, count<float>},
                                                     {least<double>, count<double>}};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ground_states
