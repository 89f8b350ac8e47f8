#pragma once
// What ranks that share a lattice send one another from GPU to GPU. Compiled only where CUDA is
// found.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/array.hpp"
#include "larmor/core/device_link.hpp"
#include "larmor/core/views.hpp"

namespace larmor::spins {

class GpuHalos {
 public:
  /// @param out positions that each rank reads of this one's; @param in that it reads of theirs
  GpuHalos(const Device& device, const SpinLayout& layout,
           const std::vector<std::vector<std::int32_t>>& out,
           const std::vector<std::vector<std::int32_t>>& in);
  /// Before the first exchange, on all ranks. @throws MachineError as DeviceLink
  void connect(const Communicator& world) { link_.emplace(world, device_); }

  // As in a Slab.
  CUstream_st* fork() {
    link_->fork();
    return link_->stream();
  }
  void exchange(const Reals& field, const SiteRange& sites, Index first_block, Index last_block);
  void join() { link_->join(); }
  void add_up(double* numbers, Index count);
  /// @param owned of each rank; @param on_host completes a copy, where ranks talk through the host
  void complete(const Reals& field, const std::vector<std::vector<SiteRange>>& owned,
                const std::function<void(double* wide, float* narrow)>& on_host);
  std::string words() const { return link_->words(); }

 private:
  /// Positions of all ranks one after the other, and how many there are of each.
  struct Side {
    Array<std::int32_t> positions;
    std::vector<Index> count;
  };
  struct Sides {
    Side out, in;
  };
  Side side(const std::vector<std::vector<std::int32_t>>& of_rank, const SiteRange& sites) const;
  const Sides& among(const SiteRange& sites);
  template <class Number>
  void exchange(const Sides& sides, Number* field, Index first_block, Index last_block);
  template <class Number>
  void share(Number* field, const std::vector<std::vector<SiteRange>>& owned);

  Device device_;
  SpinLayout layout_;
  std::vector<std::vector<std::int32_t>> out_, in_;
  std::optional<cuda::DeviceLink> link_;
  std::map<std::pair<Index, Index>, Sides> known_;
  Array<double> out_buffer_, in_buffer_;
};

}  // namespace larmor::spins
