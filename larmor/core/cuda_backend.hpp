#pragma once
// The CUDA runtime calls behind Device and Array; compiled only where CUDA is found.

#include <cstddef>
#include <vector>

#include "larmor/core/device.hpp"

struct CUstream_st;

namespace larmor::cuda {

/// Everything of this process on one GPU runs on one stream, in order.
CUstream_st* stream(int ordinal);

std::vector<GpuInfo> list_gpus();
void* allocate(int ordinal, std::size_t bytes);
void deallocate(int ordinal, void* data) noexcept;
/// Waits for what was launched before. Direction found out from the pointers.
void copy(int ordinal, void* destination, const void* source, std::size_t bytes);
/// Waits until everything launched is done. @throws MachineError when it failed
void synchronise(int ordinal);

}  // namespace larmor::cuda
