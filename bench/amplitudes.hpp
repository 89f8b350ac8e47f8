#pragma once
// Times of the methods between which `method = "auto"` chooses.

#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"

namespace larmor::bench {

/// Times for the amplitudes of `waves` wave vectors of a periodic lattice.
struct AmplitudesMeasured {
  Index wave_vectors = 0;
  double factorised = 0, fft = 0;  ///< seconds
  bool takes_fft = false;          ///< whether auto chooses the FFT
};

struct LatticeOfAmplitudes {
  std::string name;  ///< lattice type, size and number of replicas
  std::vector<AmplitudesMeasured> measured;
};

/// Measures a square lattice of length^2 spins, and a honeycomb and a cube of similar size, with
/// `replicas` replicas.
std::vector<LatticeOfAmplitudes> measured_amplitudes(const Device& device, Index length,
                                                     Index replicas);
void print_amplitudes(const LatticeOfAmplitudes& lattice);

}  // namespace larmor::bench
