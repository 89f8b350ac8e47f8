#pragma once
// The CUDA runtime calls behind Device and Array; compiled only where CUDA is found.

#include <cstddef>
#include <vector>

#include "larmor/core/device.hpp"

namespace larmor::cuda {

std::vector<GpuInfo> list_gpus();
void* allocate(int ordinal, std::size_t bytes);
void deallocate(int ordinal, void* data) noexcept;
/// Direction found out from the pointers.
void copy(void* destination, const void* source, std::size_t bytes);

}  // namespace larmor::cuda
