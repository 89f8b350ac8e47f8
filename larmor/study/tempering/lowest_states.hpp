#pragma once
// Stores the state of the lowest measured energy of each disorder sample, from any replica. If
// energies are equal, the first state counts.

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

  /// @param layout that of all processes
  void begin(const tempering::LadderLayout& layout, const Ranks& ranks);
  bool is_enabled() const { return is_enabled_; }

  /// The states must be those in which the energies were measured. A collective operation if ranks
  /// share sites.
  /// @param energies per site @param rungs [replicas of the process] @param sweep its number
  void record(std::span<const double> energies, std::span<const double> rungs, Index sweep,
              const StateOf& state_of);

  /// Writes lowest-states/, if anything is stored. A collective operation.
  /// @param ladder temperature of each rung @return a note to the user
  std::string write(const Ranks& ranks, const std::vector<double>& ladder,
                    const std::string& ladder_unit, const std::string& energy_unit,
                    ResultsGroup& results) const;

  /// A collective operation.
  void save(StageMemory& memory, const Ranks& ranks) const;
  void load(const StageMemory& memory, const Ranks& ranks);

  /// @param state bytes of the state of a replica
  static double bytes(const tempering::LadderLayout& layout, double state) {
    // There are states as found, as joined on the root, and as written.
    constexpr double copies = 3;
    return copies * static_cast<double>(layout.samples) * state;
  }

 private:
  struct Found {
    double energy, sweep, replica, rung;  ///< replica of the study
    std::vector<std::byte> state;
  };

  /// The states of all samples that this process owns; none: another process owns the sample.
  std::vector<std::optional<Found>> own_of_all(const Ranks& ranks) const;
  /// The bytes of all states, one state after another, on the root.
  static std::vector<std::byte> states_of(const std::vector<std::optional<Found>>& own,
                                          const Ranks& ranks);
  /// One number of the state of each sample, on every rank. [samples]
  static std::vector<double> numbers_of(const std::vector<std::optional<Found>>& own,
                                        double Found::*number, const Ranks& ranks);

  bool is_enabled_ = false;
  tempering::LadderLayout layout_;
  ReplicaShare share_;
  std::vector<std::optional<Found>> found_;  ///< [samples], among the replicas of the process
  std::optional<io::DataArray> like_;        ///< type and shape of a state
};

}  // namespace larmor::study
