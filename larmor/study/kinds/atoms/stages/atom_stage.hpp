#pragma once
// What the stages of atoms share.

#include "larmor/study/kinds/atoms/system/atom_system.hpp"

namespace larmor::study {

/// A stage that acts on atoms, on the CPU.
class AtomStage : public Stage {
 public:
  bool needs_cpu_doubles() const final { return true; }
};

}  // namespace larmor::study
