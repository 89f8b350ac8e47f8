#pragma once
// Limited-memory BFGS: the quasi-Newton step of J. Nocedal, Math. Comput. 35, 773 (1980), from
// steps and changes of the force, with a line search by energy and slope (line_search.hpp). The
// enthalpy of a replica never rises, except for rounding errors.
//
// If the curvature of the enthalpy along a step is negative, the pair of step and force change is
// stored with positive curvature. The direction then still goes downhill. Near a saddle, the atoms
// leave the saddle as fast as Newton's method would approach it.

#include "larmor/atoms/minimisers/minimiser.hpp"
#include "larmor/core/maths/line_search.hpp"

namespace larmor::atoms {

class Lbfgs : public Minimiser {
 public:
  /// @param history number of stored pairs
  Lbfgs(const AtomLayout& layout, const MinimiserSettings& settings, int history, int threads);

 protected:
  void restart(const ReplicaSet& chosen) override;
  void propose(const ReplicaSet& running) override;
  ReplicaSet accept_trials(const ReplicaSet& running, std::span<const double> enthalpy) override;
  void advance(const ReplicaSet& chosen) override;
  void save_memory(std::vector<double>& out, std::size_t replica) const override;
  void load_memory(std::span<const double>& saved, std::size_t replica) override;

 private:
  /// A pair of step and change, for all replicas. `stored_` has the number of pairs of each
  /// replica.
  struct Pair {
    JointVector step, change;       ///< differences of coordinates and of gradients
    std::vector<double> curvature;  ///< step.change [replicas]
  };
  /// Stores the pairs of accepted trials, if their curvature is large enough.
  void update_history(const ReplicaSet& accepted);
  void store_pairs(const ReplicaSet& kept);
  void find_direction(const ReplicaSet& chosen);
  /// @return the slopes of the enthalpy along the directions
  std::vector<double> begin_search(const ReplicaSet& chosen);
  /// The replicas of `chosen` that have a pair of this age. @param age 0: the newest pair
  ReplicaSet replicas_with_pair(const ReplicaSet& chosen, std::size_t age) const;

  std::vector<Pair> pairs_;  ///< the newest first
  Pair new_pair_;
  std::vector<std::size_t> stored_;
  JointVector direction_;
  std::vector<LineSearch> search_;
  ReplicaSet is_steepest_descent_;  ///< is the direction that of the force?
};

}  // namespace larmor::atoms
