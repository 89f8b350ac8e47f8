#include "larmor/study/models/discrete/stages/strip_rows.hpp"

#include <algorithm>

#include "larmor/core/error.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"

namespace larmor::study {
namespace {

bool are_equal(const transfer::RowModel& a, const transfer::RowModel& b) {
  return std::ranges::equal(a.bonds, b.bonds, [](const auto& x, const auto& y) {
    return x.i == y.i && x.j == y.j && x.K == y.K;
  });
}

}  // namespace

StripRows strip_rows(const DiscreteTables& tables, const DiscreteSites& sites, Index replica) {
  if (!sites.is_grid())
    throw InputError("a transfer matrix needs a grid of sites", tables.lattice.where.of("type"),
                     "use a chain, a square or simple cubic lattice, or the key grid");
  const std::vector<double> J = couplings_of_grid(tables, sites, replica);
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
  strip.has_wall = last > 0 && sites.grid.periodic[0] && lengths[0] > 1;
  const auto N = static_cast<std::size_t>(sites.count);
  for (Index r = 0; r < strip.rows; ++r) {
    transfer::RowModel row;
    row.sites = static_cast<int>(strip.sites);
    row.h.assign(static_cast<std::size_t>(strip.sites), tables.field.h);
    for (Index s = 0; s < strip.sites; ++s)
      row.K_next.push_back(J[last * N + static_cast<std::size_t>(r * strip.sites + s)]);
    Index stride = 1;
    for (std::size_t axis = 0; axis < last; ++axis) {
      const Index length = lengths[axis];
      for (Index s = 0; s < strip.sites && length > 1; ++s) {
        const Index x = s / stride % length;
        const bool crosses = x + 1 == length;
        if (crosses && !sites.grid.periodic[axis]) continue;
        if (r == 0 && axis == 0 && crosses) strip.border_.push_back(std::ssize(row.bonds));
        row.bonds.push_back({static_cast<int>(s),
                             static_cast<int>(s + ((x + 1) % length - x) * stride),
                             J[axis * N + static_cast<std::size_t>(r * strip.sites + s)]});
      }
      stride *= length;
    }
    strip.row.push_back(std::move(row));
  }
  const Index joined = strip.is_closed ? strip.rows : strip.rows - 1;
  strip.is_uniform = true;
  for (Index r = 1; r < strip.rows; ++r) {
    const transfer::RowModel& row = strip.row[static_cast<std::size_t>(r)];
    strip.is_uniform = strip.is_uniform && are_equal(row, strip.row.front()) &&
                       (r >= joined || row.K_next == strip.row.front().K_next);
  }
  return strip;
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
  for (transfer::RowBond& bond : model.bonds) bond.K = 1;
  return model;
}

}  // namespace larmor::study
