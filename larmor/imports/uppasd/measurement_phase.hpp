#pragma once
// The measurement phase in the results of a study from inpsd.dat: one stage, or two if S(q,w) is
// sampled during a part of the steps.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/units.hpp"
#include "larmor/core/input/value.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::imports::uppasd {

/// A series of all stages of the phase.
struct PhaseSeries {
  std::vector<Index> step;    ///< counted from the first stage, ascending
  std::vector<double> value;  ///< (step, replica, number)
  Index replicas = 0, numbers = 0;

  bool empty() const { return step.empty(); }
  double at(std::size_t row, Index replica, Index number = 0) const {
    return value[(row * static_cast<std::size_t>(replicas) + static_cast<std::size_t>(replica)) *
                     static_cast<std::size_t>(numbers) +
                 static_cast<std::size_t>(number)];
  }
};

/// A stored state of the phase.
struct PhaseFrame {
  std::string dataset;
  Index row;
  Index step;
};

class MeasurementPhase {
 public:
  /// @throws MachineError for damaged results; InputError for a phase of several temperatures, and
  /// for results without dynamics or Monte Carlo at their end
  explicit MeasurementPhase(const io::ResultsReader& results);

  const io::ResultsReader& results() const { return results_; }
  bool is_monte_carlo() const { return is_monte_carlo_; }
  bool is_reduced() const { return context_.units == UnitSystem::reduced; }
  /// 0 for Monte Carlo that only descends.
  double temperature() const { return temperature_; }
  /// Seconds, or 1 in reduced units; 1 for Monte Carlo.
  double timestep() const { return timestep_; }
  Index replicas() const { return replicas_; }
  /// Steps or sweeps.
  Index steps() const { return parts_.back().offset + parts_.back().steps; }
  /// Factor from the energies of the results to mRy.
  double to_mRy() const;

  /// Empty if the results lack it.
  PhaseSeries series(const std::string& name) const;
  /// Names of all series.
  std::vector<std::string> series_names() const;
  /// Does the study have a table of this name?
  bool has_table(const std::string& name) const { return study_.find(name) != nullptr; }
  std::vector<PhaseFrame> frames() const;
  /// Path of the final states.
  std::string configuration() const { return parts_.back().group + "/configuration"; }
  /// Path of the structure factor of this name in the first stage; empty if there is none.
  std::string structure_factor(const std::string& name) const;

 private:
  struct Part {
    std::string group;
    Index offset, steps;  ///< steps before the stage, and of the stage
  };

  const io::ResultsReader& results_;
  Value study_;
  ReadContext context_;
  bool is_monte_carlo_ = false;
  double temperature_ = 0, timestep_ = 1;
  Index replicas_ = 1;
  std::vector<Part> parts_;
};

}  // namespace larmor::imports::uppasd
