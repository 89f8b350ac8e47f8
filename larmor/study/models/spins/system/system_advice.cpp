#include "larmor/study/models/spins/system/system_advice.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "larmor/core/input/suggest.hpp"
#include "larmor/io/structures/uppasd.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {
namespace {

/// Cells along each lattice vector that keep a bond's neighbour nearer than its images; 0 along
/// vectors with enough cells. An image at an equal distance also asks for more cells.
std::array<Index, 3> cells_needed(const lattice::Geometry& geometry,
                                  const lattice::StencilBond& bond) {
  std::array<Index, 3> needed{};
  for (std::size_t d = 0; d < 3; ++d) {
    if (!geometry.periodic[d]) continue;
    const Vec3<double> around = static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d];
    const double nearest = std::min(length(bond.r - around), length(bond.r + around)) * (1 - 1e-9);
    if (nearest > length(bond.r)) continue;
    needed[d] = std::max<Index>(2 * std::abs(bond.offset[d]) + 1, geometry.size[d] + 1);
  }
  return needed;
}

/// Does a term whose bonds are listed pair by pair have a pair of sites twice?
bool couples_twice(const spins::LoweredTerm& term) {
  // Longer lists belong to lattices so large that few bonds would reach around.
  constexpr std::size_t most = 1000000;
  if (term.pairs.size() > most) return false;
  std::vector<std::pair<Index, Index>> pairs;
  for (const spins::PairCoupling& c : term.pairs) pairs.push_back(std::minmax(c.bond.i, c.bond.j));
  std::sort(pairs.begin(), pairs.end());
  return std::adjacent_find(pairs.begin(), pairs.end()) != pairs.end();
}

/// Cells along each lattice vector that all bonds of a term need; 0 where there are enough.
std::array<Index, 3> cells_needed(const lattice::Geometry& geometry,
                                  const spins::LoweredTerm& term) {
  std::array<Index, 3> needed{};
  for (const spins::StencilCoupling& coupling : term.stencil) {
    const std::array<Index, 3> of_bond = cells_needed(geometry, coupling.bond);
    for (std::size_t d = 0; d < 3; ++d) needed[d] = std::max(needed[d], of_bond[d]);
  }
  return needed;
}

/// "a, b, c". A long list ends with the number of its other names.
std::string listed(std::vector<std::string> names) {
  constexpr std::size_t most = 4;
  if (names.size() <= most + 1) return comma_list(names);
  const std::size_t others = names.size() - most;
  names.resize(most);
  return fmt::format("{} and {} other terms", comma_list(names), others);
}

/// Texts for the terms whose bonds reach around the lattice.
void add_reach(const std::vector<spins::LoweredTerm>& terms, const lattice::Geometry& geometry,
               std::vector<std::string>& advice) {
  std::vector<std::string> twice, around;
  std::array<Index, 3> needed{};
  for (const spins::LoweredTerm& term : terms) {
    const std::array<Index, 3> of_term = cells_needed(geometry, term);
    if (couples_twice(term)) {
      twice.push_back(term.name);
    } else if (of_term != std::array<Index, 3>{}) {
      around.push_back(term.name);
      for (std::size_t d = 0; d < 3; ++d) needed[d] = std::max(needed[d], of_term[d]);
    }
  }
  if (!twice.empty())
    advice.push_back(listed(twice) +
                     ": some pairs of sites are coupled twice, once around the periodic lattice. "
                     "A larger size avoids this");
  if (around.empty()) return;
  std::vector<std::string> along;
  for (std::size_t d = 0; d < 3; ++d)
    if (needed[d] > 0) along.push_back(fmt::format("{} along vector {}", needed[d], d + 1));
  advice.push_back(fmt::format(
      "{}: bonds reach around the periodic lattice. A site couples twice with the same neighbour, "
      "or with an image of a neighbour that is not its nearest image. A size of at least {} avoids "
      "this",
      listed(around), comma_list(along)));
}

bool couples(const spins::LoweredTerm& term) {
  return !term.stencil.empty() || !term.pairs.empty() || term.long_range;
}

bool is_given(const TablePosition& table, const char* key) {
  const SourcePosition own = table.of(key);
  return own.line != table.line || own.column != table.column;
}

}  // namespace

std::vector<std::string> system_advice(const SystemTables& tables,
                                       const lattice::Geometry& geometry,
                                       const std::vector<spins::LoweredTerm>& terms) {
  std::vector<std::string> advice;
  if (terms.empty())
    advice.push_back("the study has no term of a Hamiltonian: the energy of all spins is 0");
  else if (std::none_of(terms.begin(), terms.end(), couples))
    advice.push_back("no term couples two spins: each is independent");
  add_reach(terms, geometry, advice);
  for (const spins::LoweredTerm& term : terms)
    if (!term.warning.empty()) advice.push_back(term.warning);
  const LatticeTable& lattice = tables.lattice;
  if (lattice.momfile) {
    const auto directions = io::read_uppasd_directions(path_of(tables, *lattice.momfile),
                                                       geometry.crystal.basis.size());
    if (std::any_of(directions.begin(), directions.end(),
                    [](const Vec3<double>& e) { return !(e.x == 0 && e.y == 0 && e.z > 0); }))
      advice.push_back("the directions of the spins in '" + *lattice.momfile +
                       "' are not used: the table [initial] sets the spins at the beginning");
  }
  if (tables.context.units == UnitSystem::material && !lattice.file &&
      !is_given(lattice.where, "constant"))
    advice.push_back(
        "the lattice has no constant, so 1 Å is used; the constant scales positions, dipoles and "
        "wave vectors in 1/Å");
  return advice;
}

}  // namespace larmor::study
