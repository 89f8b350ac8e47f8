#pragma once
// Results of larmor bench glass.

#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::bench {

/// Times of ladders of samples of a spin glass, in seconds an update of a spin.
struct GlassLaddersMeasured {
  std::string name;
  Index length = 0, rungs = 0, samples = 0;
  double alone = 0;      ///< sweeps without exchanges
  double exchanged = 0;  ///< with exchanges after every sweep
  double measured = 0;   ///< with exchanges, and energies by rung every `measured_every` sweeps
  /// Accepted fraction of the exchanges of each rung with the next rung, over all samples [rungs -
  /// 1]
  std::vector<double> acceptance;
};

struct GlassSpeeds {
  std::string device;
  Index measured_every = 0;  ///< sweeps
  std::vector<GlassLaddersMeasured> ladders;
};

/// Writes a file for `larmor plot-bench`.
/// @throws MachineError if the file cannot be written
void write_glass(const GlassSpeeds& measured, const std::string& path);

}  // namespace larmor::bench
