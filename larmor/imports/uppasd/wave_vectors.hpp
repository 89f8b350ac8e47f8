#pragma once
// The wave vectors of `qpoints` and `qfile`.
//
//   F  Cartesian: phases are exp(2 pi i q.r), with r in lattice constants
//   D  in reciprocal-lattice units of the cell; words behind a wave vector are labels
//   I  Cartesian, with a weight behind each wave vector
//   C  all wave vectors of the periodic lattice

#include <vector>

#include "larmor/imports/uppasd/crystal.hpp"

namespace larmor::imports::uppasd {

struct WaveVectors {
  bool grid = false;            ///< all of the lattice, from 0 to 1
  std::vector<Vec3<double>> q;  ///< in reciprocal-lattice units of the cell
  std::vector<SourceMark> marks;
  SourceMark where;

  bool empty() const { return !grid && q.empty(); }
};

/// @throws InputError for another kind of points, or a missing, short or malformed file
WaveVectors read_wave_vectors(const InputFile& input, const UppasdCrystal& crystal);

/// Sets `q` or `grid` of a table.
void set_wave_vectors(Value& table, const WaveVectors& points);

}  // namespace larmor::imports::uppasd
