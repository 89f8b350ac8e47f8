#pragma once
// S(q,t) and S(q,w) of dynamics.

#include <memory>

#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/study/models/spins/measurements/correlation_keys.hpp"
#include "larmor/study/models/spins/tables/wave_vectors.hpp"

namespace larmor::study {

struct StructureFactorTable : CorrelationKeys, WaveVectorKeys {
  std::string method = "auto";
  bool components = false;
  std::string origins = "auto";
  std::optional<double> max_frequency;
  bool detailed_balance = false;
  std::optional<double> temperature;

  static FieldTable<StructureFactorTable> fields();
};

/// Results in structure-factor; further entries give structure-factor-2, -3, ..: a NeXus NXdata.
class StructureFactorInTime : public Measurement {
 public:
  using Table = StructureFactorTable;
  static constexpr const char* name = "structure-factor";
  static constexpr const char* doc = "S(q,t) and S(q,w), by wave vector";

  /// @throws InputError for keys that contradict one another, or the heat bath
  StructureFactorInTime(const Table& table, const DynamicsContext& course);

  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  Index try_share(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void join_samples() override { correlator_->finish_sums(); }
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  std::string note() const override { return note_; }
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

 private:
  correlations::StructureFactorSettings settings_for(const lattice::Geometry& geometry) const;
  /// The largest angular frequency in the results.
  double largest_frequency(const SpinSimulation& simulation) const;
  /// The temperature of detailed balance.
  double balance_temperature() const { return table_.temperature.value_or(course_.temperature); }
  void write_spectrum(const correlations::StructureFactorResult& values,
                      const SpinSimulation& simulation, ResultsGroup& results) const;

  Table table_;
  DynamicsContext course_;
  std::string label_;  ///< name of the group in the results
  correlations::StructureFactorSettings settings_;
  std::unique_ptr<correlations::Correlator> correlator_;
  std::string note_;
};

}  // namespace larmor::study
