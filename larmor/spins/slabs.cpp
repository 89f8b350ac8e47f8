#include "larmor/spins/slabs.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/spins/model.hpp"

namespace larmor::spins {
namespace {

/// What of ascending positions lies among some sites.
std::span<const std::int32_t> among(const std::vector<std::int32_t>& positions,
                                    const SiteRange& sites) {
  const auto first = std::lower_bound(positions.begin(), positions.end(), sites.first);
  const auto last = std::lower_bound(first, positions.end(), sites.last);
  return {positions.data() + (first - positions.begin()), static_cast<std::size_t>(last - first)};
}

/// visit(number's place in the field) for the numbers of positions, block by block.
template <class Visit>
void for_each_number(const SpinLayout& layout, std::span<const std::int32_t> positions,
                     Index first_block, Index last_block, const Visit& visit) {
  const Index padded = layout.padded_sites();
  if (layout.one_replica()) {
    for (const std::int32_t p : positions)
      for (Index c = 0; c < 3; ++c) visit(c * padded + p);
    return;
  }
  constexpr Index width = 3 * lane_count;
  for (Index block = first_block; block < last_block; ++block)
    for (const std::int32_t p : positions)
      for (Index n = 0; n < width; ++n) visit((block * padded + p) * width + n);
}

std::size_t numbers_of(const SpinLayout& layout, std::size_t positions, Index blocks) {
  return positions * 3 * static_cast<std::size_t>(layout.one_replica() ? 1 : blocks * lane_count);
}

template <class Number>
std::vector<Number> packed(const SpinLayout& layout, const Number* field,
                           std::span<const std::int32_t> positions, Index first_block,
                           Index last_block) {
  std::vector<Number> numbers;
  numbers.reserve(numbers_of(layout, positions.size(), last_block - first_block));
  for_each_number(layout, positions, first_block, last_block,
                  [&](Index n) { numbers.push_back(field[n]); });
  return numbers;
}

template <class Number>
void unpack(const SpinLayout& layout, const std::vector<Number>& numbers,
            std::span<const std::int32_t> positions, Index first_block, Index last_block,
            Number* field) {
  const Number* next = numbers.data();
  for_each_number(layout, positions, first_block, last_block, [&](Index n) { field[n] = *next++; });
}

template <class Number>
Message message(std::size_t rank, std::vector<Number>& numbers) {
  return {static_cast<int>(rank), numbers.data(), numbers.size() * sizeof(Number)};
}

}  // namespace

Slabs::Slabs(const Communicator& world, const Model& model)
    : world_(world), layout_(model.layout(model.replicas())) {
  find_owned(model);
  find_halo(model);
  slab_.owned = owned_.data();
  slab_.count = static_cast<Index>(owned_.size());
  slab_.is_first = world.is_root();
  slab_.context = this;
  slab_.exchange = [](void* context, const Reals& field, const SiteRange& sites, Index first_block,
                      Index last_block) {
    auto& self = *static_cast<Slabs*>(context);
    if (field.wide != nullptr) self.exchange(field.wide, sites, first_block, last_block);
    if (field.narrow != nullptr) self.exchange(field.narrow, sites, first_block, last_block);
  };
  slab_.complete = [](void* context, const Reals& field) {
    auto& self = *static_cast<Slabs*>(context);
    if (field.wide != nullptr) self.complete(field.wide);
    if (field.narrow != nullptr) self.complete(field.narrow);
  };
  slab_.add_up = [](void* context, double* numbers, Index count) {
    static_cast<Slabs*>(context)->world_.sum(numbers, static_cast<std::size_t>(count));
  };
}

void Slabs::find_owned(const Model& model) {
  const Index spins = layout_.spins();
  const Index pieces = (spins + slab_grain - 1) / slab_grain;
  if (pieces < world_.size())
    throw InputError(
        std::to_string(world_.size()) + " ranks cannot share a lattice of " +
            std::to_string(spins) + " spins: each takes " + std::to_string(slab_grain) + " or more",
        "start at most " + std::to_string(pieces) + ", or set replicas to eight a rank");
  const std::vector<Index> runs = model.runs();
  const auto place = [&](Index piece) {
    const Index middle = std::min(piece * slab_grain + slab_grain / 2, spins - 1);
    const auto next = std::upper_bound(runs.begin(), runs.end(), middle);
    const Index first = *(next - 1), last = next == runs.end() ? spins : *next;
    return static_cast<double>(middle - first) / static_cast<double>(last - first);
  };
  std::vector<Index> order(static_cast<std::size_t>(pieces));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return place(a) < place(b); });
  rank_of_piece_.resize(order.size());
  for (std::size_t n = 0; n < order.size(); ++n)
    rank_of_piece_[static_cast<std::size_t>(order[n])] =
        static_cast<int>(static_cast<Index>(n) * world_.size() / pieces);
  for (Index piece = 0; piece < pieces; ++piece) {
    if (rank_of_piece_[static_cast<std::size_t>(piece)] != world_.rank()) continue;
    const Index first = piece * slab_grain, last = std::min(first + slab_grain, spins);
    if (!owned_.empty() && owned_.back().last == first) {
      owned_.back().last = last;
    } else {
      owned_.push_back({first, last});
    }
  }
}

