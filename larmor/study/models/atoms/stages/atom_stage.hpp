#pragma once
// Base of the stages of atoms.

#include <algorithm>

#include "larmor/study/models/atoms/system/atom_system.hpp"

namespace larmor::study {

/// Steps of one block: few enough to react to Ctrl-C. A step of an atom takes about 10 microseconds
/// on a CPU, and a tenth of this time on a GPU. @param atoms number of atoms of all replicas
constexpr Index steps_of_block(Index atoms, Backend backend) {
  const bool on_gpu = backend != Backend::cpu;
  const Index atoms_of_block = on_gpu ? 2'000'000 : 20'000, longest_block = on_gpu ? 2000 : 200;
  return std::clamp(atoms_of_block / atoms, Index{1}, longest_block);
}

/// Potentials have kernels in double precision on a CPU.
inline void require_precision(const Sizing& sizing) {
  if (sizing.device.backend == Backend::cpu && sizing.device.precision != Precision::double_numbers)
    throw InputError("atoms on a CPU need double precision",
                     sizing.study.device.where.of("precision"),
                     "use precision = \"double\", or backend = \"cuda\"");
}

}  // namespace larmor::study
