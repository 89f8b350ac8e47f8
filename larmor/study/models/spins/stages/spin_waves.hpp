#pragma once
// Linear spin-wave theory of the present state of the spins.

#include <memory>
#include <optional>

#include "larmor/correlations/fourier/q_list.hpp"
#include "larmor/spinwaves/spectrum.hpp"
#include "larmor/study/models/spins/stages/spin_stage.hpp"
#include "larmor/study/models/spins/tables/spin_waves_table.hpp"

namespace larmor::study {

/// The stage counts wave vectors as updates. Only the root computes, because it has the first
/// replica.
class SpinWavesStage : public SpinStage {
 public:
  using Table = SpinWavesTable;
  /// @throws InputError for keys that contradict each other
  SpinWavesStage(const Table& table, const ReadContext& context);

  /// The gap, if the results have it.
  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_on(const lattice::Geometry& geometry) const override;
  std::string plan() const override;
  /// If the study runs on a GPU: the note that the host computes.
  std::vector<Advice> advice(const SpinSimulation& simulation) const override;
  void validate(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  StageBytes forecast(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  double seconds_per_update(SpinSimulation& simulation) override;
  void require_beginning(const SpinSimulation& simulation, bool is_first) const override;
  void prepare(SpinSimulation& simulation) override;
  StageProgress advance(SpinSimulation& simulation, ResultsGroup& results) override;
  void finish(SpinSimulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::string> files(const std::string& folder) const override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  /// The state, its magnetic cell and the energy around it.
  struct GroundState {
    std::vector<Vec3<double>> e;  ///< on canonical sites
    spinwaves::MagneticCell cell;
    spinwaves::QuadraticHamiltonian quadratic;
  };

  correlations::QList zone(const lattice::Geometry& geometry) const;
  std::array<Index, 3> magnetic_cell_of(const lattice::Geometry& geometry) const;
  Index all_wave_vectors() const { return q_.size() + zone_.size(); }
  spinwaves::Occupation occupation() const;
  void begin(SpinSimulation& simulation);
  /// On the root: the state that the table gives, or the state of the first replica. A collective
  /// operation.
  /// @throws InputError for a state that is not stationary, or has no modes at some wave vectors
  std::optional<GroundState> ground_state(const SpinSimulation& simulation, correlations::QList& q,
                                          correlations::QList& zone) const;
  GroundState around(std::vector<Vec3<double>> e, const SpinSimulation& simulation) const;
  void require_stationary(const GroundState& state, double tolerance) const;
  void compute(Index wave_vector);
  std::string instability() const;
  /// Writes gap, stiffness and velocity, if they exist. @return the reason why there is no
  /// stiffness
  std::string long_waves(const SpinSimulation& simulation, ResultsGroup& results) const;

  Table table_;
  ReadContext context_;
  correlations::QList q_;
  correlations::QList zone_;           ///< grid of the density of states
  std::optional<GroundState> ground_;  ///< on the root, after `begin`
  bool begun_ = false;
  Index block_ = 1;  ///< wave vectors
  Index done_ = 0;
  std::vector<spinwaves::WaveVectorSpectrum> spectra_;  ///< spectra of q_
  std::vector<std::vector<double>> zone_frequency_;     ///< frequencies of zone_
  std::string note_;
};

}  // namespace larmor::study
