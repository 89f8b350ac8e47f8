#include "larmor/study/models/spins/tables/wave_vectors.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::study {
namespace {

constexpr Index most_of_a_grid = 10'000'000;

/// The largest component of a wave vector in reciprocal-lattice units. For longer wave vectors,
/// phases of distant sites lose the digits that structure factors need.
constexpr double farthest = 1e6;

void require_known_phases(const std::vector<Vec3<double>>& all) {
  for (std::size_t n = 0; n < all.size(); ++n) {
    const Vec3<double>& q = all[n];
    if (std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z)}) <= farthest) continue;
    throw InputError(
        "wave vector " + std::to_string(n + 1) + ", " + correlations::q_text(q) +
            ", lies more than a million zones away",
        "give q in units of reciprocal-lattice vectors: 0.5 is the boundary of the zone");
  }
}

void require_grid(const lattice::Geometry& geometry) {
  for (std::size_t d = 0; d < 3; ++d)
    if (geometry.is_lattice() && geometry.size[d] > 1 && !geometry.periodic[d])
      throw InputError(
          "grid requires a periodic sample, and this one is open along lattice vector " +
              std::to_string(d + 1),
          "give path = [\"Γ\", \"X\"] or q = [[..], ..]");
  if (geometry.is_lattice() && geometry.cells() > most_of_a_grid)
    throw InputError("the grid of this sample has " + std::to_string(geometry.cells()) +
                         " wave vectors, more than ten million",
                     "give path = [\"Γ\", \"X\"] or q = [[..], ..]");
}

}  // namespace

void require_one_choice(const WaveVectorKeys& keys, const std::string& table,
                        const TablePosition& where, const InsteadOfWaveVectors& instead) {
  const int ways = int(!keys.path.empty()) + int(!keys.q.empty()) + int(keys.grid);
  if (ways > 1)
    throw InputError(table + " has several of path, q and grid", where.of({"path", "q"}),
                     "give only one of path, q and grid");
  if (keys.points && keys.path.empty())
    throw InputError(table +
                         " has points without a path: points is the number of wave vectors on each "
                         "line of a path",
                     where.of("points"), "give path = [\"Γ\", \"X\"], or remove points");
  if (ways == 0 && !instead.asked)
    throw InputError(table + " lacks its wave vectors", where,
                     "give path = [\"Γ\", \"X\"], q = [[..], ..] or grid = true" +
                         (instead.remedy.empty() ? "" : "; or " + instead.remedy));
}

correlations::QList wave_vectors_of(const lattice::Geometry& geometry, const WaveVectorKeys& keys,
                                    const TablePosition& where) {
  try {
    if (!keys.path.empty()) return correlations::q_path(geometry, keys.path, keys.points);
    require_known_phases(keys.q);
    if (!keys.grid) return correlations::q_explicit(geometry, keys.q);
    require_grid(geometry);
    return correlations::q_grid(geometry);
  } catch (const InputError& error) {
    throw InputError(error.problem(), where.of({"path", "q", "grid"}), error.remedy());
  }
}

}  // namespace larmor::study
