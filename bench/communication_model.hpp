#pragma once
// A model of the time of a lattice on many ranks, from measurements on a few.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::bench {

/// One measured exchange of halos: bytes that a rank receives, and their time.
struct Exchange {
  double bytes, seconds;
};

/// A link between ranks, on which a message takes the time latency + bytes / bandwidth.
struct Link {
  double latency;    ///< seconds
  double bandwidth;  ///< bytes a second that a rank receives

  double seconds(double bytes) const { return latency + bytes / bandwidth; }
};

/// Fits a link by least squares of the relative deviations. Latency and bandwidth are at least
/// zero.
/// @param measured exchanges of at least two sizes
Link fitted(const std::vector<Exchange>& measured);

/// A step or sweep of one lattice that is divided into slabs.
struct SlabStep {
  double seconds_a_spin;  ///< on one rank
  double exchanges;       ///< number of exchanges in a step
  double bytes_a_step;    ///< bytes that a rank receives in a step
  double overhead;        ///< seconds a step, independent of size: ends of kernels, launches
};

/// Time of a step if a rank has `spins_of_rank` spins. A rank first updates the spins at its
/// borders. It sends them while it updates the rest.
/// @param border fraction of the updates at the borders; 1: all
double seconds_of(const SlabStep& step, double spins_of_rank, double border, const Link& link);

}  // namespace larmor::bench
