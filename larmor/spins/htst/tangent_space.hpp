#pragma once
// The directions in which spins can move: two unit vectors orthogonal to each spin e. The spin and
// these vectors are a right-handed frame: e x first = second. Host code.

#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/spins/landscape/sphere.hpp"

namespace larmor::spins {

class TangentSpace {
 public:
  /// @param spins [3, sites]; sites without a spin come last, and have no directions
  explicit TangentSpace(const SiteVectors& spins);

  /// Number of sites with a spin.
  Index spins() const { return static_cast<Index>(first_.size()); }
  /// Size of a tangent vector: two numbers per spin.
  Index size() const { return 2 * spins(); }
  const Vec3<double>& first(Index spin) const { return first_[static_cast<std::size_t>(spin)]; }
  const Vec3<double>& second(Index spin) const { return second_[static_cast<std::size_t>(spin)]; }

  /// The tangential components of vectors.
  /// @param vectors [3, sites]
  /// @return [spins, 2]
  std::vector<double> components(const SiteVectors& vectors) const;
  /// Converts components [spins, 2] to vectors [3, sites].
  SiteVectors vectors(const std::vector<double>& components) const;

 private:
  std::size_t sites_;
  std::vector<Vec3<double>> first_, second_;
};

}  // namespace larmor::spins