void Slabs::find_halo(const Model& model) {
  const auto ranks = static_cast<std::size_t>(world_.size());
  const auto own = static_cast<std::size_t>(world_.rank());
  const auto rank_of = [&](Index position) {
    return static_cast<std::size_t>(
        rank_of_piece_[static_cast<std::size_t>(position / slab_grain)]);
  };
  owned_by_.resize(ranks);
  halo_in_.resize(ranks);
  halo_out_.resize(ranks);
  const std::vector<std::int32_t> neighbours = model.neighbours();
  const Index slots = model.slots();
  for (Index p = 0; p < layout_.spins(); ++p) {
    const std::size_t reader = rank_of(p);
    owned_by_[reader].push_back(static_cast<std::int32_t>(p));
    for (Index slot = 0; slot < slots; ++slot) {
      const std::int32_t q = neighbours[static_cast<std::size_t>(
          (p / lane_count * slots + slot) * lane_count + p % lane_count)];
      if (q >= layout_.spins() || rank_of(q) == reader) continue;
      if (reader == own) halo_in_[rank_of(q)].push_back(q);
      if (rank_of(q) == own) halo_out_[reader].push_back(q);
    }
  }
  for (auto* lists : {&halo_in_, &halo_out_})
    for (std::vector<std::int32_t>& positions : *lists) {
      std::sort(positions.begin(), positions.end());
      positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    }
}

template <class Number>
void Slabs::exchange(Number* field, const SiteRange& sites, Index first_block, Index last_block) {
  const std::size_t ranks = halo_in_.size();
  std::vector<std::vector<Number>> out(ranks), in(ranks);
  std::vector<Message> sent, received;
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto to = among(halo_out_[r], sites), from = among(halo_in_[r], sites);
    if (!to.empty()) {
      out[r] = packed(layout_, field, to, first_block, last_block);
      sent.push_back(message(r, out[r]));
    }
    if (!from.empty()) {
      in[r].resize(numbers_of(layout_, from.size(), last_block - first_block));
      received.push_back(message(r, in[r]));
    }
  }
  world_.exchange(sent, received);
  for (std::size_t r = 0; r < ranks; ++r)
    if (!in[r].empty())
      unpack(layout_, in[r], among(halo_in_[r], sites), first_block, last_block, field);
}

template <class Number>
void Slabs::complete(Number* field) {
  const std::size_t ranks = owned_by_.size();
  const Index blocks = layout_.blocks();
  std::vector<Number> own = packed(
      layout_, field, std::span(owned_by_[static_cast<std::size_t>(world_.rank())]), 0, blocks);
  // One rank after the other, so that no more than a part of the lattice is on its way.
  for (std::size_t from = 0; from < ranks; ++from) {
    std::vector<Message> sent, received;
    std::vector<Number> in;
    if (static_cast<int>(from) == world_.rank()) {
      for (std::size_t r = 0; r < ranks; ++r)
        if (r != from) sent.push_back(message(r, own));
    } else {
      in.resize(numbers_of(layout_, owned_by_[from].size(), blocks));
      received.push_back(message(from, in));
    }
    world_.exchange(sent, received);
    if (!in.empty()) unpack(layout_, in, std::span(owned_by_[from]), 0, blocks, field);
  }
}

}  // namespace larmor::spins
