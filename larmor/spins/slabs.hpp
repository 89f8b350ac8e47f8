#pragma once
// One lattice over several ranks: each updates its part of the sites (spins/slab_partition.hpp),
// and what it reads of others' is exchanged whenever it was written.

#include <memory>
#include <span>
#include <vector>

#include "larmor/core/communicator.hpp"
#include "larmor/core/device.hpp"
#include "larmor/core/views.hpp"
#include "larmor/spins/slab_partition.hpp"

namespace larmor::spins {

class GpuHalos;
class Model;

class Slabs {
 public:
  /// Exchanges nothing yet. @param model whose neighbours are read
  /// @throws InputError for a lattice that is too small, or on GPUs too thin
  Slabs(const Communicator& world, const Model& model, const Device& device);
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;
  ~Slabs();

  /// Before the first exchange, on all ranks. @throws MachineError where they would do different
  /// things, or their GPUs do not reach one another
  void connect();

  /// For layouts. Valid as long as this.
  const Slab* slab() const { return &slab_; }
  /// Positions of others that this rank reads.
  Index halo() const;
  /// How the parts reach one another, one line.
  std::string words() const;

 private:
  void find_halos(const SlabPartition& partition);
  void set_functions();
  template <class Number>
  void exchange(Number* field, const SiteRange& sites, Index first_block, Index last_block);
  void complete(const Reals& field);
  template <class Number>
  void complete_on_host(Number* field);

  const Communicator& world_;
  SpinLayout layout_;  ///< of any number of replicas
  Device device_;
  double fingerprint_ = 0;                     ///< of what all ranks must have chosen alike
  std::vector<std::vector<SiteRange>> owned_;  ///< of each rank
  // Ascending positions, for each rank.
  std::vector<std::vector<std::int32_t>> halo_in_, halo_out_;
  std::optional<CellSlab> cells_;
  std::shared_ptr<GpuHalos> on_gpu_;  ///< null: on the CPU
  Slab slab_{};
};

}  // namespace larmor::spins
