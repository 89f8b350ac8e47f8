#pragma once
// The wave vectors that a table asks for: along a path, a list, or the whole grid of the sample.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/correlations/fourier/q_list.hpp"

namespace larmor::study {

/// Base of tables with wave vectors.
struct WaveVectorKeys {
  std::vector<std::string> path;
  std::optional<Index> points;
  std::vector<Vec3<double>> q;
  bool grid = false;

  bool asks_for_wave_vectors() const { return !path.empty() || !q.empty() || grid; }
};

/// @param prefix first words of each line of documentation
/// @param kinds kinds of tables to which the keys belong, as for FieldTable::of_kinds
template <class Table>
FieldTable<Table>& add_wave_vector_fields(FieldTable<Table>& table, const std::string& prefix = "",
                                          const std::vector<std::string>& kinds = {}) {
  return table
      .optional("path", &WaveVectorKeys::path, Dimension::none,
                prefix + "named points of the Brillouin zone, joined by straight lines")
      .of_kinds(kinds)
      .optional("points", &WaveVectorKeys::points, Dimension::none,
                prefix +
                    "number of wave vectors on each line of the path. If left out, all "
                    "commensurate wave vectors are taken")
      .at_least(1)
      .at_most(100000)
      .of_kinds(kinds)
      .optional("q", &WaveVectorKeys::q, Dimension::none,
                prefix + "instead of a path: explicit wave vectors in reciprocal-lattice units")
      .of_kinds(kinds)
      .optional("grid", &WaveVectorKeys::grid, Dimension::none,
                prefix + "instead of a path: every wave vector of the periodic sample")
      .of_kinds(kinds);
}

/// Results that a table may ask for in place of wave vectors.
struct InsteadOfWaveVectors {
  bool asked = false;
  std::string remedy;  ///< the keys of such results, for messages
};

/// @param table name of the table
/// @throws InputError for several of path, q and grid, for points without a path, or for a table
/// that asks for none of them and nothing else
void require_one_choice(const WaveVectorKeys& keys, const std::string& table,
                        const TablePosition& where, const InsteadOfWaveVectors& instead = {});

/// The wave vectors of a table; none if the table asks for none.
/// @throws InputError for names or a grid that the sample does not have, or for wave vectors too
/// far out for exact phases
correlations::QList wave_vectors_of(const lattice::Geometry& geometry, const WaveVectorKeys& keys,
                                    const TablePosition& where);

}  // namespace larmor::study
