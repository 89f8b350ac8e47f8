#include "larmor/lattice/bond_selection.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "larmor/lattice/input.hpp"

namespace larmor::lattice {
namespace {

std::string pair_text(const std::array<Index, 2>& p) {
  return "[" + std::to_string(p[0]) + ", " + std::to_string(p[1]) + "]";
}

std::vector<PairBond> explicit_pairs(const BondSelection& selection, const std::string& term,
                                     const Geometry& geometry) {
  std::vector<PairBond> bonds;
  std::set<std::array<Index, 2>> seen;
  for (const std::array<Index, 2>& p : selection.pairs) {
    if (p[0] == p[1])
      throw InputError(term + ": the pair " + pair_text(p) + " couples a site with itself",
                       selection.where.of("pairs"),
                       "name two different sites; an anisotropy acts on one site");
    if (std::max(p[0], p[1]) >= geometry.sites())
      throw InputError(term + ": the pair " + pair_text(p) + " names a site that does not exist",
                       selection.where.of("pairs"),
                       "sites are counted from 0 to " + std::to_string(geometry.sites() - 1));
    if (!seen.insert({std::min(p[0], p[1]), std::max(p[0], p[1])}).second)
      throw InputError(term + ": the pair " + pair_text(p) + " is given twice",
                       selection.where.of("pairs"), "list each pair once, in either order");
    bonds.push_back({p[0], p[1], separation(geometry, p[0], p[1])});
  }
  return bonds;
}

std::vector<PairBond> all_pairs(const Geometry& geometry) {
  std::vector<PairBond> bonds;
  bonds.reserve(static_cast<std::size_t>(geometry.sites() * (geometry.sites() - 1) / 2));
  for (Index i = 0; i < geometry.sites(); ++i)
    for (Index j = i + 1; j < geometry.sites(); ++j)
      bonds.push_back({i, j, separation(geometry, i, j)});
  return bonds;
}

std::vector<StencilBond> offset_bonds(const BondSelection& selection, const std::string& term,
                                      const Geometry& geometry) {
  const auto atoms = static_cast<Index>(geometry.crystal.basis.size());
  if (std::max(selection.atoms[0], selection.atoms[1]) >= atoms)
    throw InputError(term + ": atoms = " + pair_text(selection.atoms) + " is not in the basis",
                     selection.where.of("atoms"),
                     "basis atoms are counted from 0 to " + std::to_string(atoms - 1));
  std::vector<StencilBond> bonds;
  for (const std::array<Index, 3>& o : selection.offset) {
    const std::array<int, 3> offset{static_cast<int>(o[0]), static_cast<int>(o[1]),
                                    static_cast<int>(o[2])};
    const auto bond = stencil_by_offset(geometry, static_cast<int>(selection.atoms[0]),
                                        static_cast<int>(selection.atoms[1]), offset);
    for (const StencilBond& known : bonds)
      if (same_bond(known, bond))
        throw InputError(term + ": an offset is given twice, or together with its reverse",
                         selection.where.of("offset"),
                         "give each bond once; the reverse of each bond is implied");
    bonds.push_back(bond);
  }
  return bonds;
}

/// Lengths of bonds outside the shell that are close to the length of the shell.
std::vector<double> lengths_close_to(const SelectedBonds& shell, const BondSelection& selection,
                                     const Geometry& geometry) {
  std::vector<double> close;
  const auto add_if_close = [&](double distance, double other) {
    const double share = std::abs(other - distance) / distance;
    if (share > input_tolerance && share < warning_margin) close.push_back(other);
  };
  if (geometry.is_lattice()) {
    const double distance = length(shell.stencil.front().r);
    for (const StencilBond& bond : stencil_between_sites(geometry, distance * (1 + warning_margin)))
      if (may_join(geometry, bond.from, bond.to, selection.between))
        add_if_close(distance, length(bond.r));
    return close;
  }
  const double distance = length(shell.pairs.front().r);
  const double cutoff = std::min(distance * (1 + warning_margin), farthest_pair(geometry));
  for_each_pair_within(geometry, cutoff, [&](const PairBond& bond) {
    if (may_join(geometry, bond.i, bond.j, selection.between))
      add_if_close(distance, length(bond.r));
  });
  return close;
}

std::string warning_of(const SelectedBonds& shell, const BondSelection& selection,
                       const std::string& term, const Geometry& geometry) {
  if (shell.stencil.empty() && shell.pairs.empty()) return "";
  const double distance =
      length(geometry.is_lattice() ? shell.stencil.front().r : shell.pairs.front().r);
  const std::vector<double> close = lengths_close_to(shell, selection, geometry);
  if (close.empty()) return "";
  const double other = *std::min_element(close.begin(), close.end(), [&](double a, double b) {
    return std::abs(a - distance) < std::abs(b - distance);
  });
  return fmt::format(
      "{}: shell {} has bonds of length {:.6g}, and bonds of length {:.6g} belong to another "
      "shell. "
      "Lengths of a shell agree within {:.1g} per cent: if you mean one shell, write positions "
      "with "
      "more digits",
      term, *selection.shell, distance, other, 100 * input_tolerance);
}

/// Keeps the bonds of `offset` whose first site has the first species, and whose second site has
/// the second one.
void keep_offsets_between(const BondSelection& selection, const std::string& term,
                          const Geometry& geometry, SelectedBonds& bonds) {
  const auto& [first, second] = *selection.between;
  if (!geometry.may_hold(selection.atoms[0], first) ||
      !geometry.may_hold(selection.atoms[1], second))
    throw InputError(term + ": the atoms of `atoms` do not have the species of `between`",
                     selection.where.of("between"),
                     "give the species of atoms[0], then that of atoms[1]");
  if (geometry.substitutes.empty()) return;
  bonds = pair_by_pair(bonds, geometry);
  std::erase_if(bonds.pairs, [&](const PairBond& pair) {
    return geometry.species(pair.i) != first || geometry.species(pair.j) != second;
  });
}

}  // namespace

SelectedBonds select_bonds(const BondSelection& selection, const std::string& term,
                           const Geometry& geometry) {
  const int ways = int(selection.shell.has_value()) + int(!selection.offset.empty()) +
                   int(!selection.pairs.empty()) + int(selection.all_pairs);
  if (ways != 1)
    throw InputError(
        term + (ways == 0 ? " does not select its bonds" : " selects its bonds in several ways"),
        selection.where.of({"shell", "offset"}), "give one of shell, offset and pairs");
  SelectedBonds bonds;
  if (selection.all_pairs) {
    bonds.pairs = all_pairs(geometry);
  } else if (!selection.pairs.empty()) {
    bonds.pairs = explicit_pairs(selection, term, geometry);
  } else if (!selection.offset.empty()) {
    if (!geometry.is_lattice())
      throw InputError(term + ": offsets need a lattice", selection.where.of("offset"),
                       "use shell or pairs for plain positions");
    bonds.stencil = offset_bonds(selection, term, geometry);
  } else if (geometry.is_lattice()) {
    bonds.stencil =
        stencil_by_shell(geometry, static_cast<int>(*selection.shell), selection.between);
  } else {
    bonds.pairs = pairs_by_shell(geometry, static_cast<int>(*selection.shell), selection.between);
  }
  if (selection.shell) bonds.warning = warning_of(bonds, selection, term, geometry);
  const auto outside = [&](const StencilBond& bond) { return !fits(geometry, bond); };
  // A thin open lattice need not hold every bond of a shell. It must hold a bond that the user
  // names by its offset.
  const bool nowhere = selection.offset.empty()
                           ? std::all_of(bonds.stencil.begin(), bonds.stencil.end(), outside)
                           : std::any_of(bonds.stencil.begin(), bonds.stencil.end(), outside);
  if (nowhere && !bonds.stencil.empty())
    throw InputError(
        term + " selects bonds that are too long: none fits between the open boundaries",
        selection.where.of({"shell", "offset"}),
        "enlarge the lattice, or make its boundaries periodic");
  if (bonds.stencil.empty() && bonds.pairs.empty())
    throw InputError(term + " selects no bond at all", selection.where.of({"shell", "pairs"}),
                     "check shell, between and the species of the lattice");
  if (selection.shell && selection.between && !geometry.substitutes.empty()) {
    // A stencil would hold all translates of a bond, but only some join the two species.
    bonds = pair_by_pair(bonds, geometry);
    std::erase_if(bonds.pairs, [&](const PairBond& pair) {
      return !joins(geometry, pair.i, pair.j, selection.between);
    });
  }
  if (selection.between && !selection.offset.empty())
    keep_offsets_between(selection, term, geometry, bonds);
  return bonds;
}

SelectedBonds pair_by_pair(const SelectedBonds& bonds, const Geometry& geometry) {
  SelectedBonds out;
  out.warning = bonds.warning;
  for (const PairBond& pair : bonds.pairs)
    if (joins(geometry, pair.i, pair.j, {})) out.pairs.push_back(pair);
  out.pairs.reserve(bonds.pairs.size() +
                    bonds.stencil.size() * static_cast<std::size_t>(geometry.cells()));
  const auto atoms = static_cast<Index>(geometry.crystal.basis.size());
  for (const StencilBond& bond : bonds.stencil)
    for (Index site = bond.from; site < geometry.sites(); site += atoms)
      if (const Index other = neighbour(geometry, site, bond);
          other >= 0 && joins(geometry, site, other, {}))
        out.pairs.push_back({site, other, bond.r});
  return out;
}

}  // namespace larmor::lattice
