#pragma once
// Sorts the measurements of a ladder's stage by rung. Samples wait until there is a block of them.
// The ranks then join the samples, append them to the results, and bin them.

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

/// A sample of each replica of the process at one moment.
struct RungSample {
  std::vector<double> rungs;                ///< rung of each replica
  std::vector<std::vector<double>> values;  ///< one for each quantity (replica, component)
};

class RungSamples {
 public:
  /// Samples that wait before ranks join them.
  static constexpr Index block = 256;

  /// @param order the order parameter @param others quantities other than energy and order
  /// @param keeps_series are samples also stored? @param threads number of threads that bin them
  void begin(const tempering::LadderLayout& layout, const OrderParameter& order,
             const EnergyName& energy, const std::string& energy_unit,
             const std::vector<RungQuantity>& others, bool keeps_series, int threads);
  /// @param step sweeps so far @param sample energy, order, then the other quantities
  void add(double step, RungSample sample);
  bool are_many() const { return std::ssize(steps_) >= block; }
  /// A collective operation. Series are (sample, replica) with replica = rung + rungs * ladder.
  void gather(const Ranks& ranks, ResultsGroup& results);

  /// Mean energies of the rungs so far; empty on ranks without any.
  std::vector<double> energies() const;
  /// Averages of every rung, on the root; none on other ranks. @param units [rungs]
  std::vector<std::vector<NamedEstimate>> averages(const std::vector<ThermalUnits>& units) const;
  /// Means over blocks of samples of `count` quantities other than energy and order, from quantity
  /// `first` on.
  MeasuredSeries blocks_of(Index rung, std::size_t first, std::size_t count) const;
  /// Ladders that share a disorder sample; 0: there is one sample.
  Index of_sample() const { return layout_.samples > 1 ? layout_.copies : 0; }
  bool has_averages() const { return statistics_.samples() > 0; }

  /// Also saves samples that wait. A collective operation.
  void save(StageMemory& memory, const Ranks& ranks) const;
  void load(const StageMemory& memory, const Ranks& ranks);

  /// @param components those of the order parameter
  /// @param numbers those of the other quantities, per replica
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
  /// Samples of a quantity, of all ranks on the root. A collective operation.
  std::vector<double> gathered(const Ranks& ranks, std::size_t quantity,
                               std::vector<double> values) const;
  bool has_order() const { return order_.components > 0; }
  std::vector<NamedEstimate> averages(Index rung, const ThermalUnits& units) const;
  /// The columns of a sample, in order of rung. @param values one for each quantity (ladder, rung,
  /// component)
  std::vector<double> columns(const std::vector<std::span<const double>>& values) const;
  Estimate of_blocks(Estimate estimate, Index rung) const;
  /// The mean, by logarithmic binning. For several disorder samples its error is their scatter.
  Estimate mean(Index column, Index rung) const;

  tempering::LadderLayout layout_;
  OrderParameter order_;
  EnergyName energy_;
  std::vector<RungQuantity> quantities_;  ///< energy, order, then the other quantities
  std::vector<Index> first_column_;       ///< the first column of each of the other quantities
  // Samples that wait.
  std::vector<double> steps_;
  std::vector<double> rungs_;                ///< [sample][replica]
  std::vector<std::vector<double>> values_;  ///< one for each quantity [sample][replica][component]
  bool keeps_series_ = true;
  int threads_ = 1;
  std::vector<double> zero_;  ///< zero of the energy at each rung; empty: no sample yet
  RungStatistics statistics_;
};

}  // namespace larmor::study
