#include "larmor/spins/domains/halo.hpp"

#include <algorithm>

namespace larmor::spins {
namespace {

/// Calls visit(index in the field) for the numbers of the positions, block by block.
template <class Positions, class Visit>
void for_each_number(const SpinLayout& layout, const Positions& positions, Index first_block,
                     Index last_block, const Visit& visit) {
  const Index padded = layout.padded_sites();
  if (layout.one_replica()) {
    for (Index c = 0; c < 3; ++c)
      for (const Index p : positions) visit(c * padded + p);
    return;
  }
  constexpr Index width = 3 * lane_count;
  for (Index block = first_block; block < last_block; ++block)
    for (const Index p : positions)
      for (Index n = 0; n < width; ++n) visit((block * padded + p) * width + n);
}

template <class Number, class Positions>
std::vector<Number> packed(const SpinLayout& layout, const Number* field,
                           const Positions& positions, Index first_block, Index last_block) {
  std::vector<Number> numbers;
  numbers.reserve(static_cast<std::size_t>(
      numbers_at(layout, std::ssize(positions), last_block - first_block)));
  for_each_number(layout, positions, first_block, last_block,
                  [&](Index n) { numbers.push_back(field[n]); });
  return numbers;
}

template <class Number, class Positions>
void unpack(const SpinLayout& layout, const std::vector<Number>& numbers,
            const Positions& positions, Index first_block, Index last_block, Number* field) {
  const Number* next = numbers.data();
  for_each_number(layout, positions, first_block, last_block, [&](Index n) { field[n] = *next++; });
}

template <class Number>
Message message(std::size_t rank, std::vector<Number>& numbers) {
  return {static_cast<int>(rank), numbers.data(), numbers.size() * sizeof(Number)};
}

/// Lists the positions of ranges.
std::vector<Index> positions_of(const std::vector<SiteRange>& ranges) {
  std::vector<Index> positions;
  for (const SiteRange& range : ranges)
    for (Index p = range.first; p < range.last; ++p) positions.push_back(p);
  return positions;
}

PositionsOfRanks among_sites(const PositionsOfRanks& all, std::span<const SiteRange> sites) {
  PositionsOfRanks some(all.size());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    auto next = all[rank].begin();
    for (const SiteRange& range : sites) {
      const auto first = std::lower_bound(next, all[rank].end(), range.first);
      next = std::lower_bound(first, all[rank].end(), range.last);
      some[rank].insert(some[rank].end(), first, next);
    }
  }
  return some;
}

/// A range and its owner.
struct OwnedRange {
  SiteRange sites;
  std::size_t rank;
};

std::vector<OwnedRange> in_order(const RangesOfRanks& owned) {
  std::vector<OwnedRange> all;
  for (std::size_t rank = 0; rank < owned.size(); ++rank)
    for (const SiteRange& range : owned[rank]) all.push_back({range, rank});
  std::sort(all.begin(), all.end(),
            [](const OwnedRange& a, const OwnedRange& b) { return a.sites.first < b.sites.first; });
  return all;
}

}  // namespace

Index Halo::received() const {
  Index positions = 0;
  for (const auto& of_rank : in) positions += std::ssize(of_rank);
  return positions;
}

Halo Halo::among(std::span<const SiteRange> sites) const {
  Halo some;
  some.out = among_sites(out, sites);
  some.in = among_sites(in, sites);
  return some;
}

namespace {

/// Largest number of ranges of the edge. With more ranges, launches take more time than the overlap
/// saves.
constexpr std::size_t most_ranges = 16;

/// Ranges of owned positions that cover all given ascending positions. Positions at most `gap`
/// apart are in one range.
std::vector<SiteRange> ranges_around(const std::vector<std::int32_t>& positions, Index gap,
                                     const std::vector<SiteRange>& owned) {
  std::vector<SiteRange> ranges;
  auto next = positions.begin();
  for (const SiteRange& own : owned) {
    const std::size_t of_others = ranges.size();
    for (next = std::lower_bound(next, positions.end(), own.first);
         next != positions.end() && *next < own.last; ++next) {
      if (ranges.size() == of_others || *next - ranges.back().last > gap)
        ranges.push_back({*next, *next});
      ranges.back().last = *next + 1;
    }
  }
  return ranges;
}

/// Owned positions outside the given ranges. Each given range lies within one owned range.
std::vector<SiteRange> between(const std::vector<SiteRange>& ranges,
                               const std::vector<SiteRange>& owned) {
  std::vector<SiteRange> rest;
  auto next = ranges.begin();
  for (SiteRange own : owned) {
    for (; next != ranges.end() && next->first < own.last; ++next) {
      if (own.first < next->first) rest.push_back({own.first, next->first});
      own.first = next->last;
    }
    if (own.first < own.last) rest.push_back(own);
  }
  return rest;
}

}  // namespace

