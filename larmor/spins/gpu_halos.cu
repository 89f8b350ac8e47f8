#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/cuda_backend.hpp"
#include "larmor/core/slots.hpp"
#include "larmor/spins/gpu_halos.hpp"

namespace larmor::spins {
namespace {

constexpr int block_threads = 256;
constexpr Index block_numbers = 3 * lane_count;

/// Where the numbers of some positions lie in a field, and in what is sent: position by position.
struct Places {
  const std::int32_t* positions;
  Index count;
  Index padded_sites;
  bool one_replica;
  Index first_block, blocks;

  __host__ __device__ Index numbers() const {
    return count * (one_replica ? 3 : blocks * block_numbers);
  }
  __device__ void of_thread(Index i, Index& in_field, Index& in_message) const {
    if (one_replica) {
      const Index n = i % count, component = i / count;
      in_field = component * padded_sites + positions[n];
      in_message = 3 * n + component;
      return;
    }
    const Index number = i % block_numbers, block = i / block_numbers % blocks;
    const Index n = i / (block_numbers * blocks);
    in_field = ((first_block + block) * padded_sites + positions[n]) * block_numbers + number;
    in_message = i;
  }
};

template <class Number>
__global__ void pack(Places places, const Number* field, Number* message) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= places.numbers()) return;
  Index from, to;
  places.of_thread(i, from, to);
  message[to] = field[from];
}

template <class Number>
__global__ void unpack(Places places, const Number* message, Number* field) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= places.numbers()) return;
  Index to, from;
  places.of_thread(i, to, from);
  field[to] = message[from];
}

unsigned blocks_for(Index threads) {
  return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

}  // namespace

GpuHalos::GpuHalos(const Device& device, const SpinLayout& layout,
                   const std::vector<std::vector<std::int32_t>>& out,
                   const std::vector<std::vector<std::int32_t>>& in)
    : device_(device), layout_(layout), out_(out), in_(in) {
  const Index numbers = layout.one_replica() ? 3 : layout.blocks() * block_numbers;
  const auto all = [&](const std::vector<std::vector<std::int32_t>>& of_rank) {
    std::size_t positions = 0;
    for (const auto& of : of_rank) positions += of.size();
    return static_cast<Index>(positions) * numbers;
  };
  out_buffer_ = Array<double>(device, all(out));
  in_buffer_ = Array<double>(device, all(in));
  cuda::synchronise(device.ordinal);
}

GpuHalos::Side GpuHalos::side(const std::vector<std::vector<std::int32_t>>& of_rank,
                              const SiteRange& sites) const {
  Side side;
  std::vector<std::int32_t> positions;
  for (const std::vector<std::int32_t>& of : of_rank) {
    const auto first = std::lower_bound(of.begin(), of.end(), sites.first);
    const auto last = std::lower_bound(first, of.end(), sites.last);
    positions.insert(positions.end(), first, last);
    side.count.push_back(last - first);
  }
  side.positions = Array<std::int32_t>(device_, positions);
  return side;
}

const GpuHalos::Sides& GpuHalos::among(const SiteRange& sites) {
  const auto [known, is_new] = known_.try_emplace({sites.first, sites.last});
  if (is_new) known->second = {side(out_, sites), side(in_, sites)};
  return known->second;
}

template <class Number>
void GpuHalos::exchange(const Sides& sides, Number* field, Index first_block, Index last_block) {
  const auto places = [&](const Side& side) {
    return Places{side.positions.data(), side.positions.size(), layout_.padded_sites(),
                  layout_.one_replica(), first_block,           last_block - first_block};
  };
  const auto messages = [&](const Side& side, Number* buffer) {
    const Index all = side.positions.size();
    const Index numbers = all > 0 ? places(side).numbers() / all : 0;
    std::vector<Message> of_ranks;
    for (std::size_t rank = 0; rank < side.count.size(); ++rank) {
      const Index count = side.count[rank] * numbers;
      if (count > 0)
        of_ranks.push_back(
            {static_cast<int>(rank), buffer, static_cast<std::size_t>(count) * sizeof(Number)});
      buffer += count;
    }
    return of_ranks;
  };
  Number* out = reinterpret_cast<Number*>(out_buffer_.data());
  Number* in = reinterpret_cast<Number*>(in_buffer_.data());
  const Places sent = places(sides.out), received = places(sides.in);
  if (sent.count > 0)
    pack<<<blocks_for(sent.numbers()), block_threads, 0, link_->stream()>>>(sent, field, out);
  cuda::check(cudaGetLastError(), "starting a kernel");
  link_->exchange(messages(sides.out, out), messages(sides.in, in));
  if (received.count > 0)
    unpack<<<blocks_for(received.numbers()), block_threads, 0, link_->stream()>>>(received, in,
                                                                                  field);
  cuda::check(cudaGetLastError(), "starting a kernel");
}

void GpuHalos::exchange(const Reals& field, const SiteRange& sites, Index first_block,
                        Index last_block) {
  const Sides& sides = among(sites);
  if (field.wide != nullptr) exchange(sides, field.wide, first_block, last_block);
  if (field.narrow != nullptr) exchange(sides, field.narrow, first_block, last_block);
}

void GpuHalos::add_up(double* numbers, Index count) {
  link_->fork();
  link_->sum(numbers, static_cast<std::size_t>(count));
  link_->join();
}

template <class Number>
void GpuHalos::share(Number* field, const std::vector<std::vector<SiteRange>>& owned) {
  std::vector<Message> parts;
  const auto add = [&](std::size_t rank, Index first, Index count) {
    parts.push_back(
        {static_cast<int>(rank), field + first, static_cast<std::size_t>(count) * sizeof(Number)});
  };
  const Index padded = layout_.padded_sites();
  for (std::size_t rank = 0; rank < owned.size(); ++rank)
    for (const SiteRange& range : owned[rank]) {
      const Index count = range.last - range.first;
      if (layout_.one_replica()) {
        for (Index c = 0; c < 3; ++c) add(rank, c * padded + range.first, count);
      } else {
        for (Index block = 0; block < layout_.blocks(); ++block)
          add(rank, (block * padded + range.first) * block_numbers, count * block_numbers);
      }
    }
  link_->share(parts);
}

void GpuHalos::complete(const Reals& field, const std::vector<std::vector<SiteRange>>& owned,
                        const std::function<void(double* wide, float* narrow)>& on_host) {
  if (link_->is_direct()) {
    link_->fork();
    if (field.wide != nullptr) share(field.wide, owned);
    if (field.narrow != nullptr) share(field.narrow, owned);
    link_->join();
    return;
  }
  const auto by_host = [&](auto* numbers, const auto& complete) {
    std::vector<std::decay_t<decltype(*numbers)>> host(static_cast<std::size_t>(layout_.numbers()));
    const std::size_t bytes = host.size() * sizeof(*numbers);
    cuda::copy(device_.ordinal, host.data(), numbers, bytes);
    complete(host.data());
    cuda::copy(device_.ordinal, numbers, host.data(), bytes);
  };
  if (field.wide != nullptr)
    by_host(field.wide, [&](double* numbers) { on_host(numbers, nullptr); });
  if (field.narrow != nullptr)
    by_host(field.narrow, [&](float* numbers) { on_host(nullptr, numbers); });
}

}  // namespace larmor::spins
