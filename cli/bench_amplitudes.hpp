#pragma once
// What `method = "auto"` chooses between, measured.

#include <vector>

#include "larmor/core/device.hpp"

namespace larmor::cli {

/// Amplitudes of so many wave vectors of a periodic lattice.
struct AmplitudesMeasured {
  Index wave_vectors = 0;
  double factorised = 0, fft = 0;  ///< seconds
  bool takes_fft = false;          ///< does auto?
};

/// Of a square lattice of length^2 spins, of so many replicas.
std::vector<AmplitudesMeasured> measured_amplitudes(const Device& device, Index length,
                                                    Index replicas);
void print_amplitudes(Index length, Index replicas,
                      const std::vector<AmplitudesMeasured>& measured);

}  // namespace larmor::cli
