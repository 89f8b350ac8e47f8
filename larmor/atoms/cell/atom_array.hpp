#pragma once
// Arrays of numbers of atoms or replicas, stored on the device of the atoms.

#include <span>
#include <vector>

#include "larmor/core/device/array.hpp"

namespace larmor::atoms {

/// On a CPU, the array is used like a vector. On a GPU, only kernels use the elements, through
/// `data`. The host can copy the whole array.
template <class T>
class AtomArray {
 public:
  AtomArray() = default;
  AtomArray(const Device& device, Index size) : array_(device, size) {}
  AtomArray(const Device& device, std::span<const T> host) : array_(device, host) {}
  AtomArray(const AtomArray& other) { *this = other; }
  AtomArray(AtomArray&&) noexcept = default;
  AtomArray& operator=(AtomArray&&) noexcept = default;
  ~AtomArray() = default;

  /// Copies `other` to the device of `other`. The copy does not wait for a GPU.
  AtomArray& operator=(const AtomArray& other) {
    if (this == &other) return *this;
    resize(other.device(), other.array_.size());
    copy_within(device(), data(), other.data(), size() * sizeof(T));
    return *this;
  }
  /// @param host one value for each element of this array
  AtomArray& operator=(std::span<const T> host) {
    array_.copy_from(host);
    return *this;
  }

  const Device& device() const { return array_.device(); }
  std::size_t size() const { return static_cast<std::size_t>(array_.size()); }
  T* data() { return array_.data(); }
  const T* data() const { return array_.data(); }
  std::vector<T> to_host() const { return array_.to_host(); }
  void move_to(const Device& device) {
    if (device != array_.device()) array_ = Array<T>(device, to_host());
  }
  /// If the size or the device changes, all elements become zero.
  void resize(const Device& device, Index size) {
    if (device != array_.device() || size != array_.size()) array_ = Array<T>(device, size);
  }

  T& operator[](std::size_t n) { return array_.data()[n]; }
  const T& operator[](std::size_t n) const { return array_.data()[n]; }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }

 private:
  Array<T> array_;
};

/// Constant numbers on the host, with a copy on the device that used them last.
template <class T>
class ConstantArray {
 public:
  explicit ConstantArray(std::vector<T> host) : host_(std::move(host)) {}

  const std::vector<T>& host() const { return host_; }
  /// Pointer to the numbers in the memory of `device`. It is valid until a call for another GPU.
  const T* data_on(const Device& device) const {
    if (device.backend == Backend::cpu) return host_.data();
    if (copy_.size() != host_.size() || copy_.device() != device)
      copy_ = AtomArray<T>(device, host_);
    return copy_.data();
  }

 private:
  std::vector<T> host_;
  mutable AtomArray<T> copy_;
};

}  // namespace larmor::atoms
