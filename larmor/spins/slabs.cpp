#include "larmor/spins/slabs.hpp"

#include <algorithm>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/spins/model.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/spins/gpu_halos.hpp"
#include "larmor/spins/stencil_launch.hpp"
#endif

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

std::size_t numbers_of(const SpinLayout& layout, std::size_t positions, Index blocks) {
  return positions * 3 * static_cast<std::size_t>(layout.one_replica() ? 1 : blocks * lane_count);
}

template <class Number, class Positions>
std::vector<Number> packed(const SpinLayout& layout, const Number* field,
                           const Positions& positions, Index first_block, Index last_block) {
  std::vector<Number> numbers;
  numbers.reserve(numbers_of(layout, positions.size(), last_block - first_block));
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

/// Positions of ranges as a list.
std::vector<Index> positions_of(const std::vector<SiteRange>& ranges) {
  std::vector<Index> positions;
  for (const SiteRange& range : ranges)
    for (Index p = range.first; p < range.last; ++p) positions.push_back(p);
  return positions;
}

/// What kernels made for the model update together; nothing on a CPU.
std::vector<PlanePartition::Layer> layers_of_kernels([[maybe_unused]] const Model& model,
                                                     [[maybe_unused]] const SpinLayout& layout,
                                                     [[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return layers_of_made_kernels(model, layout, device);
#endif
  return {};
}

/// @param layers of kernels made for the model; empty: tables are used
std::unique_ptr<SlabPartition> partition_of(const Communicator& world, const Model& model,
                                            const SpinLayout& layout,
                                            const std::vector<PlanePartition::Layer>& layers) {
  if (const std::optional<Stencil> neighbourhood = model.neighbourhood())
    if (auto planes = PlanePartition::make(*neighbourhood, layout.spins(), world.size(), layers))
      return planes;
  if (!layers.empty())
    throw InputError(std::to_string(world.size()) + " ranks cannot share so thin a lattice",
                     "start fewer, or set replicas to eight a rank");
  return std::make_unique<PiecePartition>(model, world.size());
}

/// Of whole numbers, exact in a double.
double fingerprint(const std::vector<Index>& numbers) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const Index number : numbers)
    hash = (hash ^ static_cast<std::uint64_t>(number)) * 1099511628211u;
  return static_cast<double>(hash >> 12);
}

}  // namespace

Slabs::Slabs(const Communicator& world, const Model& model, const Device& device)
    : world_(world), layout_(model.layout(model.replicas())), device_(device) {
  const auto layers = layers_of_kernels(model, layout_, device);
  const auto partition = partition_of(world, model, layout_, layers);
  std::vector<Index> chosen{static_cast<Index>(device.backend),
                            static_cast<Index>(device.precision)};
  for (const PlanePartition::Layer& layer : layers)
    chosen.insert(chosen.end(), layer.begin(), layer.end());
  for (int rank = 0; rank < world.size(); ++rank) {
    owned_.push_back(partition->owned(rank));
    for (const SiteRange& range : owned_.back()) chosen.push_back(range.first);
  }
  fingerprint_ = fingerprint(chosen);
  find_halos(*partition);
  set_functions();
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    on_gpu_ = std::make_shared<GpuHalos>(device, layout_, halo_out_, halo_in_);
#endif
}

Slabs::~Slabs() = default;

void Slabs::connect() {
  const std::vector<double> most = world_.maximum({fingerprint_, -fingerprint_});
  world_.together([&] {
    if (world_.is_root() && most[0] != -most[1])
      throw MachineError(
          "ranks that share a lattice must do the same: they differ in backend, precision or kind "
          "of GPU, or kernels are not made for the model on all of them (NVRTC, "
          "LARMOR_MADE_KERNELS)");
  });
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu_) on_gpu_->connect(world_);
#endif
}

Index Slabs::halo() const {
  Index positions = 0;
  for (const auto& of_rank : halo_in_) positions += static_cast<Index>(of_rank.size());
  return positions;
}

