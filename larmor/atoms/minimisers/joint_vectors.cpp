#include "larmor/atoms/minimisers/joint_vectors.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/atoms/system/replica_sums.hpp"
#include "larmor/core/saved_numbers.hpp"

namespace larmor::atoms {

std::vector<double> inner_products(const AtomLayout& layout, const JointVector& a,
                                   const JointVector& b, int threads) {
  const auto sums = sums_of_replicas<1>(layout, threads, [&](Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    return std::array{dot(a.atom[i], b.atom[i])};
  });
  std::vector<double> products;
  for (std::size_t r = 0; r < sums.size(); ++r) {
    double product = sums[r][0];
    for (int d = 0; d < 3; ++d) product += dot(a.box[r].row[d], b.box[r].row[d]);
    products.push_back(product);
  }
  return products;
}

void assign(const AtomLayout& layout, const ReplicaSet& chosen, const JointVector& x,
            JointVector& result, int threads) {
  for_each_atom(layout, threads, [&](Index replica, Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    if (chosen[static_cast<std::size_t>(replica)] != 0) result.atom[i] = x.atom[i];
  });
  for (std::size_t r = 0; r < chosen.size(); ++r)
    if (chosen[r] != 0) result.box[r] = x.box[r];
}

void combine(const AtomLayout& layout, const ReplicaSet& chosen, std::span<const double> a,
             const JointVector& x, std::span<const double> b, const JointVector& y,
             JointVector& result, int threads) {
  for_each_atom(layout, threads, [&](Index replica, Index atom) {
    const auto r = static_cast<std::size_t>(replica);
    const auto i = static_cast<std::size_t>(atom);
    if (chosen[r] != 0) result.atom[i] = a[r] * x.atom[i] + b[r] * y.atom[i];
  });
  for (std::size_t r = 0; r < chosen.size(); ++r)
    if (chosen[r] != 0) result.box[r] = a[r] * x.box[r] + b[r] * y.box[r];
}

std::vector<double> largest_of_atoms(const AtomLayout& layout, std::span<const Vec3<double>> v,
                                     int threads) {
  const auto squares = maxima_of_replicas(layout, threads, [&](Index atom) {
    const Vec3<double>& of_atom = v[static_cast<std::size_t>(atom)];
    return dot(of_atom, of_atom);
  });
  std::vector<double> largest;
  for (const double square : squares) largest.push_back(std::sqrt(square));
  return largest;
}

void save(std::vector<double>& out, const AtomLayout& layout, Index replica, const JointVector& v) {
  for (Index atom = layout.first(replica); atom < layout.first(replica + 1); ++atom) {
    const Vec3<double>& a = v.atom[static_cast<std::size_t>(atom)];
    save_numbers(out, {a.x, a.y, a.z});
  }
  for (const Vec3<double>& a : v.box[static_cast<std::size_t>(replica)].row)
    save_numbers(out, {a.x, a.y, a.z});
}

void load(std::span<const double>& saved, const AtomLayout& layout, Index replica, JointVector& v) {
  const auto load_vector = [&](Vec3<double>& a) {
    const std::span<const double> numbers = take_numbers(saved, 3);
    a = {numbers[0], numbers[1], numbers[2]};
  };
  for (Index atom = layout.first(replica); atom < layout.first(replica + 1); ++atom)
    load_vector(v.atom[static_cast<std::size_t>(atom)]);
  for (Vec3<double>& a : v.box[static_cast<std::size_t>(replica)].row) load_vector(a);
}

}  // namespace larmor::atoms
