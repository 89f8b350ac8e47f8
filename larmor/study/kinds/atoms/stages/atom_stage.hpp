#pragma once
// What the stages of atoms share.

#include <algorithm>

#include "larmor/study/kinds/atoms/system/atom_system.hpp"

namespace larmor::study {

/// Steps of one portion: short enough to react to Ctrl-C, where a step takes 10 microseconds an
/// atom. @param atoms of all replicas
constexpr Index steps_of_portion(Index atoms) {
  constexpr Index atoms_of_portion = 20'000, longest_portion = 200;
  return std::clamp(atoms_of_portion / atoms, Index{1}, longest_portion);
}

/// A stage that acts on atoms, on the CPU.
class AtomStage : public Stage {
 public:
  bool needs_cpu_doubles() const final { return true; }
};

}  // namespace larmor::study
