#pragma once
// Tolerances and errors of input that describes a lattice. Users write three to six digits, for
// instance 0.333333 for 1/3, or 0.5774 for 1/sqrt(3).

#include <string>
#include <utility>

#include "larmor/core/error.hpp"

namespace larmor::lattice {

/// Two values within this tolerance are equal: lengths (relative), directions (radians) and wave
/// vectors (units of a reciprocal-lattice vector).
inline constexpr double input_tolerance = 1e-3;

/// Users are warned if the distances of two shells differ by less than this relative tolerance,
/// because they may mean one shell.
inline constexpr double warning_margin = 1e-2;

/// An error in one key that describes a lattice. The caller that has read the key from a file adds
/// the position of the key to the message.
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
