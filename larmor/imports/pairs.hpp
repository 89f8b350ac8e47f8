#pragma once
// Pairs of atoms, from files that list each pair in both directions, and tables of terms for pairs.

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/input/value.hpp"
#include "larmor/io/structures/directed_bonds.hpp"

namespace larmor::imports {

/// One direction of a bond, between two atoms or between two species of an alloy on them.
struct BondEnds {
  io::DirectedBond bond;
  std::array<Index, 2> species{};  ///< numbers in the other program; equal without an alloy

  BondEnds reversed() const { return {bond.reversed(), {species[1], species[0]}}; }
  /// Is this the direction that a study has? It leads to a later atom, or to a later cell.
  bool is_first() const;
  friend auto operator<=>(const BondEnds&, const BondEnds&) = default;
};

/// The rows of a file by the ends of their bonds.
class RowsByEnds {
 public:
  /// The two rows of a pair.
  struct Pair {
    BondEnds ends;
    std::size_t there, back;
  };

  /// The row that has these ends: `row`, unless an earlier one has them.
  std::size_t add(const BondEnds& ends, std::size_t row);

  /// Each pair once, in the order of the file.
  /// @param refuse throws an error for a bond without its reverse
  std::vector<Pair> pairs(
      const std::function<void(const BondEnds& ends, std::size_t row)>& refuse) const;

 private:
  std::map<BondEnds, std::size_t> row_of_;
  std::vector<std::pair<BondEnds, std::size_t>> order_;
};

/// The tables of a term, such as [[exchange]]. Bonds of equal ends and numbers share a table, in
/// which their cells stand in one order: sums over bonds then do not depend on that of the file.
class BondTables {
 public:
  /// @param name "exchange" @param key the key of the coupling, such as "J"
  BondTables(std::string name, std::string key) : name_(std::move(name)), key_(std::move(key)) {}

  /// @param numbers the coupling; bonds of a table have equal numbers
  /// @param coupling these numbers as a value with its place
  /// @param where the row of the bond
  /// @param between the two species of an alloy; empty without an alloy
  void add(const BondEnds& ends, const std::vector<double>& numbers, Value coupling,
           const SourceMark& where, const std::vector<std::string>& between = {});

  /// Appends the tables to those that the study has.
  void append_to(Value& study) const;

 private:
  struct Table {
    std::array<int, 2> atoms;
    Value coupling;
    Value::Array between;
    SourceMark where;
    std::map<std::array<int, 3>, SourceMark> offsets;  ///< rows by the cell of the second atom
  };
  using Key = std::pair<std::pair<std::array<int, 2>, std::array<Index, 2>>, std::vector<double>>;

  std::string name_, key_;
  std::map<Key, std::size_t> table_of_;
  std::vector<Table> tables_;
};

}  // namespace larmor::imports