void Slabs::find_halos(const SlabPartition& partition) {
  const int own = world_.rank();
  halo_in_.resize(owned_.size());
  halo_out_.resize(owned_.size());
  std::vector<std::int32_t> out;
  for (int reader = 0; reader < world_.size(); ++reader)
    for (const std::int32_t position : partition.reads(reader)) {
      const int owner = partition.rank_of(position);
      if (reader == own) halo_in_[static_cast<std::size_t>(owner)].push_back(position);
      if (owner != own) continue;
      halo_out_[static_cast<std::size_t>(reader)].push_back(position);
      out.push_back(position);
    }
  cells_ = partition.cells(own, out);
}

void Slabs::set_functions() {
  const std::vector<SiteRange>& own = owned_[static_cast<std::size_t>(world_.rank())];
  slab_.owned = own.data();
  slab_.count = static_cast<Index>(own.size());
  slab_.is_first = world_.is_root();
  slab_.cells = cells_ ? &*cells_ : nullptr;
  slab_.context = this;
  slab_.complete = [](void* context, const Reals& field) {
    static_cast<Slabs*>(context)->complete(field);
  };
  slab_.add_up = [](void* context, double* numbers, Index count) {
    static_cast<Slabs*>(context)->world_.sum(numbers, static_cast<std::size_t>(count));
  };
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda) {
    slab_.fork = [](void* context) { return static_cast<Slabs*>(context)->on_gpu_->fork(); };
    slab_.exchange = [](void* context, const Reals& field, const SiteRange& sites,
                        Index first_block, Index last_block) {
      static_cast<Slabs*>(context)->on_gpu_->exchange(field, sites, first_block, last_block);
    };
    slab_.join = [](void* context) { static_cast<Slabs*>(context)->on_gpu_->join(); };
    slab_.add_up_on_device = [](void* context, double* numbers, Index count) {
      static_cast<Slabs*>(context)->on_gpu_->add_up(numbers, count);
    };
    return;
  }
#endif
  slab_.fork = [](void*) -> CUstream_st* { return nullptr; };
  slab_.exchange = [](void* context, const Reals& field, const SiteRange& sites, Index first_block,
                      Index last_block) {
    auto& self = *static_cast<Slabs*>(context);
    if (field.wide != nullptr) self.exchange(field.wide, sites, first_block, last_block);
    if (field.narrow != nullptr) self.exchange(field.narrow, sites, first_block, last_block);
  };
  slab_.join = [](void*) {};
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

void Slabs::complete(const Reals& field) {
  const auto on_host = [this](double* wide, float* narrow) {
    if (wide != nullptr) complete_on_host(wide);
    if (narrow != nullptr) complete_on_host(narrow);
  };
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu_) return on_gpu_->complete(field, owned_, on_host);
#endif
  on_host(field.wide, field.narrow);
}

template <class Number>
void Slabs::complete_on_host(Number* field) {
  const Index blocks = layout_.blocks();
  const auto own = static_cast<std::size_t>(world_.rank());
  std::vector<Number> out = packed(layout_, field, positions_of(owned_[own]), 0, blocks);
  // One rank after the other, so that no more than a part of the lattice is on its way.
  for (std::size_t from = 0; from < owned_.size(); ++from) {
    std::vector<Message> sent, received;
    std::vector<Number> in;
    const std::vector<Index> positions = positions_of(owned_[from]);
    if (from == own) {
      for (std::size_t r = 0; r < owned_.size(); ++r)
        if (r != from) sent.push_back(message(r, out));
    } else {
      in.resize(numbers_of(layout_, positions.size(), blocks));
      received.push_back(message(from, in));
    }
    world_.exchange(sent, received);
    if (!in.empty()) unpack(layout_, in, positions, 0, blocks, field);
  }
}

std::string Slabs::words() const {
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu_) return on_gpu_->words();
#endif
  return "MPI";
}

}  // namespace larmor::spins
