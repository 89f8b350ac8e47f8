#pragma once
// Halo exchange between the GPUs of ranks that share a lattice. Compiled only if CUDA is found.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/ranks/device_link.hpp"
#include "larmor/core/simd/views.hpp"
#include "larmor/spins/domains/halo.hpp"

namespace larmor::spins {

/// The positions of a halo on a GPU.
struct HaloOnGpu {
  /// Positions for all ranks, concatenated, and their number for each rank.
  struct Side {
    Side(const Device& device, const PositionsOfRanks& of_rank);
    Array<std::int32_t> positions;
    std::vector<Index> count;
  };
  Side out, in;

  HaloOnGpu(const Device& device, const Halo& halo) : out(device, halo.out), in(device, halo.in) {}
};

/// Halos of doubles (`wide`) and of floats (`narrow`).
struct HalosOnGpu {
  HaloOnGpu wide, narrow;
};

class GpuHalos {
 public:
  GpuHalos(const Device& device, const SpinLayout& layout) : device_(device), layout_(layout) {}
  /// Call on all ranks before the first exchange.
  /// @throws MachineError as DeviceLink
  void connect(const Communicator& world) { link_.emplace(world, device_); }
  /// Creates the argument of `exchange`, and allocates memory for it.
  std::shared_ptr<const HalosOnGpu> halos(const Halo& wide, const Halo& narrow);

  // Domain describes the next four functions.
  CUstream_st* fork() {
    link_->fork();
    return link_->stream();
  }
  void exchange(const HalosOnGpu& halos, const Reals& field, Index first_block, Index last_block);
  void join() { link_->join(); }
  void add_up(double* numbers, Index count);
  /// Receives the positions of all other ranks.
  /// @param owned positions of each rank
  /// @param on_host completes a copy in host memory. It is called if ranks communicate through the
  ///        hosts.
  void complete(const Reals& field, const RangesOfRanks& owned,
                const std::function<void(double* wide, float* narrow)>& on_host);
  std::string description() const { return link_->description(); }

 private:
  template <class Number>
  void share(Number* field, const RangesOfRanks& owned);

  Device device_;
  SpinLayout layout_;
  std::optional<cuda::DeviceLink> link_;
  Array<double> out_buffer_, in_buffer_;  ///< messages; doubles come before floats
};

}  // namespace larmor::spins
