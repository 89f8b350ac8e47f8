#pragma once
// S(q) at equal times, for each temperature of a stage that samples.

#include <memory>

#include "larmor/correlations/fourier/state_amplitudes.hpp"
#include "larmor/correlations/spectra/static_structure_factor.hpp"
#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/measurements/measurement_keys.hpp"
#include "larmor/study/models/spins/system/spin_simulation.hpp"
#include "larmor/study/models/spins/tables/wave_vectors.hpp"

namespace larmor::study {

struct SampledStructureFactorTable : WaveVectorKeys {
  static constexpr const char* name = "measure";
  std::string what;
  std::optional<Index> every;
  std::string method = "auto";
  bool components = false;
  bool connected = false;
  TablePosition where;

  static FieldTable<SampledStructureFactorTable> fields();
};

/// Results in structure-factor; further entries give structure-factor-2, -3, ..: a NeXus NXdata.
class SampledStructureFactor : public Measurement {
 public:
  using Table = SampledStructureFactorTable;
  static constexpr const char* name = "structure-factor";
  static constexpr const char* doc = "S(q) at equal times, by wave vector";

  /// @throws InputError for keys that contradict one another
  SampledStructureFactor(const Table& table, const MeasureContext& context);

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
  correlations::StaticSettings settings(const correlations::QList& q, Index replicas) const;
  correlations::StaticResult result(const SpinSimulation& simulation) const;
  /// Writes the datasets that all temperatures share.
  void write_common(const SpinSimulation& simulation, ResultsGroup& results) const;

  Table table_;
  ReadContext read_;
  Index sweeps_;
  std::string label_;  ///< name of the group in the results
  correlations::QList q_;
  std::unique_ptr<correlations::StateAmplitudes> amplitudes_;
  std::unique_ptr<correlations::StaticStructureFactor> sums_;
};

}  // namespace larmor::study
