#pragma once
// The updates done since a study began, which key its random numbers. All parts of a system count
// with one counter, so that no two of them ever draw the same numbers.

#include <cstdint>
#include <memory>

namespace larmor {

/// Copies count together; a number is assigned, another counter is not.
class UpdateCounter {
 public:
  UpdateCounter() = default;
  UpdateCounter(const UpdateCounter&) = default;
  UpdateCounter& operator=(const UpdateCounter&) = delete;
  /// From now on counts together with the other.
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
