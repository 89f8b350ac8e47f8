#pragma once
// Rates and lifetimes of the two ends of a minimum-energy path, by harmonic transition-state theory
// (spins/transitions/harmonic_rate.hpp).

#include "larmor/spins/transitions/harmonic_rate.hpp"
#include "larmor/study/kinds/spins/stages/spin_stage.hpp"
#include "larmor/study/kinds/spins/tables/lifetime_table.hpp"
#include "larmor/study/matter/stage_number.hpp"

namespace larmor::study {

class Lifetime {
 public:
  Lifetime(const LifetimeTable& table, const ReadContext& context)
      : table_(table), context_(context) {}

  /// @throws InputError for models without a sparse Hessian
  void require_fits(const spins::Model& model) const;

  /// Writes the group `lifetime`. @param first, saddle, last spins of the path, [3, sites]
  /// @return why there are no rates, or what to know about them; empty: nothing
  std::string write(const SpinSimulation& simulation, const spins::SiteVectors& first,
                    const spins::SiteVectors& saddle, const spins::SiteVectors& last,
                    ResultsGroup& results) const;

  /// Of a path at one temperature: the lifetimes of either end.
  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

 private:
  struct States {
    spins::StationaryState first, saddle, last;
  };
  void write_states(const States& states, ResultsGroup& results) const;
  void write_rates(const States& states, const std::vector<double>& inertia,
                   ResultsGroup& results) const;
  std::string remark(const States& states) const;

  LifetimeTable table_;
  ReadContext context_;
};

}  // namespace larmor::study
