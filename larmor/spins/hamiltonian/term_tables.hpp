#pragma once
// The couplings of terms as kernels read them: rows of numbers on a device, equal ones stored once.

#include <memory>
#include <vector>

#include "larmor/core/simd/views.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/replica_fields.hpp"
#include "larmor/spins/hamiltonian/row_maker.hpp"

namespace larmor::spins {

/// What is absent is in none of the terms.
struct TermTables {
  BondClass bond_class = BondClass::scalar;
  RowStorage bonds, biquadratic, onsite, field;
};

struct TablesOfTerms {
  TermTables total;                           ///< of all together
  std::unique_ptr<ReplicaFields> own_fields;  ///< in the total; null: no term has them
  /// Of each alone; of one with a field that each replica has of its own, at a field of 1.
  std::vector<TermTables> of_term;
};

/// @param table of the terms, of all sites or of the first cell
/// @param layout of all replicas that terms tell apart
TablesOfTerms tables_of_terms(const std::vector<LoweredTerm>& terms, const BondTable& table,
                              const RowMaker& maker, const SpinLayout& layout);

}  // namespace larmor::spins
