#include "larmor/atoms/neighbours/pair_gradients.hpp"

#include <numeric>

namespace larmor::atoms {
namespace {

/// result[i] = sum of visit(entry, f_ij) over the row of i.
template <class Sum, class Visit>
std::vector<Sum> sums_of_rows(const NeighbourRows& rows, std::span<const Vec3<double>> gradient,
                              const Visit& visit) {
  std::vector<Sum> sums(static_cast<std::size_t>(rows.atoms()));
  for (std::size_t i = 0; i < sums.size(); ++i)
    for (Index n = rows.first[i]; n < rows.first[i + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      visit(sums[i], entry,
            gradient[entry] - gradient[static_cast<std::size_t>(rows.mirror[entry])]);
    }
  return sums;
}

}  // namespace

void PairGradients::add(const PairGradients& other) {
  for (std::size_t i = 0; i < energy.size(); ++i) energy[i] += other.energy[i];
  for (std::size_t n = 0; n < gradient.size(); ++n) gradient[n] += other.gradient[n];
}

std::vector<Vec3<double>> forces(const NeighbourRows& rows,
                                 std::span<const Vec3<double>> gradient) {
  return sums_of_rows<Vec3<double>>(
      rows, gradient, [](Vec3<double>& sum, std::size_t, const Vec3<double>& f) { sum += f; });
}

std::vector<SymmetricTensor> virials(const NeighbourRows& rows,
                                     std::span<const Vec3<double>> gradient) {
  return sums_of_rows<SymmetricTensor>(
      rows, gradient, [&](SymmetricTensor& sum, std::size_t entry, const Vec3<double>& f) {
        const Vec3<double> r = -0.5 * rows.displacement[entry];
        sum[0] += r.x * f.x;
        sum[1] += r.y * f.y;
        sum[2] += r.z * f.z;
        sum[3] += r.x * f.y;
        sum[4] += r.x * f.z;
        sum[5] += r.y * f.z;
      });
}

double total(std::span<const double> energies) {
  return std::accumulate(energies.begin(), energies.end(), 0.0);
}

SymmetricTensor total(std::span<const SymmetricTensor> virials) {
  SymmetricTensor sum{};
  for (const SymmetricTensor& virial : virials)
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += virial[c];
  return sum;
}

}  // namespace larmor::atoms
