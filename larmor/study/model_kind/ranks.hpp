#pragma once
// How a study is spread over ranks. BITS: its replicas are, by whole blocks of eight, computed
// side by side: what is measured of a replica does not depend on where it is; the root puts it in
// order and writes it. Where there are fewer blocks than ranks, all ranks have all replicas and
// share the sites of the lattice (spins/domains/domain_decomposition.hpp): each of them then knows
// all numbers. Results are the same for any number of ranks.

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/ranks/replica_share.hpp"

namespace larmor::study {

/// The share of a rank in something that replicas have.
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
  /// All of them; null: one.
  const Communicator* world() const { return world_; }

  /// The ranks that share the lattice; null: each rank has it to itself.
  const Communicator* sharing() const { return share_sites_ ? world_ : nullptr; }

  /// Replicas of this rank.
  const ReplicaShare& share() const { return share_; }
  RankShare replicas() const { return {share_.first, share_.count, share_.all}; }
  /// Replicas with those that fill blocks up, as tables of replicas have them.
  RankShare padded_replicas() const;
  RankShare blocks() const;
  /// Replicas that `gathered` gives here.
  Index gathered_replicas() const { return share_sites_ || is_root() ? share_.all : share_.count; }

  /// (outer, own, inner) of every rank as (outer, all, inner) on the root; elsewhere `values` as
  /// they are.
  std::vector<double> gathered(std::vector<double> values, const RankShare& share,
                               Index inner = 1) const;
  /// What of (outer, all, inner) is this rank's.
  std::vector<double> own_of(const std::vector<double>& values, const RankShare& share,
                             Index inner = 1) const;
  /// Everything of every rank, rank after rank, on the root; elsewhere `values` as they are.
  std::vector<double> joined(std::vector<double> values) const;

  /// As `gathered` of numbers with `outer` = 1, on every rank.
  std::vector<double> everywhere(const std::vector<double>& values, const RankShare& share,
                                 Index inner = 1) const;

  /// The same of bytes.
  std::vector<std::byte> joined(const std::vector<std::byte>& bytes) const;
  std::vector<std::byte> own_of(const std::vector<std::byte>& bytes, const RankShare& share,
                                Index inner) const;

  /// What the root has, on every rank.
  std::vector<std::byte> of_root(std::vector<std::byte> bytes) const;

  bool all(bool own) const { return world_ == nullptr ? own : world_->all(own); }
  Index least(Index own) const;
  /// As Communicator::maximum.
  std::vector<double> maximum(std::vector<double> numbers, const std::atomic<int>* stop,
                              const std::function<void()>& waiting) const;

 private:
  bool share_replicas() const { return world_ != nullptr && !share_sites_; }

  const Communicator* world_ = nullptr;  ///< null: one rank
  ReplicaShare share_;
  bool share_sites_ = false;
};

/// What of the numbers of all blocks of replicas, joined, is this rank's.
std::vector<double> own_blocks(const Ranks& ranks, const std::vector<double>& all);

}  // namespace larmor::study
