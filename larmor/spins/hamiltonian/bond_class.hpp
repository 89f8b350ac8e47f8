#pragma once
// Selects code that is compiled for the bond class of a model.

#include <type_traits>

#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// Calls `body` with the bond class as a compile-time constant.
template <class Body>
auto with_bond_class(BondClass c, const Body& body) {
  switch (c) {
    case BondClass::scalar:
      return body(std::integral_constant<BondClass, BondClass::scalar>{});
    case BondClass::vector:
      return body(std::integral_constant<BondClass, BondClass::vector>{});
    default:
      return body(std::integral_constant<BondClass, BondClass::tensor>{});
  }
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
