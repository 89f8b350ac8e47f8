#include "larmor/study/model_kind/ranks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "larmor/core/simd/replica_blocks.hpp"

namespace larmor::study {
namespace {

ReplicaShare share_of(int rank, int ranks, Index replicas) {
  const Index blocks = movable_blocks(replicas);
  const auto begin = [&](Index r) {
    return r == ranks ? replicas : blocks * r / ranks * lane_count;
  };
  return {begin(rank), begin(rank + 1) - begin(rank), replicas};
}

}  // namespace

Ranks::Ranks(const Communicator& world, Index replicas)
    : world_(world.size() > 1 ? &world : nullptr), share_(replicas) {
  if (world_ == nullptr) return;
  share_sites_ = movable_blocks(replicas) < world.size();
  if (share_sites_) return;
  share_ = share_of(world.rank(), world.size(), replicas);
}

RankShare Ranks::padded_replicas() const {
  if (share_.all == 1) return {0, 1, 1};
  return {share_.first, blocks_of(share_.count) * lane_count, blocks_of(share_.all) * lane_count};
}

RankShare Ranks::blocks() const {
  return {share_.first / lane_count, blocks_of(share_.count), blocks_of(share_.all)};
}

std::vector<double> Ranks::gathered(std::vector<double> values, const RankShare& share,
                                    Index inner) const {
  if (!share_replicas()) return values;
  const Index outer = static_cast<Index>(values.size()) / (share.own * inner);
  const std::vector<std::vector<double>> of_rank = world_->gather(values);
  if (!is_root()) return values;
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(outer * share.all * inner));
  for (Index o = 0; o < outer; ++o)
    for (const std::vector<double>& own : of_rank) {
      const auto width = static_cast<std::ptrdiff_t>(own.size()) / outer;
      all.insert(all.end(), own.begin() + o * width, own.begin() + (o + 1) * width);
    }
  return all;
}

std::vector<double> Ranks::all_gathered(const std::vector<double>& values, const RankShare& share,
                                        Index inner) const {
  if (!share_replicas()) return values;
  // Every other rank adds a zero to each number.
  std::vector<double> all(static_cast<std::size_t>(share.all * inner));
  std::copy(values.begin(), values.end(), all.begin() + share.first * inner);
  world_->sum(all.data(), all.size());
  return all;
}

std::vector<double> Ranks::own_of(const std::vector<double>& values, const RankShare& share,
                                  Index inner) const {
  if (!share_replicas() || values.empty()) return values;
  const Index row = share.all * inner;
  if (static_cast<Index>(values.size()) % row != 0)
    throw InputError("the replicas in the checkpoint are not those of the study",
                     "resume the results of the run that wrote this checkpoint");
  std::vector<double> own;
  for (Index begin = share.first * inner; begin < static_cast<Index>(values.size()); begin += row)
    own.insert(own.end(), values.begin() + begin, values.begin() + begin + share.own * inner);
  return own;
}

std::vector<double> Ranks::joined(std::vector<double> values) const {
  if (!share_replicas()) return values;
  const std::vector<std::vector<double>> of_rank = world_->gather(values);
  if (!is_root()) return values;
  for (std::size_t r = 1; r < of_rank.size(); ++r)
    values.insert(values.end(), of_rank[r].begin(), of_rank[r].end());
  return values;
}

std::vector<std::byte> Ranks::joined(const std::vector<std::byte>& bytes) const {
  if (!share_replicas()) return bytes;
  // Ranks send doubles: the number of bytes, then the bytes, copied into doubles.
  std::vector<double> packed(1 + (bytes.size() + sizeof(double) - 1) / sizeof(double));
  packed[0] = static_cast<double>(bytes.size());
  if (!bytes.empty()) std::memcpy(packed.data() + 1, bytes.data(), bytes.size());
  const std::vector<std::vector<double>> of_rank = world_->gather(packed);
  if (!is_root()) return bytes;
  std::vector<std::byte> all;
  for (const std::vector<double>& part : of_rank) {
    const auto* const first = reinterpret_cast<const std::byte*>(part.data() + 1);
    all.insert(all.end(), first, first + static_cast<std::size_t>(part[0]));
  }
  return all;
}

std::vector<std::byte> Ranks::own_of(const std::vector<std::byte>& bytes, const RankShare& share,
                                     Index inner) const {
  if (!share_replicas()) return bytes;
  const auto first = bytes.begin() + share.first * inner;
  return {first, first + share.own * inner};
}

std::vector<std::byte> Ranks::broadcast(std::vector<std::byte> bytes) const {
  if (world_ == nullptr) return bytes;
  std::uint64_t length = bytes.size();
  const auto send = [&](void* data, std::size_t count) {
    std::vector<Message> out, in;
    if (is_root())
      for (int rank = 1; rank < size(); ++rank) out.push_back({rank, data, count});
    else
      in.push_back({0, data, count});
    world_->exchange(out, in);
  };
  send(&length, sizeof(length));
  bytes.resize(length);
  if (length > 0) send(bytes.data(), bytes.size());
  return bytes;
}

Index Ranks::minimum(Index own) const {
  if (world_ == nullptr) return own;
  return -static_cast<Index>(world_->maximum({-static_cast<double>(own)})[0]);
}

std::vector<double> Ranks::maximum(std::vector<double> numbers, const std::atomic<int>* stop,
                                   const std::function<void()>& waiting) const {
  return world_ == nullptr ? numbers : world_->maximum(std::move(numbers), stop, waiting);
}

std::vector<double> own_blocks(const Ranks& ranks, const std::vector<double>& all) {
  const RankShare blocks = ranks.blocks();
  return ranks.own_of(all, blocks, static_cast<Index>(all.size()) / blocks.all);
}

}  // namespace larmor::study
