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
  walk.run([&](const auto& at) { found = lesser(found, at.least()); });
  Number all = found.lane(0);
  for (int l = 1; l < lane_count; ++l) all = lesser(all, found.lane(l));
  return all;
}

template <class Number>
__attribute__((noinline)) void meet_lane(const EnumerationView<Number>& view,
                                         const EnumerationWalk<PackOf<Number>>& at, int lane,
                                         std::uint64_t first, LowStates<Number>& low) {
  Number field[low_spins];
  for (int i = 0; i < low_spins; ++i) field[i] = at.low(i).lane(lane);
  const std::uint64_t prefix = first + static_cast<std::uint64_t>(lane);
  meet_all(view.among_low, at.energy().lane(lane), field,
           at.bits() | prefix << (low_spins + view.middle), low);
}

template <class Number>
void count(const EnumerationView<Number>& view, std::uint64_t first, LowStates<Number>& low) {
  EnumerationWalk<PackOf<Number>> walk(view, PrefixSpins<Number>{first});
  walk.run([&](const auto& at) {
    const PackOf<Number> found = at.least();
    Number all = found.lane(0);
    for (int l = 1; l < lane_count; ++l) all = lesser(all, found.lane(l));
    if (!low.is_worth(all)) return;
    for (int l = 0; l < lane_count; ++l)
      if (low.is_worth(found.lane(l))) meet_lane(view, at, l, first, low);
  });
}

}  // namespace

const EnumerationKernelSet enumeration_kernels_table{{least<float>, count<float>},
                                                     {least<double>, count<double>}};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ground_states
