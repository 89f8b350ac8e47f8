#pragma once
// An error of one key that describes a lattice, whoever notices it. Who has read the key from a
// file knows the place that the message should point at.

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
