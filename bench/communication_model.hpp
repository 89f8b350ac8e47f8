#pragma once
// What a lattice over many ranks costs, from measurements on a few.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::bench {

/// One exchange of halos, measured: what a rank receives, and how long it takes.
struct Exchange {
  double bytes, seconds;
};

/// latency + bytes / bandwidth
struct Link {
  double latency;    ///< seconds
  double bandwidth;  ///< bytes a second that a rank receives

  double seconds(double bytes) const { return latency + bytes / bandwidth; }
};

/// Least squares of the relative deviations; neither number less than zero. @param measured of at
/// least two sizes
Link fitted(const std::vector<Exchange>& measured);

/// A step or sweep of one lattice that is cut into slabs.
struct SlabStep {
  double seconds_a_spin;  ///< on one rank
  double exchanges;       ///< a step
  double bytes_a_step;    ///< that a rank receives
  double overhead;        ///< seconds a step, whatever the size: the ends of kernels, launches
};

/// Time of a step where a rank has so many spins, of which a part at the borders is updated before
/// it is sent: the rest is updated meanwhile.
/// @param border of the updates; 1: all
double seconds_of(const SlabStep& step, double spins_of_rank, double border, const Link& link);

}  // namespace larmor::bench
