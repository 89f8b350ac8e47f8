#pragma once
// The updates of single spins. A new update needs a header, an include of this header, and an entry
// in the list below. The list is a macro, because it also names the enumerators of Update.

#include "larmor/spins/samplers/heat_bath_kernel.hpp"
#include "larmor/spins/samplers/metropolis_kernel.hpp"
#include "larmor/spins/samplers/over_relaxation_kernel.hpp"

/// X(enumerator of Update, struct of the update)
#define LARMOR_SPIN_UPDATES(X)    \
  X(metropolis, MetropolisUpdate) \
  X(heat_bath, HeatBathUpdate) X(over_relaxation, OverRelaxationUpdate)

namespace larmor::spins {

enum class Update {
#define LARMOR_ENUMERATOR(enumerator, Type) enumerator,
  LARMOR_SPIN_UPDATES(LARMOR_ENUMERATOR)
#undef LARMOR_ENUMERATOR
};

struct UpdateEntry {
  Update update;
  UpdateInfo info;
};

inline constexpr UpdateEntry all_updates[] = {
#define LARMOR_ENTRY(enumerator, Type) {Update::enumerator, Type::info},
    LARMOR_SPIN_UPDATES(LARMOR_ENTRY)
#undef LARMOR_ENTRY
};

constexpr const UpdateInfo& info_of(Update update) {
  return all_updates[static_cast<int>(update)].info;
}

/// Calls `work(Type{})` with the struct of an update.
template <class Work>
void with_update(Update update, const Work& work) {
  switch (update) {
#define LARMOR_CASE(enumerator, Type) \
  case Update::enumerator:            \
    return work(Type{});
    LARMOR_SPIN_UPDATES(LARMOR_CASE)
#undef LARMOR_CASE
  }
}

}  // namespace larmor::spins
