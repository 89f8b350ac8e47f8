#pragma once
// Counter of the updates since a study began, part of the random key. All parts of a system share
// one counter, so that no two of them draw equal random numbers.

#include <cstdint>
#include <memory>

namespace larmor {

/// Copies share the count. A number can be assigned to a counter, but no other counter can.
class UpdateCounter {
 public:
  UpdateCounter() = default;
  UpdateCounter(const UpdateCounter&) = default;
  UpdateCounter& operator=(const UpdateCounter&) = delete;
  /// From now on, shares the count of the other counter.
  void count_with(const UpdateCounter& other) { count_ = other.count_; }

  operator std::uint64_t() const { return *count_; }
  UpdateCounter& operator=(std::uint64_t count) {
    *count_ = count;
    return *this;
  }
  UpdateCounter& operator+=(std::uint64_t updates) {
    *count_ += updates;
    return *this;
  }
  UpdateCounter& operator++() { return *this += 1; }
  /// @return the count before
  std::uint64_t operator++(int) { return (*count_)++; }

 private:
  std::shared_ptr<std::uint64_t> count_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace larmor
