#pragma once
// The couplings of terms as kernels read them: rows of numbers on a device, equal rows stored
// once.

#include <memory>
#include <vector>

#include "larmor/core/simd/views.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/replica_fields.hpp"
#include "larmor/spins/hamiltonian/row_maker.hpp"

namespace larmor::spins {

/// Values of bilinear bonds of terms [first_term, last_term), for every row of a bond table, (rows,
/// bonds, components).
/// @param present is any of them nonzero?
std::vector<double> bond_values(const BondTable& table, BondClass c, std::size_t first_term,
                                std::size_t last_term, bool& present);

/// Values of biquadratic bonds, (rows, bonds).
/// @param present is any of them nonzero?
std::vector<double> biquadratic_values(const BondTable& table, std::size_t first_term,
                                       std::size_t last_term, bool& present);

/// Values of bilinear bonds with contributions that differ by replica, (blocks, rows, bonds,
/// components, 8).
/// @param terms those of the table
std::vector<double> bond_values_by_replica(const BondTable& table, BondClass c,
                                           const std::vector<LoweredTerm>& terms,
                                           std::size_t first_term, std::size_t last_term,
                                           const SpinLayout& layout, int threads);

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
