#pragma once
// Spreads the replicas of a study over ranks, in whole blocks of eight. BITS: the measured values
// of a replica do not depend on its rank, nor results on the number of ranks. The root orders and
// writes the values. If there are fewer blocks than ranks, all ranks have all replicas and share
// the sites of the lattice (spins/domains/domain_decomposition.hpp). Each rank then has all
// results.

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/ranks/replica_share.hpp"

namespace larmor::study {

/// The share of a rank in an array over replicas.
struct RankShare {
  Index first, own, all;
};

class Ranks {
 public:
  /// One rank has all replicas.
  explicit Ranks(Index replicas = 1) : share_(replicas) {}
  /// @param world must outlive this
  Ranks(const Communicator& world, Index replicas);

  bool is_root() const { return world_ == nullptr || world_->is_root(); }
  int size() const { return world_ == nullptr ? 1 : world_->size(); }
  /// All ranks; null if there is only one rank.
  const Communicator* world() const { return world_; }

  /// The ranks that share the lattice; null if each rank has the whole lattice.
  const Communicator* sharing() const { return share_sites_ && !is_whole_ ? world_ : nullptr; }
  /// Gives each rank the whole lattice instead of a share. It is for stages that share other work.
  void keep_whole() { is_whole_ = true; }

  /// Replicas of this rank.
  const ReplicaShare& share() const { return share_; }
  RankShare replicas() const { return {share_.first, share_.count, share_.all}; }
  /// Replicas of this rank, filled up to whole blocks as in tables of replicas.
  RankShare padded_replicas() const;
  RankShare blocks() const;
  /// The number of replicas that `gathered` gives on this rank.
  Index gathered_replicas() const { return share_sites_ || is_root() ? share_.all : share_.count; }

  /// Joins the arrays (outer, own, inner) of all ranks to (outer, all, inner) on the root. Other
  /// ranks get `values` unchanged. A collective operation.
  std::vector<double> gathered(std::vector<double> values, const RankShare& share,
                               Index inner = 1) const;
  /// This rank's share (outer, own, inner) of an array (outer, all, inner).
  std::vector<double> own_of(const std::vector<double>& values, const RankShare& share,
                             Index inner = 1) const;
  /// The values of all ranks, rank after rank, on the root. Other ranks get `values` unchanged.
  std::vector<double> joined(std::vector<double> values) const;

  /// As `gathered` with `outer` = 1, on every rank.
  std::vector<double> all_gathered(const std::vector<double>& values, const RankShare& share,
                                   Index inner = 1) const;

  /// As `joined` of doubles, for bytes.
  std::vector<std::byte> joined(const std::vector<std::byte>& bytes) const;
  std::vector<std::byte> own_of(const std::vector<std::byte>& bytes, const RankShare& share,
                                Index inner) const;

  /// Copies the root's bytes to every rank. A collective operation.
  std::vector<std::byte> broadcast(std::vector<std::byte> bytes) const;

  /// Is `own` true on every rank? A collective operation.
  bool all(bool own) const { return world_ == nullptr ? own : world_->all(own); }
  /// The smallest `own` of all ranks, on every rank. A collective operation.
  Index minimum(Index own) const;
  /// As Communicator::maximum.
  std::vector<double> maximum(std::vector<double> numbers, const std::atomic<int>* stop,
                              const std::function<void()>& waiting) const;

 private:
  bool share_replicas() const { return world_ != nullptr && !share_sites_; }

  const Communicator* world_ = nullptr;  ///< null: one rank
  ReplicaShare share_;
  bool share_sites_ = false, is_whole_ = false;
};

/// This rank's share of the joined numbers of all blocks of replicas.
std::vector<double> own_blocks(const Ranks& ranks, const std::vector<double>& all);

}  // namespace larmor::study
