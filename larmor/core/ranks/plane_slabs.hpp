#pragma once
// A regular grid in slabs: each rank has consecutive planes across the last axis, and beside them a
// copy of the plane on either side, which the ranks next to it send.

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
  /// On all ranks at once. @param world must outlive this @param planes of the grid
  /// @param periodic is the first plane next to the last one?
  /// @throws InputError for fewer planes than ranks
  /// @throws MachineError where GPUs do not reach one another
  PlaneSlabs(const Communicator& world, Index planes, bool periodic, const Device& device);
  ~PlaneSlabs();
  PlaneSlabs(const PlaneSlabs&) = delete;
  PlaneSlabs& operator=(const PlaneSlabs&) = delete;

  /// Planes [first, last) of this rank, or of another one.
  Index first() const { return first_of(world_.rank()); }
  Index last() const { return first_of(world_.rank() + 1); }
  Index first_of(int rank) const { return first_plane(rank, world_.size(), planes_); }
  /// The first plane that a rank has.
  static Index first_plane(int rank, int ranks, Index planes) { return rank * planes / ranks; }
  const Communicator& world() const { return world_; }
  /// The ranks that have the planes before and behind; -1: there is no such plane.
  int rank_before() const { return before_; }
  int rank_behind() const { return behind_; }

  /// Planes of one field, in the device's memory.
  struct Border {
    void *first, *last;     ///< of this rank; null on all ranks: it is not sent
    void *before, *behind;  ///< where those of other ranks go; likewise what `last`, `first` are
    std::size_t bytes;      ///< of a plane
  };
  /// Brings planes of all fields to the ranks next to those that have them. Between `fork` and
  /// `join` as those of a DeviceLink, if this is a GPU.
  void exchange(const std::vector<Border>& fields);
  /// @return the stream of the exchange; null on a CPU
  CUstream_st* fork();
  void join();

  /// Completes a field in the memory of the host, of which every rank has filled in its own planes.
  /// @param bytes of a plane
  void complete(void* field, std::size_t bytes) const;

  /// How planes travel, one line.
  std::string words() const;

 private:
  const Communicator& world_;
  Index planes_;
  int before_, behind_;
  std::unique_ptr<cuda::DeviceLink> link_;  ///< null: on the CPU
};

}  // namespace larmor
