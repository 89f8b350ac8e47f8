#define LARMOR_ONLY_ON_GPU
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/simd/for_each.cuh"
#include "larmor/spins/jit/stencil_sums.hpp"

namespace larmor::spins {

StencilSums::StencilSums(const SpinLayout& layout, const Device& device, Index partials,
                         Index samples)
    : layout_(layout),
      device_(device),
      partials_(partials),
      samples_(samples),
      partial_(device, samples * layout.blocks() * partials * count * lane_count),
      total_(device, samples * count * layout.padded_replicas()) {}

void StencilSums::begin(Index samples) {
  // Only thread blocks of this rank write their sums. All other sums must be zero.
  if (layout_.domain == nullptr) return;
  const auto bytes = static_cast<std::size_t>(samples * numbers_of_sample()) * sizeof(double);
  detail::check_cuda(cudaMemsetAsync(partial_.data(), 0, bytes, cuda::stream(device_.ordinal)));
}

void StencilSums::add_up(Index samples) {
  if (const Domain* domain = layout_.domain)
    domain->add_up_on_device(domain->context, partial_.data(), samples * numbers_of_sample());
  const dim3 blocks(static_cast<unsigned>(layout_.blocks() * count),
                    static_cast<unsigned>(samples));
  const cuda::LaunchRegion region(device_.ordinal, "sums of energy and magnetisation");
  cuda::launch(device_.ordinal, {blocks, detail::block_threads},
               detail::total_sums_kernel<count, 0>, Extent::all(layout_), partials_,
               partial_.data(), total_.data());
}

Pending StencilSums::numbers(Index samples) const {
  const Index padded = layout_.padded_replicas();
  return Pending(device_, total_.data(), samples * count * padded)
      .then([layout = layout_, padded, samples](std::vector<double>& numbers) {
        std::vector<double> by_replica;
        const double per_site = 1 / static_cast<double>(layout.spins());
        for (Index sample = 0; sample < samples; ++sample)
          for (Index replica = 0; replica < layout.replicas; ++replica)
            for (Index k = 0; k < count; ++k)
              by_replica.push_back(
                  per_site *
                  numbers[static_cast<std::size_t>((sample * count + k) * padded + replica)]);
        numbers = std::move(by_replica);
      });
}

void StencilSums::store_energies(double* energies) const {
  const auto bytes = static_cast<std::size_t>(layout_.padded_replicas()) * sizeof(double);
  detail::check_cuda(cudaMemcpyAsync(energies, total_.data(), bytes, cudaMemcpyDeviceToDevice,
                                     cuda::stream(device_.ordinal)));
}

}  // namespace larmor::spins
