#pragma once
// An error in one key that describes a lattice, wherever it is detected. The caller that has read
// the key from a file adds its position to the message.

#include <string>
#include <utility>

#include "larmor/core/error.hpp"

namespace larmor::lattice {

class LatticeKeyError : public InputError {
 public:
  /// @param key "size", "periodic", "cell", "basis" or "layer_thickness"
  LatticeKeyError(std::string key, const std::string& problem, const std::string& remedy)
      : InputError(problem, remedy), key_(std::move(key)) {}

  const std::string& key() const { return key_; }

 private:
  std::string key_;
};

}  // namespace larmor::lattice
