#pragma once
// The hot CPU loops of the spin engine, compiled once per instruction set (kernels.lanes.cpp) and
// picked at run time. Everything passed is plain data, the same for every set.

#include <vector>

#include "larmor/core/device.hpp"
#include "larmor/spins/samplers/sweep_view.hpp"

namespace larmor::spins {

enum class Update { metropolis, heat_bath, over_relaxation };

/// Part of a sweep: sites [first_site, last_site) of one colour, one block of replicas.
struct UpdateRange {
  Index first_site, last_site;
  Index block;
};

struct SpinKernels {
  /// Updates a range once. @param accepted [8] (or [1]): moves accepted are added
  void (*update)(Update, const Device&, const SweepView&, const UpdateRange&, double* accepted);
  /// Energy of the forms present in the model. [padded replicas]
  std::vector<double> (*energy)(const Device&, const ModelView&, const double* spins);
  /// Sums over sites of weight * e. (3, padded replicas) @param weight width 1
  std::vector<double> (*weighted_sum)(const Device&, const SpinLayout&, const RowTable& weight,
                                      const double* spins);
  /// Fields -dH/de of every spin, in the layout of the spins.
  void (*effective_field)(const Device&, const ModelView&, const double* spins, double* field);
};

/// The kernels for this machine's instruction set.
const SpinKernels& spin_kernels();

}  // namespace larmor::spins
