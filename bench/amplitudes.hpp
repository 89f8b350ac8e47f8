#pragma once
// What `method = "auto"` chooses between, measured.

#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"

namespace larmor::bench {

/// Amplitudes of so many wave vectors of a periodic lattice.
struct AmplitudesMeasured {
  Index wave_vectors = 0;
  double factorised = 0, fft = 0;  ///< seconds
  bool takes_fft = false;          ///< does auto?
};

struct LatticeOfAmplitudes {
  std::string name;  ///< with its size and replicas
  std::vector<AmplitudesMeasured> measured;
};

/// Of a square lattice of length^2 spins, and of a honeycomb and a cube of about as many, of so
/// many replicas.
std::vector<LatticeOfAmplitudes> measured_amplitudes(const Device& device, Index length,
                                                     Index replicas);
void print_amplitudes(const LatticeOfAmplitudes& lattice);

}  // namespace larmor::bench
