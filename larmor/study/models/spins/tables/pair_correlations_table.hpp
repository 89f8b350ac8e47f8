#pragma once
// The table of a pair-correlations stage.

#include "larmor/study/models/spins/tables/displacement_choice.hpp"
#include "larmor/study/models/spins/tables/site_groups.hpp"
#include "larmor/study/models/spins/tables/wave_vectors.hpp"

namespace larmor::study {

/// `distance = { width = 1.0, bins = 40 }`
struct DistanceTable {
  static constexpr const char* name = "distance";
  double width = 0;
  Index bins = 0;
  TablePosition where;

  static FieldTable<DistanceTable> fields();
};

/// `distribution = { bins = 40, least = -1.0, greatest = 1.0 }`
struct CorrelationBinsTable {
  static constexpr const char* name = "distribution";
  /// C is at most M / (M - 1) for M >= 2 replicas.
  static constexpr double greatest_there_is = 2;
  Index bins = 40;
  double least = -1, greatest = 1;
  TablePosition where;

  static FieldTable<CorrelationBinsTable> fields();
};

struct PairCorrelationsTable : WaveVectorKeys {
  using Table = PairCorrelationsTable;
  static constexpr const char* name = "pair-correlations";
  static constexpr const char* doc =
      "correlations of the spins at the start of the stage, averaged over replicas, in sums over "
      "all pairs of sites";
  std::string kind = name;
  std::vector<DistanceTable> distance;
  std::vector<CorrelationBinsTable> distribution;
  Value displacement{false};
  Value groups{"none"};
  bool connected = false;
  std::string precision = "double";
  Index error_blocks = 8;
  TablePosition where;

  static FieldTable<Table> fields();
};

}  // namespace larmor::study
