#pragma once
// Numbers that a device may still be computing, so that measurements need not wait.

#include <functional>
#include <memory>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/device.hpp"

namespace larmor {

class Pending {
 public:
  /// A kernel writes about this many numbers to the host in the time that the start of a copy
  /// takes.
  static constexpr Index few = 1 << 13;

  /// Numbers that are already known.
  explicit Pending(std::vector<double> numbers);
  /// Numbers in a GPU's memory, valid once all earlier launches are done. The memory may be freed
  /// later in stream order.
  Pending(const Device& device, const double* on_device, Index count);
  /// Numbers that kernels themselves write to the host's memory. This suits few numbers, for which
  /// a copy takes as long as a kernel. @param launch launches kernels that write all numbers
  Pending(const Device& device, Index count, const std::function<void(double*)>& launch);
  ~Pending();
  Pending(Pending&&) noexcept;
  Pending& operator=(Pending&&) noexcept;

  /// Adds a change that `take` applies to the numbers. @return this object
  Pending then(std::function<void(std::vector<double>&)> change) &&;

  bool ready() const;
  std::size_t bytes() const;
  /// Waits for the numbers and returns them. Call it once only.
  std::vector<double> take();

 private:
  struct Transfer;
  std::vector<double> numbers_;
  std::unique_ptr<Transfer> transfer_;  ///< null if the numbers are known
  std::vector<std::function<void(std::vector<double>&)>> changes_;
};

/// The numbers of an array once all earlier launches are done.
inline Pending numbers_async(const Array<double>& numbers) {
  if (numbers.device().backend == Backend::cpu) return Pending(numbers.to_host());
  return {numbers.device(), numbers.data(), numbers.size()};
}

}  // namespace larmor
