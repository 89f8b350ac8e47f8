#pragma once
// Several ranks share one lattice. Each rank updates the sites of its domain
// (spins/domains/domain_partition.hpp). Ranks exchange halos after each write.

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
  /// Finds the domains and halos, but exchanges no data.
  /// @param model the model whose kernels read neighbours
  /// @param nearest neighbours that derivatives read, or null if only bonds read neighbours
  /// @throws InputError for a lattice that is too small, or too thin for GPUs
  DomainDecomposition(const Communicator& world, const Model& model, const Device& device,
                      const lattice::NearestNeighbours* nearest);
  DomainDecomposition(const DomainDecomposition&) = delete;
  DomainDecomposition& operator=(const DomainDecomposition&) = delete;
  ~DomainDecomposition();

  /// Call on all ranks before the first exchange. All devices must be of one kind.
  /// @throws MachineError if GPUs have no access to one another
  void connect();

  /// The domain for layouts. The pointer is valid as long as this object exists.
  const Domain* domain() const { return &domain_; }
  /// Bytes that this rank receives if all spins have been written.
  Index halo_bytes() const;
  /// One line for users: how ranks exchange halos.
  std::string description() const;

 private:
  /// `wide` is the halo of doubles, `narrow` the halo of floats. In mixed precision, sums over
  /// bonds read the floats.
  struct Plan {
    Halo wide, narrow;
    std::shared_ptr<const HalosOnGpu> on_gpu;
  };
  void find_halos(const DomainPartition& partition, const NearestPositions* nearest);
  void set_functions();
  Plan plan_of(Halo wide, Halo narrow) const;
  const Plan& plan_among(const SiteRanges& sites);
  const Plan& plan_of_blocks(Index block_sites);
  void exchange_halo(const Plan& plan, const Reals& field, Index first_block, Index last_block);
  void complete(const Reals& field, Index first_block, Index last_block);

  const Communicator& world_;
  SpinLayout layout_;  ///< for any number of replicas
  Device device_;
  RangesOfRanks owned_;
  Plan whole_;
  std::map<std::vector<Index>, Plan>
      among_;  ///< parts of whole_ within ranges of sites, by begins and ends of ranges
  std::map<Index, Plan> of_blocks_;
  std::optional<CellSlab> cells_;
  EdgeAndInterior edge_and_interior_;  ///< owned positions; a CPU has no interior
  std::shared_ptr<GpuHalos> on_gpu_;   ///< null on a CPU
  Domain domain_{};
};

}  // namespace larmor::spins
