#pragma once
// Of each sample of frozen disorder the state of the lowest energy among those measured, whichever
// replica had it; the first one of equal energies.

#include <functional>
#include <span>

#include "larmor/study/model_kind/results_group.hpp"
#include "larmor/study/stages/stage.hpp"
#include "larmor/tempering/ladder_layout.hpp"

namespace larmor::study {

class LowestStates {
 public:
  /// The state of a replica of the process, (sites, ...).
  using StateOf = std::function<io::DataArray(Index replica)>;

  /// @param layout of all processes
  void begin(const tempering::LadderLayout& layout, const Ranks& ranks);
  bool is_on() const { return is_on_; }

  /// The states are what was just measured. Where ranks share sites, all of them come together.
  /// @param energies per site @param rungs [replicas of the process] @param sweep number of it
  void look(std::span<const double> energies, std::span<const double> rungs, Index sweep,
            const StateOf& state_of);

  /// Writes lowest-states/, if anything is kept. All ranks come together.
  /// @param ladder temperature of each rung @return a note for the user
  std::string write(const Ranks& ranks, const std::vector<double>& ladder,
                    const std::string& ladder_unit, const std::string& energy_unit,
                    ResultsGroup& results) const;

  /// All ranks come together.
  void save(StageMemory& memory, const Ranks& ranks) const;
  void load(const StageMemory& memory, const Ranks& ranks);

  /// @param state of a replica, in bytes
  static double bytes(const tempering::LadderLayout& layout, double state) {
    // As they are found, brought together, and written.
    constexpr double copies = 3;
    return copies * static_cast<double>(layout.samples) * state;
  }

 private:
  struct Found {
    double energy, sweep, replica, rung;  ///< replica of the study
    std::vector<std::byte> state;
  };

  /// Of this process, by sample; none: another process has it.
  std::vector<std::optional<Found>> own_of_all(const Ranks& ranks) const;
  /// State after state, on the root.
  static std::vector<std::byte> states_of(const std::vector<std::optional<Found>>& own,
                                          const Ranks& ranks);
  /// [samples], on every rank.
  static std::vector<double> numbers_of(const std::vector<std::optional<Found>>& own,
                                        double Found::*number, const Ranks& ranks);

  bool is_on_ = false;
  tempering::LadderLayout layout_;
  ReplicaShare share_;
  std::vector<std::optional<Found>> found_;  ///< [samples] among the replicas of the process
  std::optional<io::DataArray> like_;        ///< type and shape of a state
};

}  // namespace larmor::study
