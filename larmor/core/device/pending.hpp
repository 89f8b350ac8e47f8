#pragma once
// Numbers on their way from a device, so that measuring need not wait for it.

#include <functional>
#include <memory>
#include <vector>

#include "larmor/core/device/device.hpp"

namespace larmor {

class Pending {
 public:
  /// Kernels bring as many to the host in the time in which a copy starts.
  static constexpr Index few = 1 << 13;

  /// Numbers that are there.
  explicit Pending(std::vector<double> numbers);
  /// Numbers in a GPU's memory once everything launched before is done. The memory may be given
  /// back behind this, in the order of the stream.
  Pending(const Device& device, const double* on_device, Index count);
  /// Numbers that kernels write to the host's memory themselves: where they are few, a copy would
  /// take as long as a kernel. @param launch launches what writes all of them
  Pending(const Device& device, Index count, const std::function<void(double*)>& launch);
  ~Pending();
  Pending(Pending&&) noexcept;
  Pending& operator=(Pending&&) noexcept;

  /// Changes the numbers when they are taken. @return itself
  Pending then(std::function<void(std::vector<double>&)> change) &&;

  bool ready() const;
  std::size_t bytes() const;
  /// Waits for the numbers. Once only.
  std::vector<double> take();

 private:
  struct Transfer;
  std::vector<double> numbers_;
  std::unique_ptr<Transfer> transfer_;  ///< null: the numbers are there
  std::vector<std::function<void(std::vector<double>&)>> changes_;
};

}  // namespace larmor
