#pragma once
// Expands the couplings of all terms to each site's directed bonds, rows of equal couplings shared.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "larmor/lattice/colouring.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/lowered_term.hpp"

namespace larmor::spins {

/// What one directed bond carries of one term.
struct TermValue {
  std::size_t term;
  Mat3<double> bilinear;
  double biquadratic;
};

/// A directed bond i -> j as site i sees it: - e_i^T A e_j.
struct DirectedBond {
  Index to;  ///< canonical site, or -1 beyond an open boundary
  std::vector<TermValue> values;
};

/// The bonds of every site, in a fixed order of slots. Sites of one basis atom that miss the same
/// bonds share a row of values.
class BondTable {
 public:
  /// @throws InputError when a bond connects a site with itself
  BondTable(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms);

  Index sites() const { return static_cast<Index>(row_.size()); }
  int slots() const { return slots_; }
  /// Neighbour in a slot of a canonical site; the site itself where the slot is unused.
  std::int32_t neighbour(Index site, int slot) const {
    return neighbour_[static_cast<std::size_t>(site * slots_ + slot)];
  }
  std::int32_t row(Index site) const { return row_[static_cast<std::size_t>(site)]; }
  Index rows() const { return static_cast<Index>(row_bonds_.size()); }
  /// Values of a row by slot; empty where the slot is unused.
  const std::vector<std::vector<TermValue>>& row_values(Index row) const {
    return row_bonds_[static_cast<std::size_t>(row)];
  }
  lattice::Graph graph() const;

 private:
  using Row = std::vector<std::vector<TermValue>>;
  void store_site(Index site, const std::vector<DirectedBond>& bonds, const std::string& row_key);

  int slots_ = 0;
  std::vector<std::int32_t> neighbour_;
  std::vector<std::int32_t> row_;
  std::vector<Row> row_bonds_;
  std::map<std::string, std::int32_t> row_of_key_;
};

}  // namespace larmor::spins
