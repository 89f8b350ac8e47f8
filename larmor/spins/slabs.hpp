#pragma once
// One lattice over several ranks. Storage positions go to ranks in pieces of `slab_grain`, by how
// far they are along the sublattice (or the colour) that they are of: each rank has the same part
// of space of all of them, and a slab where rows lie behind one another. What a rank reads of
// others' is known from the table of neighbours and exchanged whenever it was written.

#include <vector>

#include "larmor/core/communicator.hpp"
#include "larmor/core/views.hpp"

namespace larmor::spins {

class Model;

class Slabs {
 public:
  /// @param model whose neighbours are read @throws InputError for fewer pieces than ranks
  Slabs(const Communicator& world, const Model& model);
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;

  /// For layouts. Valid as long as this.
  const Slab* slab() const { return &slab_; }

 private:
  void find_owned(const Model& model);
  void find_halo(const Model& model);
  template <class Number>
  void exchange(Number* field, const SiteRange& sites, Index first_block, Index last_block);
  template <class Number>
  void complete(Number* field);

  const Communicator& world_;
  SpinLayout layout_;  ///< of any number of replicas
  std::vector<int> rank_of_piece_;
  std::vector<SiteRange> owned_;
  // Ascending positions, for each rank.
  std::vector<std::vector<std::int32_t>> owned_by_, halo_in_, halo_out_;
  Slab slab_{};
};

}  // namespace larmor::spins
