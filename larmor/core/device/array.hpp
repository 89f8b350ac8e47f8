#pragma once
// Typed memory on a device, moved only by explicit copies.

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "larmor/core/device/memory.hpp"
#include "larmor/core/error.hpp"

namespace larmor {

/// `size` zero-initialised elements on `device`.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  /// @throws MachineError if the memory cannot be allocated
  Array(const Device& device, Index size)
      : device_(device),
        size_(size),
        data_(static_cast<T*>(allocate(device, static_cast<std::size_t>(size) * sizeof(T)))) {}
  Array(const Device& device, std::span<const T> host)
      : Array(device, static_cast<Index>(host.size())) {
    copy_from(host);
  }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { deallocate(device_, data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  Index size() const { return size_; }
  const Device& device() const { return device_; }

  /// @throws InternalError unless `host` has as many elements as the array
  void copy_from(std::span<const T> host) {
    if (static_cast<Index>(host.size()) != size_)
      throw InternalError("an array of " + std::to_string(size_) + " elements is filled from " +
                          std::to_string(host.size()));
    copy_bytes(device_, data_, Device{}, host.data(), host.size_bytes());
  }
  /// @throws InternalError unless `host` has as many elements as the array
  void copy_to(std::span<T> host) const {
    if (static_cast<Index>(host.size()) != size_)
      throw InternalError("an array of " + std::to_string(size_) + " elements is copied to " +
                          std::to_string(host.size()));
    copy_bytes(Device{}, host.data(), device_, data_, host.size_bytes());
  }
  /// Replaces the elements from `first` on with `host`.
  /// @throws InternalError if `host` reaches beyond the end of the array
  void copy_range_from(std::span<const T> host, Index first) {
    require_range(first, static_cast<Index>(host.size()));
    copy_bytes(device_, data_ + first, Device{}, host.data(), host.size_bytes());
  }
  /// Replaces the elements from `first` on with `host`, after all earlier launches. Waits for
  /// nothing.
  /// @param host must not change until the device has been waited for
  /// @throws InternalError if `host` reaches beyond the end of the array
  void send_range(std::span<const T> host, Index first) {
    require_range(first, static_cast<Index>(host.size()));
    send_bytes(device_, data_ + first, host.data(), host.size_bytes());
  }
  /// Copies the elements from `first` on to `host`.
  /// @throws InternalError if `host` is longer than the rest of the array
  void copy_range_to(std::span<T> host, Index first) const {
    require_range(first, static_cast<Index>(host.size()));
    copy_bytes(Device{}, host.data(), device_, data_ + first, host.size_bytes());
  }
  std::vector<T> to_host() const {
    std::vector<T> host(static_cast<std::size_t>(size_));
    copy_to(host);
    return host;
  }

 private:
  void require_range(Index first, Index count) const {
    if (first < 0 || first + count > size_)
      throw InternalError("elements " + std::to_string(first) + " to " +
                          std::to_string(first + count) + " in an array of " +
                          std::to_string(size_) + " are copied");
  }
  void swap(Array& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

  Device device_;
  Index size_ = 0;
  T* data_ = nullptr;
};

}  // namespace larmor
