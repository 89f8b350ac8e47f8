#pragma once
// What larmor bench glass has measured.

#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::bench {

/// Ladders of samples of a spin glass, in seconds an update of a spin.
struct GlassLaddersMeasured {
  std::string name;
  Index length = 0, rungs = 0, samples = 0;
  double alone = 0;      ///< sweeps without exchanges
  double exchanged = 0;  ///< with one after every sweep
  double measured = 0;   ///< the same, and energies by rung every some sweeps
  /// Part of the proposals that exchanged a rung with the next, of all samples [rungs - 1]
  std::vector<double> acceptance;
};

struct GlassSpeeds {
  std::string device;
  Index measured_every = 0;  ///< sweeps
  std::vector<GlassLaddersMeasured> ladders;
};

/// For `python -m larmor plot-bench`. @throws MachineError when the file cannot be written
void write_glass(const GlassSpeeds& measured, const std::string& path);

}  // namespace larmor::bench
