#pragma once
// A regular grid in slabs. Each rank has consecutive planes across the last axis, and a halo: a
// copy of the next plane on either side, sent by the neighbouring ranks.

#include <memory>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/ranks/communicator.hpp"

struct CUstream_st;

namespace larmor {

namespace cuda {
class DeviceLink;
}

class PlaneSlabs {
 public:
  /// Collective. @param world must outlive this @param planes number of planes of the grid
  /// @param periodic is the first plane next to the last one?
  /// @throws InputError for fewer planes than ranks
  /// @throws MachineError if GPUs cannot communicate
  PlaneSlabs(const Communicator& world, Index planes, bool periodic, const Device& device);
  ~PlaneSlabs();
  PlaneSlabs(const PlaneSlabs&) = delete;
  PlaneSlabs& operator=(const PlaneSlabs&) = delete;

  /// Planes [first, last) of this rank, or of another one.
  Index first() const { return first_of(world_.rank()); }
  Index last() const { return first_of(world_.rank() + 1); }
  Index first_of(int rank) const { return first_plane(rank, world_.size(), planes_); }
  /// The first plane of a rank.
  static Index first_plane(int rank, int ranks, Index planes) { return rank * planes / ranks; }
  const Communicator& world() const { return world_; }
  /// Ranks of the planes before and after this slab; -1 if there is no such plane.
  int rank_before() const { return before_; }
  int rank_behind() const { return behind_; }

  /// Planes of one field, in the device's memory.
  struct Border {
    void *first, *last;     ///< planes of this rank; null on all ranks if this plane is not sent
    void *before, *behind;  ///< destinations of the planes of other ranks; `before` is null if
                            ///< `last` is, and `behind` if `first` is
    std::size_t bytes;      ///< bytes of a plane
  };
  /// Sends the border planes of all fields to the neighbouring ranks. On a GPU, call it between
  /// `fork` and `join`, as for a DeviceLink.
  void exchange(const std::vector<Border>& fields);
  /// @return the stream of the exchange; null on a CPU
  CUstream_st* fork();
  void join();

  /// Completes a field in the memory of the host, in which every rank has written its own planes.
  /// @param bytes size of a plane
  void complete(void* field, std::size_t bytes) const;

  /// The method of communication, one line.
  std::string description() const;

 private:
  const Communicator& world_;
  Index planes_;
  int before_, behind_;
  std::unique_ptr<cuda::DeviceLink> link_;  ///< null on the CPU
};

}  // namespace larmor