EdgeAndInterior::EdgeAndInterior(const std::vector<SiteRange>& owned,
                                 std::vector<std::int32_t> read_by_others, Index least) {
  std::sort(read_by_others.begin(), read_by_others.end());
  Index longest = 1;
  for (const SiteRange& range : owned) longest = std::max(longest, range.last - range.first);
  for (Index gap = 1; gap <= longest; gap *= 2) {
    edge = ranges_around(read_by_others, gap, owned);
    if (edge.size() > most_ranges) continue;
    interior = between(edge, owned);
    Index inside = 0;
    for (const SiteRange& range : interior) inside += range.last - range.first;
    if (inside >= least) return;
    break;
  }
  edge = owned;
  interior.clear();
}

Halo halo_of_blocks(const RangesOfRanks& owned, int rank, Index block_sites) {
  const auto own = static_cast<std::size_t>(rank);
  Halo halo(owned.size());
  std::size_t reader = 0;  // owner of the current block
  Index next_block = 0;    // begin of the next block
  for (const OwnedRange& range : in_order(owned)) {
    for (Index p = range.sites.first; p < range.sites.last;) {
      if (p >= next_block) {
        reader = range.rank;
        next_block = (p / block_sites + 1) * block_sites;
      }
      const Index end = std::min(range.sites.last, next_block);
      if (reader != range.rank && (reader == own || range.rank == own)) {
        auto& list = reader == own ? halo.in[range.rank] : halo.out[reader];
        for (Index q = p; q < end; ++q) list.push_back(static_cast<std::int32_t>(q));
      }
      p = end;
    }
  }
  return halo;
}

Index numbers_at(const SpinLayout& layout, Index positions, Index blocks) {
  return positions * 3 * (layout.one_replica() ? 1 : blocks * lane_count);
}

template <class Number>
void exchange(const Communicator& world, const SpinLayout& layout, const Halo& halo, Number* field,
              Index first_block, Index last_block) {
  const std::size_t ranks = halo.in.size();
  std::vector<std::vector<Number>> out(ranks), in(ranks);
  std::vector<Message> sent, received;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (!halo.out[r].empty()) {
      out[r] = packed(layout, field, halo.out[r], first_block, last_block);
      sent.push_back(message(r, out[r]));
    }
    if (!halo.in[r].empty()) {
      in[r].resize(static_cast<std::size_t>(
          numbers_at(layout, std::ssize(halo.in[r]), last_block - first_block)));
      received.push_back(message(r, in[r]));
    }
  }
  world.exchange(sent, received);
  for (std::size_t r = 0; r < ranks; ++r)
    if (!in[r].empty()) unpack(layout, in[r], halo.in[r], first_block, last_block, field);
}

template <class Number>
void complete(const Communicator& world, const SpinLayout& layout, const RangesOfRanks& owned,
              Number* field, Index first_block, Index last_block) {
  const auto own = static_cast<std::size_t>(world.rank());
  std::vector<Number> out =
      packed(layout, field, positions_of(owned[own]), first_block, last_block);
  // Ranks send one after the other, so that only the data of one rank are in transfer.
  for (std::size_t from = 0; from < owned.size(); ++from) {
    std::vector<Message> sent, received;
    std::vector<Number> in;
    const std::vector<Index> positions = positions_of(owned[from]);
    if (from == own) {
      for (std::size_t r = 0; r < owned.size(); ++r)
        if (r != from) sent.push_back(message(r, out));
    } else {
      in.resize(static_cast<std::size_t>(
          numbers_at(layout, std::ssize(positions), last_block - first_block)));
      received.push_back(message(from, in));
    }
    world.exchange(sent, received);
    if (!in.empty()) unpack(layout, in, positions, first_block, last_block, field);
  }
}

template void exchange(const Communicator&, const SpinLayout&, const Halo&, double*, Index, Index);
template void exchange(const Communicator&, const SpinLayout&, const Halo&, float*, Index, Index);
template void complete(const Communicator&, const SpinLayout&, const RangesOfRanks&, double*, Index,
                       Index);
template void complete(const Communicator&, const SpinLayout&, const RangesOfRanks&, float*, Index,
                       Index);

}  // namespace larmor::spins
