#pragma once
// Integer sums over the states of a grid, which do not depend on the order of summation. The input
// is the state of every site, (replica, site). write_site_states makes it from other storages.

#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/ising/measures/grid_sums_kernel.hpp"
#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/potts/potts_state.hpp"

namespace larmor::ising {

class GridSums {
 public:
  /// @param lengths sites along each of one to four axes
  /// @param distances number of distances along each axis: 0, 1, ...
  /// @throws InternalError for another number of axes, or for sizes that differ
  GridSums(const Device& device, const std::vector<Index>& lengths,
           const std::vector<bool>& periodic, const std::vector<Index>& distances, int states,
           Index replicas);

  /// Sums in which all sites of any lattice form one plane.
  static GridSums of_all_sites(const Device& device, Index sites, int states, Index replicas);

  /// Numbers of sites in each state on every plane across each axis, (replica, axis and plane,
  /// state).
  /// @param states (replica, site) on the device; does not wait for a GPU
  Pending planes(const Array<std::uint8_t>& states) const;
  /// Numbers of pairs of sites in equal states, (replica, axis and distance).
  Pending equal_pairs(const Array<std::uint8_t>& states) const;
  /// Number of all pairs of sites. [axis and distance]
  std::vector<double> pairs() const;

  const SummedAxes& axes() const { return axes_; }

 private:
  Device device_;
  SummedAxes axes_{};
  Index replicas_;
};

/// Writes the state of every site. Does not wait for a GPU.
/// @param states on the device [replicas * sites]
void write_site_states(PottsState& from, Array<std::uint8_t>& states);
/// A spin +1 becomes state 0, and -1 becomes state 1. @throws InternalError if ranks share the
/// sites
void write_site_states(const BitLattice& from, Array<std::uint8_t>& states);

}  // namespace larmor::ising
