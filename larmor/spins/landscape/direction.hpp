#pragma once
// What tells one minimiser from another: the direction in which all spins of a replica turn next.

#include <memory>
#include <span>
#include <vector>

#include "larmor/spins/landscape/sphere.hpp"

namespace larmor::spins {

/// A step just accepted. All vectors stand at the new spins, the old ones carried there.
struct AcceptedStep {
  const SiteVectors& direction;  ///< of the step
  double length;                 ///< gone along it
  double old_slope, new_slope;   ///< along the direction, at both ends
  const SiteVectors& old_gradient;
  const SiteVectors& gradient;
  int threads;
};

class Direction {
 public:
  virtual ~Direction() = default;

  /// Forgets the past; `p` becomes a direction down from the gradient alone.
  /// @param stiffness an upper estimate of the energy's second derivative
  virtual void restart(const SiteVectors& gradient, double stiffness, SiteVectors& p,
                       int threads) = 0;
  /// `p`: the next direction.
  virtual void next(const AcceptedStep& step, SiteVectors& p) = 0;
  /// The length to try first along a direction.
  /// @param slope along it; @param square of the direction's size
  virtual double first_length(double slope, double square) const = 0;
  /// Tangent vectors that it remembers, to be carried along with the spins.
  virtual std::vector<SiteVectors*> memory() { return {}; }

  virtual void save(std::vector<double>& out) const = 0;
  /// Takes its numbers from the front of `saved`.
  virtual void load(std::span<const double>& saved) = 0;
};

}  // namespace larmor::spins
