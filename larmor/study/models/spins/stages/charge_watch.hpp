#pragma once
// Reports if a texture collapses during a minimisation, because its topological charge then
// changes.

#include <initializer_list>
#include <string>
#include <vector>

#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {

class ChargeWatch {
 public:
  /// Measures the charges before spins move, if one of `states` is a texture with a charge and the
  /// lattice has layers; otherwise nothing is watched.
  /// @param copies those of `state` on this process, among those of all processes
  void begin(const SpinSimulation& simulation, const spins::SpinState& state,
             const RankShare& copies, std::initializer_list<const InitialTable*> states);

  // After the minimisation. A collective operation.

  /// Appends a note about the replicas whose charge has changed. @param stage name of the stage
  void note_replicas(const SpinSimulation& simulation, const spins::SpinState& state,
                     const std::string& stage, std::string& note) const;
  /// Appends a note about the first and the last state of a path.
  void note_ends(const SpinSimulation& simulation, const spins::SpinState& state,
                 const std::string& stage, std::string& note) const;
  /// The text that note_ends appends; empty: neither charge has changed.
  std::string text_of_ends(const SpinSimulation& simulation, const spins::SpinState& state) const;

  /// A collective operation.
  void save(const Ranks& ranks, StageMemory& memory) const;
  void load(const Ranks& ranks, const RankShare& copies, const StageMemory& memory);

 private:
  /// Charges of all copies, on the root.
  std::vector<double> before(const Ranks& ranks) const;
  std::vector<double> after(const SpinSimulation& simulation, const spins::SpinState& state) const;

  std::vector<double> charges_;  ///< charges of this process's copies; empty: nothing is watched
  RankShare copies_{0, 0, 0};
};

/// "the topological charge of 2 of 8 replicas changed from -1 to 0: the texture has collapsed";
/// empty: none has changed.
std::string charge_change_text(const std::vector<double>& before, const std::vector<double>& after);

}  // namespace larmor::study
