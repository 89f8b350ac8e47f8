#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/simd/slots.hpp"
#include "larmor/spins/domains/gpu_halos.hpp"

namespace larmor::spins {
namespace {

constexpr Index block_numbers = 3 * lane_count;

/// Indices of the numbers of some sites in a field and in a message, in the order of the positions.
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

enum class CopyDirection { into_message, into_field };

template <CopyDirection direction, class Number>
__global__ void move(Places places, Number* field, Number* message) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= places.numbers()) return;
  Index in_field, in_message;
  places.of_thread(i, in_field, in_message);
  if (direction == CopyDirection::into_message) {
    message[in_message] = field[in_field];
  } else {
    field[in_field] = message[in_message];
  }
}

/// The transfer of the numbers that a rank sends, or of those that it receives, for a halo.
template <class Number>
class HaloTransfer {
 public:
  /// @param field null if the transfer has no numbers
  HaloTransfer(const SpinLayout& layout, const HaloOnGpu::Side& side, Number* field,
               Number* message, Index first_block, Index last_block)
      : places_{side.positions.data(), field == nullptr ? 0 : side.positions.size(),
                layout.padded_sites(), layout.one_replica(),
                first_block,           last_block - first_block},
        of_rank_(side.count),
        field_(field),
        message_(message) {}

  Index numbers() const { return places_.numbers(); }
  void add_to(std::vector<Message>& messages) const {
    if (places_.count == 0) return;
    const Index of_position = numbers() / places_.count;
    Number* next = message_;
    for (std::size_t rank = 0; rank < of_rank_.size(); ++rank) {
      const Index numbers = of_rank_[rank] * of_position;
      if (numbers > 0)
        messages.push_back(
            {static_cast<int>(rank), next, static_cast<std::size_t>(numbers) * sizeof(Number)});
      next += numbers;
    }
  }
  template <CopyDirection direction>
  void launch(cudaStream_t stream) const {
    if (places_.count == 0) return;
    cuda::launch(stream, cuda::shape_of(numbers()), move<direction, Number>, places_, field_,
                 message_);
  }

 private:
  Places places_;
  const std::vector<Index>& of_rank_;
  Number *field_, *message_;
};

}  // namespace

HaloOnGpu::Side::Side(const Device& device, const PositionsOfRanks& of_rank) {
  std::vector<std::int32_t> all;
  for (const std::vector<std::int32_t>& list : of_rank) {
    all.insert(all.end(), list.begin(), list.end());
    count.push_back(std::ssize(list));
  }
  positions = Array<std::int32_t>(device, all);
}

std::shared_ptr<const HalosOnGpu> GpuHalos::halos(const Halo& wide, const Halo& narrow) {
  auto result = std::make_shared<const HalosOnGpu>(
      HalosOnGpu{HaloOnGpu(device_, wide), HaloOnGpu(device_, narrow)});
  const auto numbers = [this](const HaloOnGpu::Side& side) {
    return numbers_at(layout_, side.positions.size(), layout_.blocks());
  };
  const auto reserve = [&](Array<double>& buffer, const HaloOnGpu::Side& of_wide,
                           const HaloOnGpu::Side& of_narrow) {
    const Index doubles = numbers(of_wide) + (numbers(of_narrow) + 1) / 2;
    if (buffer.size() < doubles) buffer = Array<double>(device_, doubles);
  };
  reserve(out_buffer_, result->wide.out, result->narrow.out);
  reserve(in_buffer_, result->wide.in, result->narrow.in);
  cuda::synchronise(device_.ordinal);
  return result;
}

void GpuHalos::exchange(const HalosOnGpu& halos, const Reals& field, Index first_block,
                        Index last_block) {
  const auto transfer = [&](const HaloOnGpu::Side& side, auto* numbers, auto* message) {
    return HaloTransfer(layout_, side, numbers, message, first_block, last_block);
  };
  const auto narrow_message = [](const HaloTransfer<double>& wide, double* messages) {
    return reinterpret_cast<float*>(messages + wide.numbers());
  };
  const auto wide_out = transfer(halos.wide.out, field.wide, out_buffer_.data());
  const auto wide_in = transfer(halos.wide.in, field.wide, in_buffer_.data());
  const auto narrow_out =
      transfer(halos.narrow.out, field.narrow, narrow_message(wide_out, out_buffer_.data()));
  const auto narrow_in =
      transfer(halos.narrow.in, field.narrow, narrow_message(wide_in, in_buffer_.data()));
  wide_out.launch<CopyDirection::into_message>(link_->stream());
  narrow_out.launch<CopyDirection::into_message>(link_->stream());
  std::vector<Message> out, in;
  wide_out.add_to(out);
  narrow_out.add_to(out);
  wide_in.add_to(in);
  narrow_in.add_to(in);
  if (!out.empty() || !in.empty()) link_->exchange(out, in);
  wide_in.launch<CopyDirection::into_field>(link_->stream());
  narrow_in.launch<CopyDirection::into_field>(link_->stream());
}

void GpuHalos::add_up(double* numbers, Index count) {
  link_->fork();
  link_->sum(numbers, static_cast<std::size_t>(count));
  link_->join();
}

template <class Number>
void GpuHalos::share(Number* field, const RangesOfRanks& owned) {
  std::vector<Message> messages;
  const auto add = [&](std::size_t rank, Index first, Index count) {
    messages.push_back(
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
  link_->broadcast(messages);
}

void GpuHalos::complete(const Reals& field, const RangesOfRanks& owned,
                        const std::function<void(double* wide, float* narrow)>& on_host) {
  if (link_->is_direct()) {
    link_->fork();
    if (field.wide != nullptr) share(field.wide, owned);
    if (field.narrow != nullptr) share(field.narrow, owned);
    link_->join();
    return;
  }
  const auto through_host = [&](auto* numbers, const auto& complete) {
    std::vector<std::decay_t<decltype(*numbers)>> host(static_cast<std::size_t>(layout_.numbers()));
    const std::size_t bytes = host.size() * sizeof(*numbers);
    cuda::copy(device_.ordinal, host.data(), numbers, bytes);
    complete(host.data());
    cuda::copy(device_.ordinal, numbers, host.data(), bytes);
  };
  if (field.wide != nullptr)
    through_host(field.wide, [&](double* numbers) { on_host(numbers, nullptr); });
  if (field.narrow != nullptr)
    through_host(field.narrow, [&](float* numbers) { on_host(nullptr, numbers); });
}

}  // namespace larmor::spins
