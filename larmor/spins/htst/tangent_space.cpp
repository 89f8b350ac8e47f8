#include "larmor/spins/htst/tangent_space.hpp"

#include "larmor/core/maths/vec3.hpp"

namespace larmor::spins {

TangentSpace::TangentSpace(const SiteVectors& spins) : sites_(spins.size() / 3) {
  for (std::size_t i = 0; i < sites_; ++i) {
    const Vec3<double> e{spins[i], spins[sites_ + i], spins[2 * sites_ + i]};
    if (dot(e, e) == 0) break;
    // The axis with the largest angle to the spin.
    const double x = std::abs(e.x), y = std::abs(e.y), z = std::abs(e.z);
    const Vec3<double> axis = x <= y && x <= z ? Vec3<double>{1, 0, 0}
                              : y <= z         ? Vec3<double>{0, 1, 0}
                                               : Vec3<double>{0, 0, 1};
    first_.push_back(normalised(cross(axis, e)));
    second_.push_back(cross(e, first_.back()));
  }
}

std::vector<double> TangentSpace::components(const SiteVectors& vectors) const {
  std::vector<double> c;
  c.reserve(2 * first_.size());
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const Vec3<double> v{vectors[i], vectors[sites_ + i], vectors[2 * sites_ + i]};
    c.push_back(dot(v, first_[i]));
    c.push_back(dot(v, second_[i]));
  }
  return c;
}

SiteVectors TangentSpace::vectors(const std::vector<double>& components) const {
  SiteVectors all(3 * sites_);
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const Vec3<double> v = components[2 * i] * first_[i] + components[2 * i + 1] * second_[i];
    all[i] = v.x;
    all[sites_ + i] = v.y;
    all[2 * sites_ + i] = v.z;
  }
  return all;
}

}  // namespace larmor::spins
