#include "larmor/io/graphs/edge_list.hpp"

#include <algorithm>

#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/graphs/problem_entries.hpp"

namespace larmor::io {
namespace {

Index site_of(const TextRow& row, std::size_t column, Index sites) {
  const Index site = row.integer(column, column == 0 ? "i" : "j");
  if (site < 0 || site >= sites)
    throw InputError("there is no site " + std::to_string(site), row.position(column),
                     "sites are counted from 0 to " + std::to_string(sites - 1));
  return site;
}

/// @param lines line of each bond in the file
void refuse_doubled(const std::string& path, const std::vector<lattice::CoupledPair>& bonds,
                    const std::vector<int>& lines) {
  const auto doubled =
      doubled_pair(bonds.size(), [&](std::size_t n) { return std::pair(bonds[n].i, bonds[n].j); });
  if (!doubled) return;
  const auto [i, j] = std::minmax(bonds[doubled->second].i, bonds[doubled->second].j);
  throw InputError("the bond of " + std::to_string(i) + " and " + std::to_string(j) +
                       " is given twice, first in line " + std::to_string(lines[doubled->first]),
                   SourcePosition{path, lines[doubled->second], 1, ""},
                   "list each pair once, in either order");
}

}  // namespace

std::vector<lattice::CoupledPair> read_edge_list(const std::string& path, Index sites,
                                                 std::optional<double> J) {
  const std::size_t columns = J ? 2 : 3;
  const std::string names = J ? "i j" : "i j J";
  TextRowReader reader(path);
  std::vector<lattice::CoupledPair> bonds;
  std::vector<int> lines;
  while (reader.next_data()) {
    const TextRow& row = reader.row();
    row.require_columns(columns, names);
    if (row.columns() > columns)
      throw InputError("a row has " + std::to_string(row.columns()) + " columns",
                       row.position(columns),
                       "write " + names + (J ? ", or leave the key J out" : ""));
    const Index i = site_of(row, 0, sites), j = site_of(row, 1, sites);
    if (i == j)
      throw InputError("a bond couples site " + std::to_string(i) + " with itself", row.position(1),
                       "name two different sites");
    bonds.push_back({i, j, J ? *J : row.real(2, "J")});
    lines.push_back(row.line());
  }
  if (bonds.empty())
    throw InputError("the file lists no bond", reader.end(), "write rows of " + names);
  refuse_doubled(path, bonds, lines);
  return bonds;
}

}  // namespace larmor::io
