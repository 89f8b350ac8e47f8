#pragma once
// C(r,r',t) of dynamics, over all pairs of sites.

#include <memory>

#include "larmor/correlations/spectra/pair_correlations_in_time.hpp"
#include "larmor/study/models/spins/measurements/correlation_keys.hpp"
#include "larmor/study/models/spins/tables/displacement_choice.hpp"
#include "larmor/study/models/spins/tables/pair_correlations_table.hpp"
#include "larmor/study/models/spins/tables/site_groups.hpp"

namespace larmor::study {

struct PairsInTimeTable : CorrelationKeys {
  std::vector<DistanceTable> distance;
  Value displacement{false};
  Value groups{"none"};

  static FieldTable<PairsInTimeTable> fields();
};

/// Results in pair-correlations; further entries give pair-correlations-2, -3, ..
class PairsInTime : public Measurement {
 public:
  using Table = PairsInTimeTable;
  static constexpr const char* name = "pair-correlations";
  static constexpr const char* doc =
      "correlations C(r,r',t) of the spins at sites r and r', by distance, displacement or groups "
      "of sites. The first sample is the only time origin";

  /// @throws InputError for no bins, or keys that contradict one another
  PairsInTime(const Table& table, const DynamicsContext& course);

  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  Index try_share(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

 private:
  correlations::real_space::PairsInTimeSettings settings_for(
      const lattice::Geometry& geometry) const;
  void write_bins(const correlations::real_space::PairsInTimeResult& values,
                  const SpinSimulation& simulation, ResultsGroup& results) const;

  Table table_;
  DynamicsContext course_;
  std::string label_;  ///< name of the group in the results
  DisplacementChoice displacement_;
  SiteGroupChoice groups_;
  std::unique_ptr<correlations::real_space::PairCorrelationsInTime> pairs_;
};

}  // namespace larmor::study
