#include "larmor/study/models/discrete/stages/strip_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "larmor/core/error.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"

namespace larmor::study {
namespace {

/// Bonds with ordered ends, in order.
std::vector<std::tuple<int, int, double>> sorted_bonds(const transfer::RowModel& row) {
  std::vector<std::tuple<int, int, double>> bonds;
  for (const transfer::RowBond& bond : row.bonds)
    bonds.emplace_back(std::min(bond.i, bond.j), std::max(bond.i, bond.j), bond.K);
  std::ranges::sort(bonds);
  return bonds;
}

bool are_equal(const transfer::RowModel& a, const transfer::RowModel& b) {
  return a.h == b.h && sorted_bonds(a) == sorted_bonds(b);
}

/// Are two sites of a row nearest neighbours along one axis?
bool are_neighbours(const std::vector<Index>& lengths, Index i, Index j) {
  Index steps = 0;
  for (std::size_t axis = 0; axis + 1 < lengths.size(); ++axis) {
    const Index length = lengths[axis], distance = std::abs(i % length - j % length);
    steps += std::min(distance, length - distance);
    i /= length;
    j /= length;
  }
  return steps == 1;
}

/// Adds J of a bond between rows to the couplings of the lower row. @return false: the bond does
/// not lead to the same place of the next row
bool add_to_next(StripRows& strip, Index i, Index j, double J) {
  const Index from = i / strip.sites, to = j / strip.sites, place = i % strip.sites;
  if (place != j % strip.sites) return false;
  const bool is_up = to == from + 1 || (strip.is_closed && from + 1 == strip.rows && to == 0);
  const bool is_down = from == to + 1 || (strip.is_closed && to + 1 == strip.rows && from == 0);
  if (!is_up && !is_down) return false;
  strip.row[static_cast<std::size_t>(is_up ? from : to)].K_next[static_cast<std::size_t>(place)] +=
      J;
  return true;
}

}  // namespace

/// Does a bond of a row cross the border of the first axis?
bool StripRows::crosses_border(Index i, Index j) const {
  const Index x = i % first_length_, y = j % first_length_, most = first_length_ - 1;
  if (i - x != j - y) return false;
  return (x == most && y == 0) || (most > 1 && x == 0 && y == most);
}

StripRows strip_rows(const DiscreteTables& tables, const DiscreteSites& sites, Index replica) {
  if (!sites.is_grid())
    throw InputError("a transfer matrix needs a grid of sites", tables.lattice.where.of("type"),
                     "use a chain, a square or simple cubic lattice, or the key grid");
  const std::vector<Index>& lengths = sites.grid.lengths;
  const std::size_t last = lengths.size() - 1;
  StripRows strip;
  strip.rows = lengths[last];
  if (strip.rows < 2)
    throw InputError("a strip of one row has no bonds along its last axis",
                     tables.lattice.where.of("size"),
                     "give the last axis 2 sites or more; equal rows make an infinite strip");
  strip.sites = sites.count / strip.rows;
  strip.is_closed = sites.grid.periodic[last];
  strip.first_length_ = last > 0 ? lengths[0] : 1;
  strip.has_wall = last > 0 && sites.grid.periodic[0] && lengths[0] > 1;
  const auto row_sites = static_cast<std::size_t>(strip.sites);
  transfer::RowModel empty;
  empty.sites = static_cast<int>(strip.sites);
  empty.K_next.assign(row_sites, 0);
  strip.row.assign(static_cast<std::size_t>(strip.rows), empty);
  const std::vector<double> fields = site_fields(tables, sites);
  for (Index r = 0; r < strip.rows; ++r) {
    const auto first = fields.begin() + r * strip.sites;
    strip.row[static_cast<std::size_t>(r)].h.assign(first, first + strip.sites);
  }
  const ising::PottsDefinition definition = potts_definition(tables, sites);
  for (std::size_t n = 0; n < definition.bonds.size(); ++n) {
    const lattice::CoupledPair& bond = definition.bonds[n];
    const double J =
        bond.J +
        (definition.of_replica ? definition.of_replica(static_cast<Index>(n), replica) : 0);
    const Index r = bond.i / strip.sites;
    if (r != bond.j / strip.sites) {
      if (add_to_next(strip, bond.i, bond.j, J)) continue;
      throw InputError(
          fmt::format("the bond of sites {} and {} leads from a row to another place of a row",
                      bond.i, bond.j),
          tables.exchange.front().where,
          "rows lie across the last axis: bonds join sites of a row, or equal places of "
          "neighbouring rows");
    }
    const Index i = bond.i % strip.sites, j = bond.j % strip.sites;
    std::vector<transfer::RowBond>& bonds = strip.row[static_cast<std::size_t>(r)].bonds;
    strip.has_wall = strip.has_wall && are_neighbours(lengths, i, j);
    if (r == 0 && strip.has_wall && strip.crosses_border(i, j))
      strip.border_.push_back(std::ssize(bonds));
    bonds.push_back({static_cast<int>(i), static_cast<int>(j), J});
  }
  const Index joined = strip.is_closed ? strip.rows : strip.rows - 1;
  // Disorder makes rows differ, even if the values of some rows are equal by chance.
  strip.is_uniform = std::ranges::none_of(
      tables.exchange, [](const ScalarExchange& exchange) { return exchange.disorder > 0; });
  for (Index r = 1; r < strip.rows; ++r) {
    const transfer::RowModel& row = strip.row[static_cast<std::size_t>(r)];
    strip.is_uniform = strip.is_uniform && are_equal(row, strip.row.front()) &&
                       (r >= joined || row.K_next == strip.row.front().K_next);
  }
  return strip;
}

bool StripRows::has_field() const {
  return std::ranges::any_of(row, &transfer::RowModel::has_field);
}

transfer::RowModel StripRows::at(Index number, double temperature, bool wall) const {
  transfer::RowModel model = row[static_cast<std::size_t>(number)];
  for (transfer::RowBond& bond : model.bonds) bond.K /= temperature;
  for (double& h : model.h) h /= temperature;
  for (double& K : model.K_next) K /= temperature;
  if (wall)
    for (const Index bond : border_) model.bonds[static_cast<std::size_t>(bond)].K *= -1;
  return model;
}

std::vector<double> StripRows::next_couplings(Index number, double temperature) const {
  std::vector<double> K = row[static_cast<std::size_t>(number)].K_next;
  for (double& value : K) value /= temperature;
  return K;
}

transfer::RowModel StripRows::all_bonds() const {
  transfer::RowModel model = row.front();
  for (std::size_t r = 1; r < row.size(); ++r)
    if (!are_equal(row[r], row.front()))
      model.bonds.insert(model.bonds.end(), row[r].bonds.begin(), row[r].bonds.end());
  for (transfer::RowBond& bond : model.bonds) bond.K = 1;
  return model;
}

}  // namespace larmor::study
