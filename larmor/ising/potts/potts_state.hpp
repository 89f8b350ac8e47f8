#pragma once
// States of the sites of all replicas of a process.

#include <vector>

#include "larmor/core/update_counter.hpp"
#include "larmor/ising/potts/potts_model.hpp"

namespace larmor::ising {

class PottsState {
 public:
  /// All in state 0. @param model outlives it @param step counts updates
  PottsState(const PottsModel& model, const UpdateCounter& step);

  void set_all(int state);
  /// Every site in a state of its own, by random numbers of the current step, which it uses up.
  void randomise(std::uint64_t seed);

  /// In canonical order (replica, site), the first replicas only. @param count of them
  std::vector<std::uint8_t> canonical(Index count) const;
  /// @param states of all replicas (replica, site) @throws InternalError for another number of them
  void load(const std::vector<std::uint8_t>& states);

  const PottsModel& model() const { return *model_; }
  /// The model's view with these states, which kernels may change.
  PottsView view();

  UpdateCounter step;

 private:
  const PottsModel* model_;
  Array<std::uint8_t> states_;  ///< (replica, position)
};

}  // namespace larmor::ising
