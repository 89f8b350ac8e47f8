#pragma once
// Numbers on a device in its precision; the host uses doubles.

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/replica_copies.hpp"
#include "larmor/core/maths/precision.hpp"

namespace larmor {

class RealArray {
 public:
  RealArray() = default;
  /// An array of zeros.
  /// @param read_by_bonds in mixed precision: is a float copy kept for the sums over bonds?
  /// @throws MachineError if the memory cannot be allocated
  RealArray(const Device& device, Index size, bool read_by_bonds = true);
  RealArray(const Device& device, std::span<const double> host);

  Index size() const { return size_; }
  Index bytes() const;
  /// The numbers, for kernels. They may be written only through a RealArray that is not const.
  Reals reals() const;

  /// @throws InternalError unless `host` has as many elements as the array
  void copy_from(std::span<const double> host);
  std::vector<double> to_host() const;
  /// Replaces the numbers from `first` on with `host`.
  void copy_range_from(std::span<const double> host, Index first);
  void copy_range_to(std::span<double> host, Index first) const;
  /// Copies replicas within the array, as larmor::copy_replicas does.
  void copy_replicas(const ReplicaRows& rows, std::span<const ReplicaCopy> copies);

 private:
  Index size_ = 0;
  Array<double> wide_;
  Array<float> narrow_;
};

/// Memory of this many numbers in a precision, with float copies for bonds, in bytes.
Index bytes_of_reals(Precision precision, Index numbers);

}  // namespace larmor
