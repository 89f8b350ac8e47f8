#pragma once
// Lists of wave vectors: paths through named points, whole grids, explicit lists.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "larmor/lattice/geometry.hpp"

namespace larmor::correlations {

struct QList {
  std::vector<Vec3<double>> q;          ///< reciprocal-lattice units
  std::vector<Vec3<double>> cartesian;  ///< 1 / length
  std::vector<double> distance;  ///< distance along the path, 1 / length; for a grid, the index
  std::vector<Index> label_index;
  std::vector<std::string> label_text;
  /// Extents of a whole grid, the first varying fastest; 0: not a grid.
  std::array<Index, 3> grid{0, 0, 0};

  Index size() const { return static_cast<Index>(q.size()); }
};

/// Wave vectors on straight lines through named points. If `points` is not given, they are all wave
/// vectors of the periodic lattice on the line. If the ends of a line are not such vectors, the
/// line has 50.
/// @param points number of wave vectors on each line, without the end of the line
/// @throws InputError for fewer than two names, a name unknown to the lattice, or points < 1
QList q_path(const lattice::Geometry& geometry, const std::vector<std::string>& names,
             const std::optional<Index>& points);

QList q_explicit(const lattice::Geometry& geometry, const std::vector<Vec3<double>>& q);

/// Every wave vector of the lattice. @throws InputError for plain positions
QList q_grid(const lattice::Geometry& geometry);

/// "[0.5, 0, 0]"
std::string q_text(const Vec3<double>& q);

/// Each q divided by 2 pi, (wave vector, 3).
std::vector<double> turns_of(const QList& q);

/// Is q_d size_d a whole number for every d (within 1e-9)?
bool is_commensurate(const lattice::Geometry& geometry, const Vec3<double>& q);

/// Replaces each wave vector by the nearest commensurate one, for methods that accept only
/// commensurate wave vectors. The tolerance is lattice::input_tolerance, and at most a tenth of the
/// distance to the next vector.
/// @return which wave vector is the first that is too far from all commensurate ones; nothing if
/// all are near enough
std::optional<Index> make_commensurate(const lattice::Geometry& geometry, QList& list);

}  // namespace larmor::correlations
