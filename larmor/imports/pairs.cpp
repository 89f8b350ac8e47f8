#include "larmor/imports/pairs.hpp"

#include "larmor/imports/values.hpp"

namespace larmor::imports {

bool BondEnds::is_first() const {
  return bond.from != bond.to ? bond.from < bond.to : bond.offset > std::array<int, 3>{0, 0, 0};
}

std::size_t RowsByEnds::add(const BondEnds& ends, std::size_t row) {
  const auto [place, is_new] = row_of_.try_emplace(ends, row);
  if (is_new) order_.emplace_back(ends, row);
  return place->second;
}

std::vector<RowsByEnds::Pair> RowsByEnds::pairs(
    const std::function<void(const BondEnds& ends, std::size_t row)>& refuse) const {
  std::vector<Pair> found;
  for (const auto& [ends, row] : order_) {
    const auto back = row_of_.find(ends.reversed());
    if (back == row_of_.end())
      refuse(ends, row);
    else if (ends.is_first())
      found.push_back({ends, row, back->second});
  }
  return found;
}

void BondTables::add(const BondEnds& ends, const std::vector<double>& numbers, Value coupling,
                     const SourceMark& where, const std::vector<std::string>& between) {
  const io::DirectedBond& bond = ends.bond;
  const std::array<int, 2> atoms{bond.from, bond.to};
  const auto [known, is_new] =
      table_of_.try_emplace({{atoms, ends.species}, numbers}, tables_.size());
  if (is_new)
    tables_.push_back({atoms, std::move(coupling), {between.begin(), between.end()}, where, {}});
  tables_[known->second].offsets.emplace(bond.offset, where);
}

void BondTables::append_to(Value& study) const {
  if (tables_.empty()) return;
  const SourceMark& first = tables_.front().where;
  Value::Array all;
  if (const Value* earlier = study.find(name_)) all = earlier->as_array();
  for (const Table& table : tables_) {
    Value stored = placed(Value(), table.where);
    stored.set(key_, table.coupling, table.coupling.source_mark());
    set_placed(stored, "atoms", Value(Value::Array{table.atoms[0], table.atoms[1]}), table.where);
    if (!table.between.empty()) set_placed(stored, "between", Value(table.between), table.where);
    Value::Array offsets;
    for (const auto& [cell, row] : table.offsets)
      offsets.push_back(placed(Value(Value::Array{cell[0], cell[1], cell[2]}), row));
    set_placed(stored, "offset", Value(std::move(offsets)), table.where);
    all.push_back(std::move(stored));
  }
  set_placed(study, name_, Value(std::move(all)), first);
}

}  // namespace larmor::imports
