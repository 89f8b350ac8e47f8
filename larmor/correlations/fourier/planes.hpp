#pragma once
// Positions of wave vectors in the transform of real data. Only half of such a transform is stored.
//
// PlanesOfCells divides a lattice into planes of cells, which are stacked along one lattice vector.
// The Fourier transform of the lattice has two steps: it transforms each plane, then columns across
// the planes. A column has one number from every plane, at one place in the half spectrum of each
// plane.

#include <array>
#include <complex>
#include <vector>

#include "larmor/core/simd/domain.hpp"
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

struct PlanesOfCells {
  /// Stacks planes along the last lattice vector that gives enough planes with enough cells. If
  /// there is none, stacks them along the best vector. BITS: depends only on the size of the
  /// lattice.
  explicit PlanesOfCells(const std::array<Index, 3>& cells);

  Index count() const { return size[across]; }
  Index cells_of_plane() const { return size[fast] * size[slow]; }
  /// Cells in the half spectrum of a plane.
  Index half_cells() const { return (size[fast] / 2 + 1) * size[slow]; }
  /// Stride along each axis, in cells of the lattice.
  std::array<Index, 3> strides() const { return {1, size[0], size[0] * size[1]}; }
  /// Index in the lattice of a cell in a row of a plane.
  Index cell(Index plane, Index row, Index in_row) const {
    const std::array<Index, 3> stride = strides();
    return plane * stride[across] + row * stride[slow] + in_row * stride[fast];
  }
  /// Does each process have whole planes? All processes return an equal answer.
  bool are_whole(const Domain* domain) const;
  /// Planes that this process transforms. @param spins number of spins in the lattice
  std::vector<Index> own(const Domain* domain, Index spins) const;

  std::array<Index, 3> size;
  std::size_t across, fast, slow;  ///< lattice vectors; half of the spectrum along `fast` is stored
};

struct SpectrumColumn {
  struct Wanted {
    Index q;          ///< number of the wave vector
    Index k;          ///< position along the column
    bool conjugated;  ///< the stored value is A(-q), the conjugate
  };
  Index place;  ///< position in the half spectrum of a plane
  std::vector<Wanted> wanted;
};

/// Columns that hold wave vectors. @param spectrum halved along `fast`
std::vector<SpectrumColumn> columns_of(const PlanesOfCells& planes, const HalfSpectrum& spectrum);

}  // namespace larmor::correlations
