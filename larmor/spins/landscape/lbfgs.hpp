#pragma once
// Limited-memory BFGS on spheres: the quasi-Newton step of Nocedal (Math. Comput. 35 (1980) 773)
// with rotations as steps, and steps and changes of gradient carried to where the spins are
// (Ivanov, Uzdin, Jonsson, Comput. Phys. Commun. 260 (2021) 107749).
//
// Its two loops need inner products alone (Chen, Wang, Zhou, Adv. Neural Inf. Process. Syst. 27
// (2014) 1332): those of the vectors of the past are kept, those with the new ones come with the
// turn, and vectors are read once a step.
//
// Where the energy curves down along a step, the pair is stored with the curvature's sign turned:
// the direction stays one down, and near a saddle the spins leave it as fast as Newton's method
// would reach it.

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
  using Table = std::array<OfHistory, history_length>;

  /// Inner products with the pair that comes to a place. @return the curvature of the pair, and how
  /// much of the step its change was given
  void remember(const AcceptedStep& turn, double reflects);
  NextDirection two_loops(double square) const;

  std::vector<int> order_;  ///< places of pairs, the newest first
  OfHistory curvature_{};   ///< step.change of each pair
  Table step_step_{}, step_change_{}, change_change_{};
  OfHistory gradient_step_{}, gradient_change_{};
};

}  // namespace larmor::spins
