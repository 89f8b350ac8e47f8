#pragma once
// Estimates of a quantum Monte Carlo stage, and their extrapolation to infinitely many slices.

#include <array>
#include <optional>

#include "larmor/study/models/quantum/stages/world_line_averages.hpp"
#include "larmor/study/models/quantum/stages/world_lines.hpp"
#include "larmor/trotter/gap_fit.hpp"

namespace larmor::study {

/// The samples of an instance with one number of slices.
struct MeasuredInstance {
  std::vector<ReplicaSeries> scalars;   ///< in the order of WorldLineNumbers::Scalar
  std::vector<ReplicaSeries> overlaps;  ///< q2 and q4 of each pair of copies
  BlockedNumbers sites;                 ///< sx and sz of each site
  BlockedNumbers others;                ///< all further numbers
};

struct EstimateSettings {
  Index measure_every = 1;  ///< sweeps of a sample
  Index samples = 0;
  bool overlap = false;
  std::optional<double> gap_from;  ///< tau / beta
  bool has_local_gap = false;      ///< does the local correlation give the gap?
  Index power = 2;                 ///< highest power of the extrapolation
  bool is_even = true;             ///< does H commute with the flip of all spins?
};

class WorldLineResults {
 public:
  /// @param points numbers of slices; 0: continuous time @param betas of the temperatures
  WorldLineResults(const WorldLineNumbers& numbers, const EstimateSettings& settings,
                   std::vector<Index> points, Index samples, std::vector<double> betas,
                   const char* energy_unit);

  /// Adds the next instance, in the order (point, sample, temperature). @param constant energy
  void add_instance(const MeasuredInstance& measured, double beta, double constant);
  void write(ResultsGroup& results) const;
  /// The number of averages whose errors are unreliable, and of all averages.
  std::pair<Index, Index> unreliable() const;
  /// The number of gaps that no fit found, for each outcome of a fit.
  const std::array<Index, trotter::gap_outcomes>& gaps() const { return gaps_; }

  void save(StageMemory& memory) const;
  void load(const StageMemory& memory);

 private:
  /// Averages of one quantity, (point, sample, temperature, row).
  struct Quantity {
    std::string name;
    std::vector<Index> row;
    const char* unit;
    bool has_time;  ///< is its autocorrelation time written?
    std::vector<double> value, error, autocorrelation_time, reliable;
  };

  void make_quantities(const char* energy);
  Quantity& quantity(const std::string& name);
  void add(const std::string& name, const Estimate& estimate, double factor = 1);
  void add_sites(const BlockedNumbers& sites);
  void add_others(const BlockedNumbers& others);
  void add_gap(const BlockedNumbers& others, double beta);
  void write(const Quantity& quantity, ResultsGroup& results) const;
  void write_extrapolated(const Quantity& quantity, ResultsGroup& results) const;
  std::vector<Index> shape_of(const Quantity& quantity) const;

  WorldLineNumbers numbers_;
  EstimateSettings settings_;
  std::vector<Index> points_;
  Index samples_;
  std::vector<double> betas_;
  std::vector<Quantity> quantities_;
  std::array<Index, trotter::gap_outcomes> gaps_{};
};

}  // namespace larmor::study
