#pragma once
// A lattice as planes of cells, one behind the other along one of its vectors. What is transformed
// plane by plane is a Fourier transform of the lattice after a last one along columns, across the
// planes: a column has one number of every plane, at one place of their half spectra.

#include <array>
#include <vector>

#include "larmor/core/simd/domain.hpp"
#include "larmor/correlations/fourier/half_spectrum.hpp"

namespace larmor::correlations {

struct PlanesOfCells {
  /// The last lattice vector along which there are enough planes, of enough cells each; of short
  /// ones the best. BITS: it depends on the size of the lattice alone.
  explicit PlanesOfCells(const std::array<Index, 3>& cells);

  Index count() const { return size[across]; }
  Index cells_of_plane() const { return size[fast] * size[slow]; }
  /// Of the half spectrum of a plane.
  Index half_cells() const { return (size[fast] / 2 + 1) * size[slow]; }
  /// Cells of the lattice from one along an axis to the next.
  std::array<Index, 3> strides() const { return {1, size[0], size[0] * size[1]}; }
  /// Number of a cell of the lattice, of a row of a plane.
  Index cell(Index plane, Index row, Index in_row) const {
    const std::array<Index, 3> stride = strides();
    return plane * stride[across] + row * stride[slow] + in_row * stride[fast];
  }
  /// Is this process's part of the lattice cells of whole planes? All processes say the same.
  bool are_whole(const Domain* domain) const;
  /// Planes that this process transforms. @param spins of the lattice
  std::vector<Index> own(const Domain* domain, Index spins) const;

  std::array<Index, 3> size;
  std::size_t across, fast, slow;  ///< lattice vectors; half of the spectrum along `fast` is stored
};

struct SpectrumColumn {
  struct Wanted {
    Index q;          ///< which wave vector
    Index k;          ///< its place along the column
    bool conjugated;  ///< A(-q), the conjugate, stands there
  };
  Index place;  ///< in the half spectrum of a plane
  std::vector<Wanted> wanted;
};

/// Those that wave vectors are in. @param spectrum halved along `fast`
std::vector<SpectrumColumn> columns_of(const PlanesOfCells& planes, const HalfSpectrum& spectrum);

}  // namespace larmor::correlations
