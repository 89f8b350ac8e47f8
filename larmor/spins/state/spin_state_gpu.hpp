#pragma once
// Operations on spins on a GPU without the host. Compiled only if CUDA is found.

#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

/// Sets every spin of every replica to one direction.
void set_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins,
                const Vec3<double>& direction);
/// Random directions, equal to those of SpinState::randomise on a CPU.
/// @param canonical on the device
void randomise_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins,
                      const std::int32_t* canonical, const RandomKey& key);
/// Are all components of all spins finite?
bool all_finite_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins);

}  // namespace larmor::spins
