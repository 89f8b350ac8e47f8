#pragma once
// Data of local updates for kernels: plain data, the same for every instruction set and for CUDA.
//
// Words have the layout (block of groups, site, word of the site, group of the block).

#include "larmor/core/maths/philox.hpp"
#include "larmor/trotter/time_words.hpp"

namespace larmor::trotter {

/// Sites of one colour that have one table of probabilities.
struct SiteRun {
  std::int32_t first, count;  ///< among the ordered sites
  std::int32_t colour;
  std::int32_t table;  ///< table_of_site: sites of the run have different tables
};
inline constexpr std::int32_t table_of_site = -1;

/// Groups in a block on a CPU: the widest vector.
inline constexpr int lanes_of_cpu = 16;

/// A spin that its neighbours favour or not, counted: u unsatisfied bonds in its slice, t in time.
struct NeighbourClass {
  int unsatisfied, in_time;
};

/// Number of classes of sites with at most `width` bonds. With `few`, only those in which a
/// Metropolis move may be refused, if K_time is at least half the sum of the other couplings.
LARMOR_HD constexpr int class_count(int width, bool few) {
  return few ? width + 1 + (width + 1) / 2 : 3 * (width + 1);
}
LARMOR_HD constexpr NeighbourClass class_number(int width, int c) {
  return {c % (width + 1), c / (width + 1)};
}

/// Words of a class in a table: the threshold, ones if the flip is certain, ones if it is drawn.
inline constexpr int words_of_class = 3;

struct UpdateView {
  TimeWords time;
  Index groups, sites, bonds;  ///< some groups at the end may have no replicas
  int lanes;
  std::uint32_t* spins;

  const std::int32_t* order;  ///< sites by colour and table
  const std::int32_t* table;  ///< number of the table, in this order
  const SiteRun* runs;
  int run_count, colours;
  const Index* offset;  ///< the bonds of a site, as in lattice::Graph
  const std::int32_t *neighbour, *bond;

  // Counted neighbours.
  int width;  ///< room for bonds of a site; 0 if couplings are added up
  bool few;   ///< see class_count
  int tables;
  const std::uint32_t* negative;  ///< (block, bond, lane): ones if J < 0; null if none is
  /// (block, table, class, word of the class, lane); the second is for lazy sweeps
  const std::uint32_t* thresholds[2];

  // Couplings that are added up, in whole numbers of 1 / scale.
  const std::int32_t* instance;    ///< of a group
  const std::int32_t* fixed_bond;  ///< twice the coupling (instance, entry of the graph)
  const std::int32_t* fixed_site;  ///< twice the field, and twice K_time (instance, site, 2)
  const double* scale;             ///< (instance, site)
  Index entries;                   ///< of the graph
  bool is_metropolis;

  LARMOR_HD Index index_of(Index group, Index site, int word) const {
    return ((group / lanes * sites + site) * time.words + word) * lanes + group % lanes;
  }
  LARMOR_HD Index block_words() const { return sites * time.words * lanes; }
};

/// A sweep of all sites, or several.
struct LocalUpdate {
  UpdateView view;
  RandomKey key;  ///< key for the first sweep
  bool lazy;      ///< proposes each move with probability 1/2
};

}  // namespace larmor::trotter
