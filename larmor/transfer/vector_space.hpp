#pragma once
// Long vectors that ranks share. A rank has the states with equal highest bits of their index.

#include <memory>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/maths/ordered_sum.hpp"
#include "larmor/core/ranks/communicator.hpp"

namespace larmor {

namespace cuda {
class DeviceLink;
}

namespace transfer {

using Vector = Array<double>;

/// The highest bits of an index divide a long vector into 2^3 parts. BITS: each part is summed
/// separately, and the sums of parts are added in pairs. So 1, 2, 4 or 8 ranks give equal sums.
inline constexpr int part_bits = 3;

class VectorSpace {
 public:
  /// One rank has all numbers.
  VectorSpace(const Device& device, Index size);
  /// Collective. @param world outlives this; its size is one that `can_share` accepts
  VectorSpace(const Device& device, Index size, const Communicator& world);
  ~VectorSpace();
  VectorSpace(const VectorSpace&) = delete;
  VectorSpace& operator=(const VectorSpace&) = delete;

  static bool can_share(Index size, int ranks);

  const Device& device() const { return device_; }
  /// Numbers of all ranks, and of this one.
  Index size() const { return size_; }
  Index own() const { return size_ / ranks(); }
  /// Index of this rank's first number.
  Index first() const { return own() * rank(); }
  int ranks() const { return world_ != nullptr ? world_->size() : 1; }
  int rank() const { return world_ != nullptr ? world_->rank() : 0; }
  /// Zeros.
  Vector vector() const { return {device_, own()}; }

  /// Parts of the sums, of all ranks and of this one.
  Index parts() const { return parts_; }
  Index own_parts() const { return parts_ / ranks(); }
  /// Adds the sums of all parts of all ranks.
  /// @param own (sum, own part) @return one number for each sum, equal on all ranks
  std::vector<double> totals(const std::vector<double>& own) const;
  /// Sends all own numbers to another rank, and receives those of this rank. A rank may exchange
  /// with itself, which copies.
  void exchange(const Vector& own, Vector& received, int with) const;

 private:
  Device device_;
  Index size_, parts_;
  const Communicator* world_ = nullptr;
  std::unique_ptr<cuda::DeviceLink> link_;  ///< null on the CPU
};

}  // namespace transfer
}  // namespace larmor
