#pragma once
// Limited-memory BFGS on spheres: the quasi-Newton step of Nocedal (Math. Comput. 35 (1980) 773)
// with rotations as steps, and steps and changes of gradient carried to where the spins are
// (Ivanov, Uzdin, Jonsson, Comput. Phys. Commun. 260 (2021) 107749).
//
// Where the energy curves down along a step, the pair is stored with the curvature's sign turned:
// the direction stays one down, and near a saddle the spins leave it as fast as Newton's method
// would reach it.

#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

class Lbfgs : public Direction {
 public:
  /// @param history pairs that are remembered
  Lbfgs(int history, Index sites);

  void restart(const SiteVectors& gradient, double stiffness, SiteVectors& p, int threads) override;
  void next(const AcceptedStep& step, SiteVectors& p) override;
  double first_length(double, double) const override { return 1; }
  std::vector<SiteVectors*> memory() override;
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& saved) override;

 private:
  struct Pair {
    SiteVectors step, change;  ///< of the spins, of the gradient
    double curvature = 0;      ///< step.change
  };
  std::size_t place_of(std::size_t age) const {
    return (newest_ + pairs_.size() - age) % pairs_.size();
  }

  std::vector<Pair> pairs_;
  std::size_t stored_ = 0, newest_ = 0;
};

}  // namespace larmor::spins
