#pragma once
// Sums over pairs of sites on several ranks. Each rank takes some rows of C(r,r') = sum_k a_{r,k}
// b_{r',k}, with all columns and replicas, because C is not linear in replicas.

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

/// Share number `part` of `parts` equal shares of the rows.
struct RowShare {
  int part = 0, parts = 1;

  Index first(Index panels) const { return panels * part / parts; }
  Index last(Index panels) const { return panels * (part + 1) / parts; }
  /// One share of this share; all of them together are this share.
  RowShare cut(const RowShare& piece) const {
    return {part * piece.parts + piece.part, parts * piece.parts};
  }
};

class PairRanks {
 public:
  /// Collective. @param world must outlive this @param device device of the spins
  /// @throws MachineError if their GPUs cannot reach one another
  PairRanks(const Communicator& world, const Device& device);
  ~PairRanks();

  RowShare share() const { return {world_.rank(), world_.size()}; }
  /// The spins of all replicas in the study: `own` if this rank has them all, otherwise a copy that
  /// is valid until the next call. Asynchronous on a GPU with NCCL. Collective.
  const spins::SpinState& all_replicas(const spins::SpinState& own);
  /// Adds numbers over ranks. Only one rank has a nonzero value of each, so the sum has no
  /// rounding.
  /// @param numbers on the device of the spins; on a GPU added after earlier launches
  void add_up(double* numbers, Index count);

  /// Bytes of the copy on the device of the spins. @param replicas number on a rank
  static double bytes(Index sites, const ReplicaShare& replicas, const Device& device);

 private:
  void make_room(const spins::SpinState& own);
  void exchange(const std::vector<Message>& out, const std::vector<Message>& in);

  const Communicator& world_;
  Device device_;
  std::unique_ptr<cuda::DeviceLink> link_;  ///< null on a CPU
  std::optional<spins::SpinState> all_;
  std::vector<Index> first_number_;  ///< first position of each rank's spins in `all_`, and the end
};

}  // namespace larmor::correlations::real_space
