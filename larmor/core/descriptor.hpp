#pragma once
// A file descriptor that is closed with its owner.

#include <unistd.h>

namespace larmor {

class Descriptor {
 public:
  /// @param number a descriptor to close later; negative if it could not be opened
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  explicit operator bool() const { return number_ >= 0; }
  int operator*() const { return number_; }

 private:
  int number_;
};

}  // namespace larmor
