#pragma once
// Sums over pairs of sites on several ranks. Each rank sums a share of the rows of C(r,r') = sum_k
// a_{r,k} b_{r',k}, with all columns and replicas. Ranks cannot share the replicas, because
// functions of C such as C^2 are not linear in them.

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

/// Share number `index` of `count` equal shares of the rows.
struct RowShare {
  int index = 0, count = 1;

  /// If `items` rows (or blocks of rows) are shared, this share is [first, last).
  Index first(Index items) const { return items * index / count; }
  Index last(Index items) const { return items * (index + 1) / count; }
  /// The part `inner` of this share. All parts together make up this share.
  RowShare subshare(const RowShare& inner) const {
    return {index * inner.count + inner.index, count * inner.count};
  }
};

class PairRanks {
 public:
  /// Collective. @param world must outlive this object @param device device of the spins
  /// @throws MachineError if the GPUs of the ranks cannot reach one another
  PairRanks(const Communicator& world, const Device& device);
  ~PairRanks();

  RowShare share() const { return {world_.rank(), world_.size()}; }
  /// The spins of all replicas in the study. Returns `own` if this rank has all replicas. Otherwise
  /// returns a copy that is valid until the next call. Asynchronous on a GPU with NCCL. Collective.
  const spins::SpinState& all_replicas(const spins::SpinState& own);
  /// Adds numbers over ranks. For each number, only one rank has a value other than 0, so the sum
  /// is exact.
  /// @param numbers on the device of the spins. A GPU adds them after earlier launches
  void add_up(double* numbers, Index count);

  /// Bytes of the copy on the device of the spins. @param replicas replicas of a rank
  static double bytes(Index sites, const ReplicaShare& replicas, const Device& device);

 private:
  void allocate(const spins::SpinState& own);
  void exchange(const std::vector<Message>& out, const std::vector<Message>& in);

  const Communicator& world_;
  Device device_;
  std::unique_ptr<cuda::DeviceLink> link_;  ///< null on a CPU
  std::optional<spins::SpinState> all_;
  std::vector<Index> first_number_;  ///< first position of each rank's spins in `all_`, and the end
};

}  // namespace larmor::correlations::real_space
