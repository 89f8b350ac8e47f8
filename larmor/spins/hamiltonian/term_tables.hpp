#pragma once
// The couplings of terms as kernels read them: rows of numbers on a device. Equal rows are stored
// once.

#include <memory>
#include <vector>

#include "larmor/core/simd/views.hpp"
#include "larmor/spins/hamiltonian/bond_table.hpp"
#include "larmor/spins/hamiltonian/replica_fields.hpp"
#include "larmor/spins/hamiltonian/row_maker.hpp"

namespace larmor::spins {

/// Values of bilinear bonds of terms [first_term, last_term) for every row of a bond table. (rows,
/// bonds, components)
/// @param present set to true if any value is nonzero, otherwise to false
std::vector<double> bond_values(const BondTable& table, BondClass c, std::size_t first_term,
                                std::size_t last_term, bool& present);

/// Values of biquadratic bonds. (rows, bonds)
/// @param present set to true if any value is nonzero, otherwise to false
std::vector<double> biquadratic_values(const BondTable& table, std::size_t first_term,
                                       std::size_t last_term, bool& present);

/// Values of bilinear bonds with contributions that differ by replica. (blocks, rows, bonds,
/// components, 8)
/// @param terms the terms of the table
std::vector<double> bond_values_by_replica(const BondTable& table, BondClass c,
                                           const std::vector<LoweredTerm>& terms,
                                           std::size_t first_term, std::size_t last_term,
                                           const SpinLayout& layout, int threads);

/// Tables of some terms. If a form occurs in none of the terms, its table is empty.
struct TermTables {
  BondClass bond_class = BondClass::scalar;
  RowStorage bonds, biquadratic, onsite, field;
};

struct TablesOfTerms {
  TermTables total;                           ///< all terms together
  std::unique_ptr<ReplicaFields> own_fields;  ///< rewrites fields of `total`; null if not needed
  /// Tables of each single term. If each replica multiplies a field by its own number, this number
  /// is 1 here.
  std::vector<TermTables> of_term;
};

/// @param table bonds of the terms, for all sites or the first cell
/// @param layout for all replicas that differ in terms
TablesOfTerms tables_of_terms(const std::vector<LoweredTerm>& terms, const BondTable& table,
                              const RowMaker& maker, const SpinLayout& layout);

}  // namespace larmor::spins
