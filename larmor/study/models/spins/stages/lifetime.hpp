#pragma once
// Rates and lifetimes of the two ends of a minimum-energy path, by harmonic transition-state theory
// (spins/htst/harmonic_rate.hpp).

#include "larmor/spins/htst/harmonic_rate.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/models/spins/stages/spin_stage.hpp"
#include "larmor/study/models/spins/tables/landscape_tables.hpp"

namespace larmor::study {

class Lifetime {
 public:
  Lifetime(const LifetimeTable& table, const ReadContext& context);

  /// @throws InputError for models without a sparse Hessian
  void require_fits(const spins::Model& model) const;

  /// Spins of three states of a path, on canonical sites.
  struct Path {
    std::vector<Vec3<double>> first, saddle, last;
  };
  /// Writes the group `lifetime`. The host computes its numbers for any device.
  /// @return the reason why there are no rates, or why they do not hold; empty: they hold
  std::string write(const SpinSimulation& simulation, const Path& path,
                    ResultsGroup& results) const;

 private:
  struct States {
    spins::StationaryState first, saddle, last;
  };
  void write_states(const States& states, ResultsGroup& results) const;
  /// @return the temperatures at which rates do not hold
  std::string write_rates(const States& states, const std::vector<double>& inertia,
                          ResultsGroup& results) const;
  std::string remark(const States& states) const;

  LifetimeTable table_;
  std::vector<double> temperature_;
  ReadContext context_;
};

}  // namespace larmor::study
