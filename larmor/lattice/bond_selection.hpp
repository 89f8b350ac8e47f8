#pragma once
// How a two-spin term names its bonds: by shell, by offset between basis atoms, or pair by pair.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/lattice/bonds.hpp"

namespace larmor::lattice {

struct BondSelection {
  std::optional<Index> shell;
  std::optional<std::array<std::string, 2>> between;
  std::vector<std::array<Index, 3>> offset;
  std::array<Index, 2> atoms{0, 0};
  std::vector<std::array<Index, 2>> pairs;
  bool all_pairs = false;  ///< a key of the terms that have it
  TablePosition where;
};

/// The selected bonds, each once; stencil on a lattice, explicit otherwise, and where the species
/// of an alloy are chosen. Bonds to vacancies may be among them: they carry nothing.
struct SelectedBonds {
  std::vector<StencilBond> stencil;
  std::vector<PairBond> pairs;
  /// Of a shell that others lie close to, a sentence for users; empty: there are none.
  std::string doubt = {};
};

/// @param term name for messages
/// @throws InputError when not exactly one way of selecting is used, or a bond makes no sense
SelectedBonds select_bonds(const BondSelection& selection, const std::string& term,
                           const Geometry& geometry);

/// The same bonds, every translate of a stencil bond a pair of its own; without vacancies.
SelectedBonds pair_by_pair(const SelectedBonds& bonds, const Geometry& geometry);

/// The keys of BondSelection, for the field table of a term that derives from it.
template <class Term>
FieldTable<Term>& add_bond_fields(FieldTable<Term>& table) {
  return table
      .optional("shell", &BondSelection::shell, Dimension::none,
                "all bonds of this neighbour shell, counted by distance from 1")
      .at_least(1)
      .at_most(1000)
      .optional("between", &BondSelection::between, Dimension::none,
                "only bonds between these two species")
      .optional("offset", &BondSelection::offset, Dimension::none,
                "bonds from basis atom atoms[0] to atom atoms[1] of the cell at these offsets; the "
                "reverse of each is implied")
      .at_least(-1000000)
      .at_most(1000000)
      .optional("atoms", &BondSelection::atoms, Dimension::none,
                "the two basis atoms of `offset`, counted from 0")
      .at_least(0)
      .optional("pairs", &BondSelection::pairs, Dimension::none,
                "explicit pairs of sites, counted from 0, each pair once")
      .at_least(0);
}

}  // namespace larmor::lattice
