#pragma once
// Results of larmor bench tempering.

#include <string>
#include <vector>

#include "larmor/tempering/round_trips.hpp"

namespace larmor::bench {

/// Times of sweeps of ladders with and without exchanges.
struct ExchangeCost {
  std::string name;
  double seconds = 0;                          ///< seconds of a sweep of all replicas, without
                                               ///< exchanges
  std::vector<std::pair<Index, double>> with;  ///< sweeps between exchanges, and seconds of a sweep
};

/// Result for one spacing of the rungs of a ladder.
struct SpacingMeasured {
  std::string name;
  tempering::RoundTripReport report;
  tempering::Uncertain gain;  ///< round trips relative to those of the geometric ladder
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

/// Writes a file for `larmor plot-bench`.
/// @throws MachineError if the file cannot be written
void write_tempering(const TemperingMeasured& measured, const std::string& path);

}  // namespace larmor::bench
