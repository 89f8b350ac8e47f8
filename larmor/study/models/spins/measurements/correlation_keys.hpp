#pragma once
// Keys that all correlations in time share, and checks that replicas share means, which connected
// correlations subtract.

#include "larmor/study/measurements/measurement_keys.hpp"
#include "larmor/study/models/spins/measurements/spin_measurements.hpp"
#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {

/// @param study with all replicas @throws InputError for fewer than two
inline void require_several_replicas(const Study& study, const SourcePosition& where) {
  if (study.replicas < 2)
    throw InputError("connected correlations need at least two replicas", where,
                     "set replicas = 2 or more, or connected = false here");
}

/// @throws InputError for replicas with couplings of their own
inline void require_replicas_alike(const Study& study, const lattice::Geometry& geometry,
                                   const SourcePosition& where) {
  if (numbers_by_replica(spin_tables(study), geometry) > 0)
    throw InputError(
        "connected correlations need a mean over replicas, but the replicas have different "
        "couplings",
        where, "give all replicas equal couplings, or set connected = false here");
}

struct CorrelationKeys : MeasurementKeys {
  /// Default of error_blocks if there are enough replicas.
  static constexpr Index usual_error_blocks = 8;
  std::string precision = "double";
  std::optional<Index> error_blocks;
  std::string window = "hann";
  std::optional<double> window_width;
  bool connected = true;
};

template <class Table>
FieldTable<Table>& add_correlation_fields(FieldTable<Table>& table) {
  return table
      .optional("precision", &Table::precision, Dimension::none,
                "precision of sums over pairs on a GPU: double, or numbers split into two halves "
                "of 11 bits (relative error 1e-6)")
      .one_of({"double", "tf32x3", "half-split"})
      .optional(
          "error_blocks", &Table::error_blocks, Dimension::none,
          "number of blocks of replicas for errors of sums over pairs. Each block is omitted in "
          "turn, in a separate sum over tiles. The calculation then takes about three times as "
          "long. The default is 8 if there are enough replicas. If 0 or 1, there are no errors")
      .at_least(0)
      .at_most(1000)
      .optional("window", &Table::window, Dimension::none,
                "weight of the time lags, 1 at lag 0 and smallest at the longest lag")
      .one_of({"none", "hann", "hamming", "gaussian", "blackman"})
      .optional("window_width", &Table::window_width, Dimension::none,
                "standard deviation of window = \"gaussian\" as a share of the longest lag. The "
                "default is 0.4")
      .positive()
      .optional("connected", &Table::connected, Dimension::none,
                "subtracts the product of the averages of both spins over replicas");
}

/// @throws InputError for keys that contradict one another
void require_consistent(const CorrelationKeys& keys);

/// @throws InputError for too few replicas for connected correlations or for errors
void require_replicas(const CorrelationKeys& keys, const Study& study);

}  // namespace larmor::study
