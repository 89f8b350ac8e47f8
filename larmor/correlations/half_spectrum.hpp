#pragma once
// Where wave vectors stand in the transform of real data, of which only half is stored.

#include <complex>
#include <vector>

#include "larmor/correlations/q_list.hpp"

namespace larmor::correlations {

struct HalfSpectrum {
  struct Entry {
    Index index;      ///< x + (L_x / 2 + 1) (y + L_y z)
    bool conjugated;  ///< A(-k), the conjugate, stands there
  };

  /// @throws InputError unless every q is a wave vector of the lattice
  HalfSpectrum(const lattice::Geometry& geometry, const QList& q);

  std::vector<Entry> entry;                       ///< [q]
  std::vector<std::complex<double>> basis_phase;  ///< exp(-i q.r_b), (q, basis)
};

}  // namespace larmor::correlations
