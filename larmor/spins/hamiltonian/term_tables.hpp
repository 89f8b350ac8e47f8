#pragma once
// The couplings of terms as kernels read them: rows of numbers on a device, equal rows stored once.

#include <memory>
#include <vector>

#include "larmor/core/simd/views.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/replica_fields.hpp"
#include "larmor/spins/hamiltonian/row_maker.hpp"

namespace larmor::spins {

/// A form that is absent occurs in none of the terms.
struct TermTables {
  BondClass bond_class = BondClass::scalar;
  RowStorage bonds, biquadratic, onsite, field;
};

struct TablesOfTerms {
  TermTables total;                           ///< all terms together
  std::unique_ptr<ReplicaFields> own_fields;  ///< part of the total; null if no term has them
  /// Each term separately; a field that each replica has of its own is 1 here.
  std::vector<TermTables> of_term;
};

/// @param table bonds of the terms, for all sites or the first cell
/// @param layout for all replicas that differ in terms
TablesOfTerms tables_of_terms(const std::vector<LoweredTerm>& terms, const BondTable& table,
                              const RowMaker& maker, const SpinLayout& layout);

}  // namespace larmor::spins
