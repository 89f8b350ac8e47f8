#pragma once
// Sweeps a uniform field, and minimises the energy at every point from the spins at the point
// before.

#include "larmor/study/models/spins/stages/minimising_stage.hpp"

namespace larmor::study {

class HysteresisStage : public MinimisingStage<HysteresisTable> {
 public:
  /// @throws InputError for invalid fields
  HysteresisStage(const Table& table, const ReadContext& context);

  /// Coercive and saturation fields, remanence and, if a volume is known, the energy product.
  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

  double updates_per_site() const override;
  std::optional<Residual> residual() const override;
  std::string plan() const override;
  void prepare(SpinSimulation& simulation) override;
  StageProgress advance(SpinSimulation& simulation, ResultsGroup& results) override;
  void finish(SpinSimulation& simulation, ResultsGroup& results) override;
  std::string note() const override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  bool all_points_done() const { return point_ == static_cast<Index>(fields_.size()); }
  /// Sets mu_B B of the current point.
  void set_field();
  void begin_point(SpinSimulation& simulation);
  void finish_point(SpinSimulation& simulation, ResultsGroup& results);
  void write_loop(const SpinSimulation& simulation, ResultsGroup& results) const;

  Vec3<double> direction_;
  std::vector<double> fields_;
  std::vector<double> along_;  ///< moments of all replicas along the field, points done [P, R]
  Index point_ = 0;
  Index step_ = 0;         ///< steps at the current point
  Index unconverged_ = 0;  ///< points at which a replica had not converged
  bool begun_ = false;     ///< has the point begun?
};

}  // namespace larmor::study
