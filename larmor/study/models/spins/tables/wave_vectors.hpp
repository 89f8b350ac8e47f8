#pragma once
// The wave vectors that a table asks for: along a path, a list, or the whole grid of the sample.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/correlations/fourier/q_list.hpp"

namespace larmor::study {

/// Tables that take wave vectors derive from it.
struct WaveVectorKeys {
  std::vector<std::string> path;
  std::optional<Index> points;
  std::vector<Vec3<double>> q;
  bool grid = false;

  bool asks_for_wave_vectors() const { return !path.empty() || !q.empty() || grid; }
};

/// @param of begins each line of documentation
/// @param kinds of tables that the keys belong to, as FieldTable::of_kinds takes them
template <class Table>
FieldTable<Table>& add_wave_vector_fields(FieldTable<Table>& table, const std::string& of = "",
                                          const std::vector<std::string>& kinds = {}) {
  return table
      .optional("path", &WaveVectorKeys::path, Dimension::none,
                of + "named points of the Brillouin zone, joined by straight lines")
      .of_kinds(kinds)
      .optional("points", &WaveVectorKeys::points, Dimension::none,
                of + "wave vectors on each line of the path; all commensurate ones if left out")
      .at_least(1)
      .at_most(100000)
      .of_kinds(kinds)
      .optional("q", &WaveVectorKeys::q, Dimension::none,
                of + "instead of a path: explicit wave vectors in reciprocal-lattice units")
      .of_kinds(kinds)
      .optional("grid", &WaveVectorKeys::grid, Dimension::none,
                of + "instead of a path: every wave vector of the periodic sample")
      .of_kinds(kinds);
}

/// What else a table may ask for.
struct InsteadOfWaveVectors {
  bool asked = false;
  std::string remedy;  ///< its keys, as messages name them
};

/// @param of the table's name
/// @throws InputError for several of path, q and grid, for points of no path, or for none and
/// nothing instead
void require_one_choice(const WaveVectorKeys& keys, const std::string& of,
                        const TablePosition& where, const InsteadOfWaveVectors& instead = {});

/// None where the table asks for none.
/// @throws InputError for what the sample does not have: names, or a grid; for wave vectors farther
/// out than phases are known
correlations::QList wave_vectors_of(const lattice::Geometry& geometry, const WaveVectorKeys& keys,
                                    const TablePosition& where);

}  // namespace larmor::study
