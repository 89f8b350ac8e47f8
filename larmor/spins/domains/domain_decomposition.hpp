#pragma once
// One lattice over several ranks: each updates its part of the sites
// (spins/domains/domain_partition.hpp), and what it reads of others' is exchanged whenever it was
// written.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/simd/views.hpp"
#include "larmor/spins/domains/domain_partition.hpp"
#include "larmor/spins/domains/halo.hpp"

namespace larmor::spins {

class GpuHalos;
class Model;
struct HalosOnGpu;

class DomainDecomposition {
 public:
  /// Exchanges nothing yet. @param model whose neighbours are read
  /// @param nearest where derivatives read these too; null: nothing but bonds does
  /// @throws InputError for a lattice that is too small, or on GPUs too thin
  DomainDecomposition(const Communicator& world, const Model& model, const Device& device,
                      const lattice::NearestNeighbours* nearest);
  DomainDecomposition(const DomainDecomposition&) = delete;
  DomainDecomposition& operator=(const DomainDecomposition&) = delete;
  ~DomainDecomposition();

  /// Before the first exchange, on all ranks, whose devices are of one kind. @throws MachineError
  /// where their GPUs do not reach one another
  void connect();

  /// For layouts. Valid as long as this.
  const Domain* domain() const { return &domain_; }
  /// Bytes that this rank receives of spins that have been written everywhere.
  Index halo_bytes() const;
  /// How the parts reach one another, one line.
  std::string words() const;

 private:
  /// What is sent of a field: of its numbers, and of their copy for the sums over bonds.
  struct Plan {
    Halo wide, narrow;
    std::shared_ptr<const HalosOnGpu> on_gpu;
  };
  void find_halos(const DomainPartition& partition, const NearestPositions* nearest);
  void set_functions();
  Plan plan_of(Halo wide, Halo narrow) const;
  const Plan& plan_among(const SiteRanges& sites);
  const Plan& plan_of_parts(Index of_part);
  void bring(const Plan& plan, const Reals& field, Index first_block, Index last_block);
  void complete(const Reals& field, Index first_block, Index last_block);

  const Communicator& world_;
  SpinLayout layout_;  ///< of any number of replicas
  Device device_;
  RangesOfRanks owned_;
  Plan whole_;
  std::map<std::vector<Index>, Plan> among_;  ///< of whole_, by where ranges begin and end
  std::map<Index, Plan> of_parts_;
  std::optional<CellSlab> cells_;
  EdgeAndInterior parts_;             ///< of what this rank owns; a CPU has no interior
  std::shared_ptr<GpuHalos> on_gpu_;  ///< null: on the CPU
  Domain domain_{};
};

}  // namespace larmor::spins
