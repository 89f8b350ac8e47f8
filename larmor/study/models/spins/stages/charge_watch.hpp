#pragma once
// Tells when a texture does not survive as its spins relax: its topological charge changes then.

#include <initializer_list>
#include <string>
#include <vector>

#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {

class ChargeWatch {
 public:
  /// Measures the charges before spins relax, where one of `states` is a texture that has a charge
  /// and the lattice has layers; otherwise nothing is watched.
  /// @param copies of `state` that this process has, of those of all processes
  void begin(const SpinSimulation& simulation, const spins::SpinState& state,
             const RankShare& copies, std::initializer_list<const InitialTable*> states);

  // Once they have relaxed. All ranks come together.

  /// Appends a note about the replicas whose charge has changed. @param stage that relaxes them
  void note_replicas(const SpinSimulation& simulation, const spins::SpinState& state,
                     const std::string& stage, std::string& note) const;
  /// The same of the first and the last state of a path.
  void note_ends(const SpinSimulation& simulation, const spins::SpinState& state,
                 const std::string& stage, std::string& note) const;
  /// What that note says; empty: neither charge has changed.
  std::string words_of_ends(const SpinSimulation& simulation, const spins::SpinState& state) const;

  /// All ranks come together.
  void save(const Ranks& ranks, StageMemory& memory) const;
  void load(const Ranks& ranks, const RankShare& copies, const StageMemory& memory);

 private:
  /// Of all copies, on the root.
  std::vector<double> before(const Ranks& ranks) const;
  std::vector<double> after(const SpinSimulation& simulation, const spins::SpinState& state) const;

  std::vector<double> charges_;  ///< of this process's copies; empty: nothing is watched
  RankShare copies_{0, 0, 0};
};

/// "the topological charge of 2 of 8 replicas changed from -1 to 0: the texture has collapsed";
/// empty: none has changed.
std::string charge_change_words(const std::vector<double>& before,
                                const std::vector<double>& after);

}  // namespace larmor::study
