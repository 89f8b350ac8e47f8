#pragma once
// Correlations of pairs of sites in time, as an entry of `measure` asks for them, and in results.

#include <string>

#include "larmor/correlations/spectra/pair_correlations_in_time.hpp"
#include "larmor/study/kinds/spins/displacement_choice.hpp"
#include "larmor/study/kinds/spins/dynamics_tables.hpp"
#include "larmor/study/kinds/spins/site_groups.hpp"
#include "larmor/study/kinds/spins/stages/spin_stage.hpp"

namespace larmor::study {

class PairsInTimeChoice {
 public:
  static constexpr const char* what = "pair-correlations";

  /// @throws InputError for keys of pairs elsewhere, for none here, and for those of structure
  /// factors here
  PairsInTimeChoice(const MeasurementTable& table, const ReadContext& context);

  /// @param step time of one @param steps of the stage
  /// @throws InputError for bins that the system does not have
  correlations::real_space::PairsInTimeSettings settings(const lattice::Geometry& geometry,
                                                         double step, Index steps) const;
  /// @throws InputError for more bins than sums over pairs have there
  void require_bins(const Device& device,
                    const correlations::real_space::PairsInTimeSettings& settings) const;
  /// @param name of the group, within the stage's
  void write(ResultsGroup& results, const std::string& name,
             const correlations::real_space::PairsInTimeResult& values,
             const correlations::real_space::PairsInTimeSettings& settings,
             const SpinSimulation& simulation) const;

 private:
  MeasurementTable table_;
  DisplacementChoice displacement_;
  SiteGroupChoice groups_;
};

}  // namespace larmor::study
