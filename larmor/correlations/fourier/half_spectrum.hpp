#pragma once
// Positions of wave vectors in the transform of real data, of which only half is stored.

#include <array>
#include <complex>
#include <vector>

#include "larmor/correlations/fourier/q_list.hpp"

namespace larmor::correlations {

struct HalfSpectrum {
  struct Entry {
    Index index;      ///< x + n_x (y + n_y z)
    bool conjugated;  ///< the stored value is A(-k), the conjugate
  };

  /// @param halved lattice vector along which only L / 2 + 1 values are stored
  /// @throws InputError unless every q is a wave vector of the lattice
  HalfSpectrum(const lattice::Geometry& geometry, const QList& wanted, std::size_t halved = 0);

  std::array<Index, 3> size;                      ///< n_x, n_y, n_z
  std::vector<Entry> entry;                       ///< [q]
  std::vector<std::complex<double>> basis_phase;  ///< exp(-i q.r_b), (q, basis)
};

}  // namespace larmor::correlations
