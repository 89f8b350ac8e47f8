#include "larmor/lattice/nearest_neighbours.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "larmor/lattice/input.hpp"

namespace larmor::lattice {
namespace {

/// Factors by which the search goes farther if some neighbours are absent.
constexpr double farther_in_lattice = 3, farther_among_positions = 10;

StencilBond reversed(const StencilBond& bond) {
  return {bond.to, bond.from, {-bond.offset[0], -bond.offset[1], -bond.offset[2]}, -bond.r};
}

Span span_of(const Geometry& geometry) {
  Span span;
  for (std::size_t d = 0; d < 3; ++d)
    if (geometry.size[d] > 1) span.add(geometry.crystal.cell[d]);
  for (Index atom = 1; atom < static_cast<Index>(geometry.crystal.basis.size()); ++atom)
    span.add(geometry.position(atom) - geometry.position(0));
  return span;
}

/// Sorts bonds into shells by distance. Each shell keeps the given order.
template <class Bond>
std::vector<std::vector<Bond>> by_shell(const std::vector<Bond>& bonds) {
  std::vector<double> lengths, first;
  for (const Bond& bond : bonds) lengths.push_back(length(bond.r));
  std::sort(lengths.begin(), lengths.end());
  for (const double d : lengths)
    if (first.empty() || d > first.back() * (1 + input_tolerance)) first.push_back(d);
  std::vector<std::vector<Bond>> shells(first.size());
  for (const Bond& bond : bonds) {
    const auto next = std::upper_bound(first.begin(), first.end(), length(bond.r));
    shells[static_cast<std::size_t>(next - first.begin()) - 1].push_back(bond);
  }
  return shells;
}

/// The first shell, then those bonds of further shells that lie outside the span of the nearer
/// shells. The search ends if all bonds together span `whole`.
/// @param present returns the existing neighbours of a shell
template <class Bond, class Present>
auto spanning(const Span& whole, const std::vector<std::vector<Bond>>& shells,
              const Present& present) {
  std::vector<decltype(present(shells.front()))> found;
  Span span;
  for (const std::vector<Bond>& shell : shells) {
    if (span.dimensions() == whole.dimensions()) break;
    auto more = present(shell);
    std::erase_if(more, [&](const auto& bond) { return !found.empty() && span.holds(bond.r); });
    if (more.empty()) continue;
    for (const auto& bond : more) span.add(bond.r);
    found.push_back(std::move(more));
  }
  return found;
}

template <class Bond>
Span span_of(const std::vector<std::vector<Bond>>& shells) {
  Span span;
  for (const std::vector<Bond>& shell : shells)
    for (const Bond& bond : shell) span.add(bond.r);
  return span;
}

/// The shells in an infinite crystal, in which all neighbours exist.
template <class Bond>
std::vector<std::vector<Bond>> spanning(const Span& whole,
                                        const std::vector<std::vector<Bond>>& shells) {
  if (shells.empty()) return {};
  return spanning(whole, shells, [](const std::vector<Bond>& shell) { return shell; });
}

/// Within this distance each atom has a neighbour in every direction of the sample.
double spanning_distance(const Crystal& crystal) {
  double distance = 0;
  for (const Vec3<double>& a : crystal.cell) distance += length(a);
  double farthest = 0;
  for (const BasisAtom& atom : crystal.basis)
    farthest = std::max(
        farthest, length(crystal.cartesian(atom.fractional - crystal.basis.front().fractional)));
  return distance + 2 * farthest;
}

}  // namespace

NearestNeighbours::NearestNeighbours(const Geometry& geometry)
    : geometry_(geometry), whole_(span_of(geometry)) {
  if (geometry.is_lattice())
    find_in_lattice();
  else
    find_among_positions();
}

std::vector<NearestNeighbours::BondShells> NearestNeighbours::bonds_within(double cutoff) const {
  std::vector<std::vector<StencilBond>> bonds(geometry_.crystal.basis.size());
  for (const StencilBond& bond : stencil_between_sites(geometry_, cutoff)) {
    if (!whole_.holds(bond.r)) continue;
    bonds[static_cast<std::size_t>(bond.to)].push_back(reversed(bond));
    bonds[static_cast<std::size_t>(bond.from)].push_back(bond);
  }
  std::vector<BondShells> shells;
  for (const auto& of_atom : bonds) shells.push_back(by_shell(of_atom));
  return shells;
}

void NearestNeighbours::find_in_lattice() {
  const double most = spanning_distance(geometry_.crystal);
  for (double cutoff = most / 32;; cutoff *= 2) {
    of_atom_ = bonds_within(cutoff);
    complete_.clear();
    for (const BondShells& shells : of_atom_) complete_.push_back(spanning(whole_, shells));
    const bool span = std::all_of(complete_.begin(), complete_.end(), [&](const auto& shells) {
      return span_of(shells).dimensions() == whole_.dimensions();
    });
    if (span || cutoff >= most) break;
  }
  if (cells_are_alike()) return;
  double distance = 0;
  for (const BondShells& shells : complete_)
    if (!shells.empty()) distance = std::max(distance, length(shells.back().front().r));
  of_atom_ = bonds_within(farther_in_lattice * distance * (1 + input_tolerance));
}

void NearestNeighbours::find_among_positions() {
  const auto sites = static_cast<std::size_t>(geometry_.sites());
  std::vector<NearShell> near(sites);
  const auto add = [&](const PairBond& bond) {
    if (!geometry_.occupied(bond.i) || !geometry_.occupied(bond.j)) return;
    near[static_cast<std::size_t>(bond.i)].push_back({bond.j, bond.r});
    near[static_cast<std::size_t>(bond.j)].push_back({bond.i, -bond.r});
  };
  double cutoff = 0;
  for (const PairBond& bond : pairs_by_shell(geometry_, 1, {})) {
    cutoff = std::max(cutoff, length(bond.r));
    add(bond);
  }
  for (NearShell& shell : near)
    of_site_.push_back(shell.empty() ? std::vector<NearShell>{} : std::vector<NearShell>{shell});
  const double limit = std::min(farthest_pair(geometry_), farther_among_positions * cutoff);
  std::vector<bool> lacks(sites);
  const auto find_lacking = [&] {
    bool any = false;
    for (std::size_t site = 0; site < sites; ++site) {
      lacks[site] = geometry_.occupied(static_cast<Index>(site)) &&
                    span_of(of_site_[site]).dimensions() < whole_.dimensions();
      any = any || lacks[site];
    }
    return any;
  };
  while (find_lacking() && cutoff < limit) {
    cutoff = std::min(1.5 * cutoff, limit);
    for (NearShell& shell : near) shell.clear();
    for_each_pair_within(geometry_, cutoff, [&](const PairBond& bond) {
      if ((lacks[static_cast<std::size_t>(bond.i)] || lacks[static_cast<std::size_t>(bond.j)]) &&
          whole_.holds(bond.r))
        add(bond);
    });
    for (std::size_t site = 0; site < sites; ++site)
      if (lacks[site]) extend(of_site_[site], std::move(near[site]), cutoff);
  }
}

/// @param near all neighbours up to the cutoff. A last shell that the cutoff may divide is ignored.
void NearestNeighbours::extend(std::vector<NearShell>& shells, NearShell near,
                               double cutoff) const {
  std::sort(near.begin(), near.end(),
            [](const NearSite& a, const NearSite& b) { return a.site < b.site; });
  const double whole_shell = cutoff / (1 + input_tolerance);
  std::erase_if(near, [&](const NearSite& n) { return length(n.r) > whole_shell; });
  if (shells.empty()) {
    shells = spanning(whole_, by_shell(near));
    return;
  }
  // The first shell stays, because `near` may hold only its shortest bonds. Other bonds of the
  // shell may be slightly longer.
  NearShell first = std::move(shells.front());
  std::erase_if(near, [&](const NearSite& n) {
    return std::any_of(first.begin(), first.end(),
                       [&](const NearSite& known) { return known.site == n.site; });
  });
  std::vector<NearShell> all = by_shell(near);
  all.insert(all.begin(), std::move(first));
  shells = spanning(whole_, all);
}

std::vector<NearShell> NearestNeighbours::present(Index site, const BondShells& bonds) const {
  const auto there = [&](const std::vector<StencilBond>& shell) {
    NearShell near;
    for (const StencilBond& bond : shell)
      if (const Index other = neighbour(geometry_, site, bond);
          other >= 0 && geometry_.occupied(other))
        near.push_back({other, bond.r});
    return near;
  };
  if (bonds.empty()) return {};
  return spanning(whole_, bonds, there);
}

std::vector<NearShell> NearestNeighbours::shells_of(Index site) const {
  if (!geometry_.is_lattice()) return of_site_[static_cast<std::size_t>(site)];
  if (!geometry_.occupied(site)) return {};
  const auto atom = static_cast<std::size_t>(geometry_.basis_index(site));
  return present(site, of_atom_[atom]);
}

std::vector<NearSite> NearestNeighbours::neighbours_of(Index site) const {
  std::vector<NearSite> all;
  for (const NearShell& shell : shells_of(site)) all.insert(all.end(), shell.begin(), shell.end());
  return all;
}

Index NearestNeighbours::distinct_sites() const {
  return cells_are_alike() ? static_cast<Index>(geometry_.crystal.basis.size()) : geometry_.sites();
}

Index NearestNeighbours::most_neighbours() const {
  std::size_t most = 0;
  for (Index site = 0; site < distinct_sites(); ++site)
    most = std::max(most, neighbours_of(site).size());
  return static_cast<Index>(most);
}

Index NearestNeighbours::reach(std::size_t d) const {
  Index most = 0;
  for (const BondShells& shells : cells_are_alike() ? complete_ : of_atom_)
    for (const std::vector<StencilBond>& shell : shells)
      for (const StencilBond& bond : shell) most = std::max<Index>(most, std::abs(bond.offset[d]));
  return most;
}

}  // namespace larmor::lattice
