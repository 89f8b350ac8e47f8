#pragma once
// What a ladder's stage measures, sorted by rung. Samples wait until some have come together; then
// ranks bring them together, they are appended to the results, and binned.

#include <span>

#include "larmor/study/measurements/measurements.hpp"
#include "larmor/study/measurements/series.hpp"
#include "larmor/study/sampling/thermal_averages.hpp"
#include "larmor/study/tempering/rung_statistics.hpp"
#include "larmor/tempering/ladder_layout.hpp"

namespace larmor::study {

/// A number, a vector, or a ratio, of every replica.
struct RungQuantity {
  std::string name, unit;
  Index components = 1;  ///< `of_ratio`: a ratio, unless it is the order parameter
};

/// One of each replica of the process at an instant.
struct RungSample {
  std::vector<double> rungs;                ///< that replicas hold
  std::vector<std::vector<double>> values;  ///< of each quantity (replica, component)
};

class RungSamples {
 public:
  /// Samples that wait before they are brought together.
  static constexpr Index portion = 256;

  /// @param order of an ensemble @param beside what is measured beside energy and order
  /// @param keeps_series are samples stored, too? @param threads that bin them
  void begin(const tempering::LadderLayout& layout, const OrderParameter& order,
             const EnergyName& energy, const std::string& energy_unit,
             const std::vector<RungQuantity>& beside, bool keeps_series, int threads);
  /// @param step sweeps so far @param sample energy, order, then what is measured beside
  void add(double step, RungSample sample);
  bool are_many() const { return std::ssize(steps_) >= portion; }
  /// All ranks come together. Series are (sample, replica) with replica = rung + rungs * ladder.
  void bring_together(const Ranks& ranks, ResultsGroup& results);

  /// Mean energies of the rungs so far; empty: there are none here.
  std::vector<double> energies() const;
  /// Of every rung, on the root; elsewhere none. @param units [rungs]
  std::vector<std::vector<NamedEstimate>> averages(const std::vector<ThermalUnits>& units) const;
  /// Means over blocks of samples of what is measured beside, from quantity `first` on.
  MeasuredSeries blocks_of(Index rung, std::size_t first, std::size_t count) const;
  /// Ladders that share a sample of frozen disorder; 0: there is one sample.
  Index of_sample() const { return layout_.samples > 1 ? layout_.copies : 0; }
  bool has_averages() const { return statistics_.samples() > 0; }

  /// Samples that wait, too. All ranks come together.
  void save(StageMemory& memory, const Ranks& ranks) const;
  void load(const StageMemory& memory, const Ranks& ranks);

  /// @param components of the order parameter @param numbers of a replica that are measured beside
  static double bytes(const tempering::LadderLayout& layout, Index components, Index numbers,
                      Index samples);

 private:
  enum Column : Index {
    energy,
    energy_squared,
    length,
    length_squared,
    length_fourth,
    first_order
  };

  Index columns_of(const RungQuantity& quantity) const;
  std::vector<NamedEstimate> averages(Index rung, const ThermalUnits& units) const;
  /// Of a sample, in order of rung. @param values of each quantity (ladder, rung, component)
  std::vector<double> columns(const std::vector<std::span<const double>>& values) const;
  Estimate of_blocks(Estimate estimate, Index rung) const;
  /// By logarithmic binning; of several samples of a disorder the scatter of these is the error.
  Estimate mean(Index column, Index rung) const;

  tempering::LadderLayout layout_;
  OrderParameter order_;
  EnergyName energy_;
  std::vector<RungQuantity> quantities_;  ///< energy, order, then those beside
  std::vector<Index> first_column_;       ///< of each quantity beside
  // Samples that wait.
  std::vector<double> steps_;
  std::vector<double> rungs_;                ///< [sample][replica]
  std::vector<std::vector<double>> values_;  ///< of each quantity [sample][replica][component]
  bool keeps_series_ = true;
  int threads_ = 1;
  std::vector<double> zero_;  ///< of energy at each rung; empty: no sample yet
  RungStatistics statistics_;
};

}  // namespace larmor::study
