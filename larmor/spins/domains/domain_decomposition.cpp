#include "larmor/spins/domains/domain_decomposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "larmor/core/error.hpp"
#include "larmor/core/simd/replica_blocks.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/spins/domains/gpu_halos.hpp"
#include "larmor/spins/jit/stencil_launch.hpp"
#endif

namespace larmor::spins {
namespace {

/// Smallest number of interior positions for a separate launch on a GPU. The update of fewer
/// positions is shorter than the additional launches.
constexpr Index least_inside = 65536;

/// Layers that JIT kernels update together; empty on a CPU.
std::vector<PlanePartition::Layer> layers_of_kernels([[maybe_unused]] const Model& model,
                                                     [[maybe_unused]] const SpinLayout& layout,
                                                     [[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return layers_of_jit_kernels(model, layout, device);
#endif
  return {};
}

/// @param layers layers of JIT kernels; empty if kernels read tables
std::unique_ptr<DomainPartition> partition_of(const Communicator& world, const Model& model,
                                              const SpinLayout& layout,
                                              const std::vector<PlanePartition::Layer>& layers) {
  Index most = layers.empty() ? BlockPartition::blocks(layout.spins()) : 0;
  if (const std::optional<Stencil> neighbourhood = model.neighbourhood()) {
    if (auto planes = PlanePartition::make(*neighbourhood, layout.spins(), world.size(), layers))
      return planes;
    most = std::max(most, PlanePartition::most_ranks(*neighbourhood, layout.spins()));
  }
  if (most < world.size())
    throw InputError(
        fmt::format(
            "{} ranks cannot share a lattice of {} spins: each rank needs {}a plane of cells",
            world.size(), layout.spins(),
            layers.empty() ? fmt::format("{} spins or more, or ", partial_sum_grain) : ""),
        fmt::format("start at most {} ranks, or set replicas to eight for each rank",
                    std::max(most, movable_blocks(layout.replicas))));
  return std::make_unique<BlockPartition>(model, world.size());
}

/// The numbers of a field that are read as sites: the doubles, if there are any.
Reals of_sites(const Reals& field) {
  return field.wide != nullptr ? Reals{field.wide, nullptr} : field;
}

}  // namespace

DomainDecomposition::DomainDecomposition(const Communicator& world, const Model& model,
                                         const Device& device,
                                         const lattice::NearestNeighbours* nearest)
    : world_(world), layout_(model.layout(model.replicas())), device_(device) {
  const auto layers = layers_of_kernels(model, layout_, device);
  const auto partition = partition_of(world, model, layout_, layers);
  for (int rank = 0; rank < world.size(); ++rank) owned_.push_back(partition->owned(rank));
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) on_gpu_ = std::make_shared<GpuHalos>(device, layout_);
#endif
  std::optional<NearestPositions> positions;
  if (nearest != nullptr) positions.emplace(*nearest, model);
  find_halos(*partition, positions ? &*positions : nullptr);
  set_functions();
}

DomainDecomposition::~DomainDecomposition() = default;

void DomainDecomposition::connect() {
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu_) on_gpu_->connect(world_);
#endif
}

Index DomainDecomposition::halo_bytes() const {
  const auto bytes = [this](const Halo& halo, std::size_t of_number) {
    return numbers_at(layout_, halo.received(), layout_.blocks()) * static_cast<Index>(of_number);
  };
  return bytes(whole_.wide, sizeof(double)) + bytes(whole_.narrow, sizeof(float));
}

void DomainDecomposition::find_halos(const DomainPartition& partition,
                                     const NearestPositions* nearest) {
  const int own = world_.rank();
  Halo neighbours(owned_.size()), sites(owned_.size());
  std::vector<std::int32_t> out;
  const auto add = [&](int reader, const std::vector<std::int32_t>& positions, Halo& halo) {
    for (const std::int32_t position : positions) {
      const int owner = partition.rank_of(position);
      if (reader == own) halo.in[static_cast<std::size_t>(owner)].push_back(position);
      if (owner != own) continue;
      halo.out[static_cast<std::size_t>(reader)].push_back(position);
      out.push_back(position);
    }
  };
  // Only in mixed precision, bonds and sites read different copies of the spins.
  const bool separate = device_.precision == Precision::mixed_numbers;
  for (int reader = 0; reader < world_.size(); ++reader) {
    PositionsRead read = partition.reads(reader);
    if (nearest != nullptr)
      read.as_neighbours = united(read.as_neighbours, partition.reads_nearest(reader, *nearest));
    add(reader, separate ? read.as_sites : read.all(), sites);
    if (separate) add(reader, read.as_neighbours, neighbours);
  }
  cells_ = partition.cells(own, out);
  edge_and_interior_ =
      EdgeAndInterior(owned_[static_cast<std::size_t>(own)], std::move(out),
                      device_.backend == Backend::cuda ? least_inside / layout_.padded_replicas()
                                                       : std::numeric_limits<Index>::max());
  if (device_.precision == Precision::single_numbers) std::swap(sites, neighbours);
  whole_ = plan_of(std::move(sites), std::move(neighbours));
}

DomainDecomposition::Plan DomainDecomposition::plan_of(Halo wide, Halo narrow) const {
  Plan plan{std::move(wide), std::move(narrow), nullptr};
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu_) plan.on_gpu = on_gpu_->halos(plan.wide, plan.narrow);
#endif
  return plan;
}

