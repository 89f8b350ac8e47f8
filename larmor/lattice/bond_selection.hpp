#pragma once
// Selection of the bonds of a two-spin term: by shell, by offset between basis atoms, or by pairs.

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
  bool all_pairs = false;  ///< only for terms that have the key all_pairs
  TablePosition where;
};

/// The selected bonds, each once. Bonds are explicit pairs for plain positions, for `pairs`, and if
/// the species of an alloy are selected; otherwise they are a stencil. Bonds to vacancies may be
/// included: they have no effect.
struct SelectedBonds {
  std::vector<StencilBond> stencil;
  std::vector<PairBond> pairs;
  /// A warning for users if another shell lies close to the selected one; otherwise empty.
  std::string warning = {};
};

/// @param term name of the term, for messages
/// @throws InputError unless exactly one way to select bonds is used, or if a bond is impossible
SelectedBonds select_bonds(const BondSelection& selection, const std::string& term,
                           const Geometry& geometry);

/// The selected bonds as explicit pairs: each translate of a stencil bond is a pair. Pairs with
/// vacancies are left out.
SelectedBonds pair_by_pair(const SelectedBonds& bonds, const Geometry& geometry);

/// Adds the keys of BondSelection to the field table of a term that derives from it.
template <class Term>
FieldTable<Term>& add_bond_fields(FieldTable<Term>& table) {
  return table
      .optional("shell", &BondSelection::shell, Dimension::none,
                "all bonds to neighbours of this shell; shell 1 has the nearest neighbours")
      .at_least(1)
      .at_most(1000)
      .optional("between", &BondSelection::between, Dimension::none,
                "only bonds between these two species; with `offset`, the first species is at "
                "atoms[0] and the second at atoms[1]")
      .optional("offset", &BondSelection::offset, Dimension::none,
                "bonds from basis atom atoms[0] to atom atoms[1] of the cell at these offsets; the "
                "reverse of each bond is implied")
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
