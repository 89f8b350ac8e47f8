#pragma once
// Limited-memory BFGS on spheres: the quasi-Newton step of Nocedal (Math. Comput. 35 (1980) 773)
// with rotations as steps. Steps and gradient changes are transported to the current spins (Ivanov,
// Uzdin, Jonsson, Comput. Phys. Commun. 260 (2021) 107749).
//
// The two loops need only inner products (Chen, Wang, Zhou, Adv. Neural Inf. Process. Syst. 27
// (2014) 1332). Products of past vectors are stored. Products with the new vectors are among the
// sums of a turn, so vectors are read once per step.
//
// If the energy curves downwards along a step, the pair of step and gradient change is stored with
// the opposite sign of its curvature. So the direction remains a descent direction. Near a saddle,
// the spins leave the saddle as fast as Newton's method would reach it.

#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

class Lbfgs : public Direction {
 public:
  NextDirection restart(double square, double stiffness) override;
  NextDirection next(const AcceptedStep& turn) override;
  double first_length(const NextDirection&) const override { return 1; }
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& saved) override;

 private:
  using Table = std::array<HistoryValues, history_length>;

  /// Stores the inner products with the new pair of step and gradient change.
  /// @param reflects multiple of the step in its gradient change
  void remember(const AcceptedStep& turn, double reflects);
  NextDirection two_loops(double square) const;

  std::vector<int> order_;     ///< indices of pairs in the history, newest first
  HistoryValues curvature_{};  ///< step.change of each pair
  Table step_step_{}, step_change_{}, change_change_{};
  HistoryValues gradient_step_{}, gradient_change_{};
};

}  // namespace larmor::spins
