#pragma once
// How ranks sum over pairs of sites together: each takes some rows of C(r,r') = sum_k a_{r,k}
// b_{r',k}, and has all columns and all replicas, for the sums are no sums over replicas.

#include <memory>
#include <optional>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::cuda {
class DeviceLink;
}

namespace larmor::correlations::real_space {

/// The part-th of so many equal parts of the rows.
struct RowShare {
  int part = 0, parts = 1;

  Index first(Index panels) const { return panels * part / parts; }
  Index last(Index panels) const { return panels * (part + 1) / parts; }
  /// Of the parts of this share, which together are all of it, one.
  RowShare cut(const RowShare& piece) const {
    return {part * piece.parts + piece.part, parts * piece.parts};
  }
};

class PairRanks {
 public:
  /// All of them, at once. @param world must outlive this @param device where the spins are
  /// @throws MachineError when their GPUs cannot reach one another
  PairRanks(const Communicator& world, const Device& device);
  ~PairRanks();

  RowShare share() const { return {world_.rank(), world_.size()}; }
  /// The spins of all replicas that the study has: those of this rank where it has them all, else a
  /// copy, until the next call. On a GPU by NCCL it is not waited for. Called by all ranks.
  const spins::SpinState& all_replicas(const spins::SpinState& own);
  /// Adds the numbers of all ranks, all but one of which have zeros: the sum has no rounding.
  /// @param numbers where the spins are, on a GPU behind what was launched before
  void add_up(double* numbers, Index count);

  /// Bytes of the copy, where the spins are. @param replicas of a rank
  static double bytes(Index sites, const ReplicaShare& replicas, const Device& device);

 private:
  void make_room(const spins::SpinState& own);
  void exchange(const std::vector<Message>& out, const std::vector<Message>& in);

  const Communicator& world_;
  Device device_;
  std::unique_ptr<cuda::DeviceLink> link_;  ///< null on a CPU
  std::optional<spins::SpinState> all_;
  std::vector<Index> first_number_;  ///< of each rank's spins in `all_`, and the end
};

}  // namespace larmor::correlations::real_space
