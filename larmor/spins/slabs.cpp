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

Index numbers_of(const SpinLayout& layout, std::size_t positions, Index blocks) {
  return static_cast<Index>(positions) * 3 * (layout.one_replica() ? 1 : blocks * lane_count);
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
    if (field.wide != nullptr) self.pass(self.halo_, field.wide, sites, first_block, last_block);
    if (field.narrow != nullptr)
      self.pass(self.halo_, field.narrow, sites, first_block, last_block);
  };
  slab_.complete = [](void* context, const Reals& field) {
    auto& self = *static_cast<Slabs*>(context);
    const SiteRange sites{0, self.layout_.spins()};
    const Index blocks = self.layout_.blocks();
    if (field.wide != nullptr) self.pass(self.all_, field.wide, sites, 0, blocks);
    if (field.narrow != nullptr) self.pass(self.all_, field.narrow, sites, 0, blocks);
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
  const auto own_rank = static_cast<std::size_t>(world_.rank());
  const auto rank_of = [&](Index position) {
    return static_cast<std::size_t>(
        rank_of_piece_[static_cast<std::size_t>(position / slab_grain)]);
  };
  all_.in.resize(ranks);
  all_.out.resize(ranks);
  for (Index p = 0; p < layout_.spins(); ++p)
    all_.in[rank_of(p)].push_back(static_cast<std::int32_t>(p));
  for (std::size_t r = 0; r < ranks; ++r)
    if (r != own_rank) all_.out[r] = all_.in[own_rank];
  all_.in[own_rank].clear();

  halo_.in.resize(ranks);
  halo_.out.resize(ranks);
  const std::vector<std::int32_t> neighbours = model.neighbours();
  const Index slots = model.slots();
  for (const SiteRange& range : owned_)
    for (Index p = range.first; p < range.last; ++p)
      for (Index slot = 0; slot < slots; ++slot) {
        const std::int32_t q = neighbours[static_cast<std::size_t>(
            (p / lane_count * slots + slot) * lane_count + p % lane_count)];
        if (q < layout_.spins() && rank_of(q) != own_rank) halo_.in[rank_of(q)].push_back(q);
      }
  std::vector<std::vector<double>> wanted;
  for (std::vector<std::int32_t>& positions : halo_.in) {
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    wanted.emplace_back(positions.begin(), positions.end());
  }
  const std::vector<std::vector<double>> asked = world_.swap(wanted);
  for (std::size_t r = 0; r < ranks; ++r)
    for (const double position : asked[r])
      halo_.out[r].push_back(static_cast<std::int32_t>(position));
}

template <class Number>
void Slabs::pass(const Traffic& traffic, Number* field, const SiteRange& sites, Index first_block,
                 Index last_block) {
  const auto ranks = traffic.in.size();
  std::vector<std::vector<Number>> out(ranks), in(ranks);
  std::vector<Message> sent, received;
  const auto bytes = [](const std::vector<Number>& numbers) {
    return numbers.size() * sizeof(Number);
  };
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto to = among(traffic.out[r], sites), from = among(traffic.in[r], sites);
    const Index blocks = last_block - first_block;
    if (!to.empty()) {
      out[r].reserve(static_cast<std::size_t>(numbers_of(layout_, to.size(), blocks)));
      for_each_number(layout_, to, first_block, last_block,
                      [&](Index n) { out[r].push_back(field[n]); });
      sent.push_back({static_cast<int>(r), out[r].data(), bytes(out[r])});
    }
    if (!from.empty()) {
      in[r].resize(static_cast<std::size_t>(numbers_of(layout_, from.size(), blocks)));
      received.push_back({static_cast<int>(r), in[r].data(), bytes(in[r])});
    }
  }
  world_.exchange(sent, received);
  for (std::size_t r = 0; r < ranks; ++r) {
    const Number* next = in[r].data();
    if (!in[r].empty())
      for_each_number(layout_, among(traffic.in[r], sites), first_block, last_block,
                      [&](Index n) { field[n] = *next++; });
  }
}

}  // namespace larmor::spins
