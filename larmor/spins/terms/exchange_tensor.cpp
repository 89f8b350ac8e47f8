#include "larmor/spins/terms/exchange_tensor.hpp"

#include <algorithm>

#include "larmor/symmetry/spread.hpp"

namespace larmor::spins {
namespace {

double largest_entry(const Mat3<double>& m) {
  double largest = 0;
  for (const Vec3<double>& r : m.row)
    largest = std::max({largest, std::abs(r.x), std::abs(r.y), std::abs(r.z)});
  return largest;
}

/// Is the matrix symmetric up to rounding? A computed matrix, such as a rotated one, has rounding
/// errors.
bool is_symmetric(const Mat3<double>& m) {
  return largest_entry(m + -1.0 * m.transposed()) <= 1e-12 * largest_entry(m);
}

}  // namespace

FieldTable<TensorExchange> TensorExchange::fields() {
  FieldTable<TensorExchange> table;
  table.required("A", &TensorExchange::A, Dimension::energy,
                 "the matrix of each selected bond, by rows; a matrix that is not symmetric needs "
                 "`offset` or `pairs`, because the order of the two sites defines the left spin");
  symmetry::add_symmetry_field(lattice::add_bond_fields(table));
  return table;
}

LoweredTerm TensorExchange::lower(const TermContext& context) const {
  if (shell && !is_symmetric(A))
    throw InputError(
        "exchange-tensor: A is not symmetric, but the bonds of a whole shell do not define which "
        "spin is the left one",
        where, "name the bonds by `offset` or `pairs`, or make A symmetric");
  LoweredTerm term;
  term.name = name;
  if (symmetry == symmetry::by_crystal) {
    for (const auto& [bond, matrix] :
         symmetry::spread(*this, name, context.geometry, context.surroundings, "A",
                          [&](const lattice::StencilBond&) { return A; }))
      term.stencil.push_back({bond, matrix});
    term.bond_class = BondClass::tensor;
    return term;
  }
  const lattice::SelectedBonds bonds = select_bonds(*this, name, context.geometry);
  term.warning = bonds.warning;
  term.bond_class = BondClass::tensor;
  for (const auto& bond : bonds.stencil) term.stencil.push_back({bond, A});
  for (const auto& bond : bonds.pairs) term.pairs.push_back({bond, A});
  return term;
}

}  // namespace larmor::spins
