#include "larmor/quantum/spin_model.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::quantum {
namespace {

bool are_zero(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return number == 0; });
}

double spin(Index word, int site) { return (word >> site & 1) != 0 ? 1 : -1; }

}  // namespace

bool SpinModel::conserves_magnetisation() const { return are_zero(Gamma); }

bool SpinModel::is_even() const { return are_zero(hz); }

double SpinModel::upper_bound() const {
  double bound = constant;
  for (const SpinBond& bond : bonds)
    bound += bond.i == bond.j ? -bond.Jz - 2 * bond.Jxy
                              : std::max(-bond.Jz, bond.Jz + 2 * std::abs(bond.Jxy));
  for (std::size_t i = 0; i < static_cast<std::size_t>(sites); ++i)
    bound += std::hypot(hz[i], Gamma[i]);
  return bound;
}

double SpinModel::energy(Index word) const {
  double energy = constant;
  for (const SpinBond& bond : bonds)
    energy -= bond.i == bond.j ? bond.Jz + 2 * bond.Jxy
                               : bond.Jz * spin(word, bond.i) * spin(word, bond.j);
  for (int i = 0; i < sites; ++i) energy -= hz[static_cast<std::size_t>(i)] * spin(word, i);
  return energy;
}

std::vector<Sector> sectors_of(const SpinModel& model) {
  if (model.conserves_magnetisation()) {
    std::vector<Sector> sectors;
    for (int up = model.sites; up >= 0; --up) sectors.push_back({Sector::Kind::magnetisation, up});
    return sectors;
  }
  if (model.is_even()) return {{Sector::Kind::even}, {Sector::Kind::odd}};
  return {{Sector::Kind::all}};
}

}  // namespace larmor::quantum
