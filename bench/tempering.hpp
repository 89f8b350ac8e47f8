#pragma once
// What larmor bench tempering has measured.

#include <string>
#include <vector>

#include "larmor/tempering/round_trips.hpp"

namespace larmor::bench {

/// Sweeps of ladders with exchanges beside the same sweeps without.
struct ExchangeCost {
  std::string name;
  double seconds = 0;                          ///< of a sweep of all replicas
  std::vector<std::pair<Index, double>> with;  ///< sweeps between exchanges, seconds of a sweep
};

/// One way to put the rungs of a ladder.
struct SpacingMeasured {
  std::string name;
  tempering::RoundTripReport report;
  tempering::Uncertain gain;  ///< round trips over those of the geometric ladder
};

struct GlassMeasured {
  std::string name;
  std::vector<SpacingMeasured> spacings;
};

struct TemperingMeasured {
  std::string device;
  std::vector<ExchangeCost> costs;
  std::vector<GlassMeasured> glasses;
};

/// For `python -m larmor plot-bench`. @throws MachineError when the file cannot be written
void write_tempering(const TemperingMeasured& measured, const std::string& path);

}  // namespace larmor::bench
