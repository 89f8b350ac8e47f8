#pragma once
// Limited-memory BFGS: the quasi-Newton step of J. Nocedal, Math. Comput. 35, 773 (1980), from
// steps and changes of the force, with a line search by energy and slope (line_search.hpp). The
// enthalpy of a replica never rises, but for rounding.
//
// Where the enthalpy curves down along a step, the pair is stored with the sign of the curvature
// turned: the direction stays one down, and near a saddle the atoms leave it as fast as Newton's
// method would reach it.

#include "larmor/atoms/minimisers/minimiser.hpp"
#include "larmor/core/maths/line_search.hpp"

namespace larmor::atoms {

class Lbfgs : public Minimiser {
 public:
  /// @param history pairs that are remembered
  Lbfgs(const AtomLayout& layout, const MinimiserSettings& settings, int history, int threads);

 protected:
  void restart(const ReplicaSet& chosen) override;
  void propose(const ReplicaSet& running) override;
  ReplicaSet judge(const ReplicaSet& running, std::span<const double> enthalpy) override;
  void advance(const ReplicaSet& chosen) override;
  void save_memory(std::vector<double>& out, std::size_t replica) const override;
  void load_memory(std::span<const double>& saved, std::size_t replica) override;

 private:
  /// Of all replicas, which have as many of them as `stored_` says.
  struct Pair {
    JointVector step, change;       ///< of the coordinates, of the gradient
    std::vector<double> curvature;  ///< step.change [replicas]
  };
  void learn(const ReplicaSet& accepted);
  void remember(const ReplicaSet& kept);
  void find_direction(const ReplicaSet& chosen);
  /// @return slopes of the enthalpy along the directions
  std::vector<double> begin_search(const ReplicaSet& chosen);
  ReplicaSet with_pair(const ReplicaSet& chosen, std::size_t age) const;

  std::vector<Pair> pairs_;  ///< the newest first
  Pair new_pair_;
  std::vector<std::size_t> stored_;
  JointVector direction_;
  std::vector<LineSearch> search_;
  ReplicaSet fresh_;  ///< is the direction from the force alone?
};

}  // namespace larmor::atoms
