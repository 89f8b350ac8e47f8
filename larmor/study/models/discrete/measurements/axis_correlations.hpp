#pragma once
// Correlations along the axes of a grid,
//
//     C(r) = <s_i s_j>,   for Potts states  (q <delta(s_i, s_j)> - 1) / (q - 1),
//
// averaged over all pairs of sites at a distance r along an axis. The sums count pairs in equal
// states.

#include <memory>

#include "larmor/core/input/fields.hpp"
#include "larmor/ising/measures/grid_sums.hpp"
#include "larmor/study/measurements/binned_numbers.hpp"
#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/models/discrete/system/discrete_sites.hpp"

namespace larmor::study {

struct AxisCorrelationsTable {
  static constexpr const char* name = "measure";
  std::string what;
  std::optional<Index> distance;
  TablePosition where;

  static FieldTable<AxisCorrelationsTable> fields();
};

class AxisCorrelations : public Measurement {
 public:
  using Table = AxisCorrelationsTable;
  static constexpr const char* name = "axis-correlations";
  static constexpr const char* doc = "correlations along every axis of a grid, by distance";

  AxisCorrelations(const Table& table, const MeasureContext& context);

  /// @throws InputError if the sites are not a grid
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override {
    averages_.save(memory, ranks);
  }
  void load(const StageMemory& memory, const Ranks& ranks) override {
    averages_.load(memory, ranks);
  }

 private:
  /// One more than the largest distance, for each axis.
  std::vector<Index> distances(const DiscreteSites& sites) const;

  Table table_;
  Index samples_;  ///< samples of a point
  std::unique_ptr<ising::GridSums> sums_;
  std::vector<double> pairs_;
  BinnedNumbers averages_;
};

}  // namespace larmor::study
