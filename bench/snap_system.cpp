#include "bench/snap_system.hpp"

#include <cmath>
#include <random>

#include "larmor/core/error.hpp"
#include "larmor/io/potentials/snap_files.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::atoms;

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

NeighbourRows SnapSystem::first_rows(Index count) const {
  NeighbourRows result = rows;
  result.first.resize(at(count + 1));
  result.neighbour.resize(at(result.first.back()));
  result.image.resize(result.neighbour.size());
  result.displacement.resize(result.neighbour.size());
  result.mirror.resize(result.neighbour.size());
  return result;
}

SnapSystem bcc_tungsten(Index cells, double cutoff) {
  constexpr double lattice_constant = 3.1803, amplitude = 0.06;  // Angstrom
  const double edge = lattice_constant * static_cast<double>(cells);
  SnapSystem system;
  system.box.vectors = {Vec3<double>{edge, 0, 0}, {0, edge, 0}, {0, 0, edge}};
  std::mt19937_64 generator(1);
  // Standard distributions are not used, since their numbers depend on the library.
  const auto off = [&] {
    return amplitude * (2 * static_cast<double>(generator() >> 11) * 0x1p-53 - 1);
  };
  for (Index n = 0; n < 2 * cells * cells * cells; ++n) {
    const Index cell = n / 2;
    const double centre = n % 2 == 0 ? 0 : 0.5;
    const auto along = [&](Index number) {
      return lattice_constant * (static_cast<double>(number) + centre) + off();
    };
    const double x = along(cell % cells), y = along(cell / cells % cells);
    system.positions.push_back({x, y, along(cell / (cells * cells))});
  }
  system.elements.assign(system.positions.size(), 0);
  system.rows = find_neighbours(system.box, system.positions, cutoff);
  return system;
}

snap::SnapPotential made_up_potential(int twojmax) {
  snap::SnapPotential potential;
  potential.parameters.rcutfac = 4.73442;
  potential.parameters.twojmax = twojmax;
  snap::SnapElement tungsten{"W", 0.5, 1, {}};
  const long count = snap::coefficient_count(potential.parameters, 1);
  // The coefficients resemble fitted ones: they have both signs, and are smaller if there are more
  // of them.
  for (long k = 0; k < count; ++k)
    tungsten.coefficients.push_back(0.1 / static_cast<double>(k + 1) *
                                    (k * k % 7 < 3 ? 1.0 : -1.0));
  potential.elements.push_back(tungsten);
  return potential;
}

snap::SnapPotential potential_of_files(const std::string& prefix) {
  const std::string coefficients = prefix + ".snapcoeff", parameters = prefix + ".snapparam";
  const std::vector<std::string> first = {io::read_snap_elements(coefficients).front()};
  snap::SnapPotential potential = io::read_snap(coefficients, parameters, first);
  const snap::SnapParameters& p = potential.parameters;
  for (const auto& [name, is_set] : {std::pair{"quadraticflag", p.quadraticflag},
                                     {"chemflag", p.chemflag},
                                     {"switchinnerflag", p.switchinnerflag}})
    if (is_set)
      throw InputError(parameters + ": larmor bench snap cannot measure a potential with " + name,
                       "use a linear potential without channels or an inner switch");
  return potential;
}

}  // namespace larmor::bench