const DomainDecomposition::Plan& DomainDecomposition::plan_among(const SiteRanges& sites) {
  const std::span<const SiteRange> ranges(sites.range, static_cast<std::size_t>(sites.count));
  std::vector<Index> key;
  for (const SiteRange& range : ranges) key.insert(key.end(), {range.first, range.last});
  const auto [known, is_new] = among_.try_emplace(std::move(key));
  if (is_new) known->second = plan_of(whole_.wide.among(ranges), whole_.narrow.among(ranges));
  return known->second;
}

const DomainDecomposition::Plan& DomainDecomposition::plan_of_blocks(Index block_sites) {
  const auto [known, is_new] = of_blocks_.try_emplace(block_sites);
  if (is_new) {
    Halo blocks = halo_of_blocks(owned_, world_.rank(), block_sites), none(owned_.size());
    if (device_.precision == Precision::single_numbers) std::swap(blocks, none);
    known->second = plan_of(std::move(blocks), std::move(none));
  }
  return known->second;
}

void DomainDecomposition::set_functions() {
  const std::vector<SiteRange>& own = owned_[static_cast<std::size_t>(world_.rank())];
  const auto ranges = [](const std::vector<SiteRange>& list) {
    return SiteRanges{list.data(), std::ssize(list)};
  };
  domain_.owned = ranges(own);
  domain_.edge = ranges(edge_and_interior_.edge);
  domain_.interior = ranges(edge_and_interior_.interior);
  domain_.is_first = world_.is_root();
  domain_.cells = cells_ ? &*cells_ : nullptr;
  domain_.context = this;
  domain_.exchange = [](void* context, const Reals& field, const SiteRanges& sites,
                        Index first_block, Index last_block) {
    auto& self = *static_cast<DomainDecomposition*>(context);
    self.exchange_halo(self.plan_among(sites), field, first_block, last_block);
  };
  domain_.complete = [](void* context, const Reals& field, Index first_block, Index last_block) {
    static_cast<DomainDecomposition*>(context)->complete(field, first_block, last_block);
  };
  domain_.complete_site_blocks = [](void* context, const Reals& field, Index block_sites) {
    auto& self = *static_cast<DomainDecomposition*>(context);
    self.domain_.fork(context);
    self.exchange_halo(self.plan_of_blocks(block_sites), of_sites(field), 0, self.layout_.blocks());
    self.domain_.join(context);
  };
  domain_.add_up = [](void* context, double* numbers, Index count) {
    static_cast<DomainDecomposition*>(context)->world_.sum(numbers,
                                                           static_cast<std::size_t>(count));
  };
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu_) {
    domain_.fork = [](void* context) {
      return static_cast<DomainDecomposition*>(context)->on_gpu_->fork();
    };
    domain_.join = [](void* context) {
      static_cast<DomainDecomposition*>(context)->on_gpu_->join();
    };
    domain_.add_up_on_device = [](void* context, double* numbers, Index count) {
      static_cast<DomainDecomposition*>(context)->on_gpu_->add_up(numbers, count);
    };
    return;
  }
#endif
  domain_.fork = [](void*) -> CUstream_st* { return nullptr; };
  domain_.join = [](void*) {};
}

void DomainDecomposition::exchange_halo(const Plan& plan, const Reals& field, Index first_block,
                                        Index last_block) {
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu_) return on_gpu_->exchange(*plan.on_gpu, field, first_block, last_block);
#endif
  if (field.wide != nullptr)
    exchange(world_, layout_, plan.wide, field.wide, first_block, last_block);
  if (field.narrow != nullptr)
    exchange(world_, layout_, plan.narrow, field.narrow, first_block, last_block);
}

void DomainDecomposition::complete(const Reals& field, Index first_block, Index last_block) {
  const Reals sites = of_sites(field);
  const auto on_host = [&](double* wide, float* narrow) {
    if (wide != nullptr) spins::complete(world_, layout_, owned_, wide, first_block, last_block);
    if (narrow != nullptr)
      spins::complete(world_, layout_, owned_, narrow, first_block, last_block);
  };
#if defined(LARMOR_HAS_CUDA)
  // On a GPU all blocks are processed at once.
  if (on_gpu_) return on_gpu_->complete(sites, owned_, on_host);
#endif
  on_host(sites.wide, sites.narrow);
}

std::string DomainDecomposition::description() const {
#if defined(LARMOR_HAS_CUDA)
  if (on_gpu_) return on_gpu_->description();
#endif
  return "MPI";
}

}  // namespace larmor::spins
