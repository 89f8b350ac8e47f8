#pragma once
// Tolerances and errors of input that describes a lattice. Users write three to six digits: a
// third is 0.333333, a cube's axis 0.5774.

#include <string>
#include <utility>

#include "larmor/core/error.hpp"

namespace larmor::lattice {

/// Two values within this tolerance are equal: lengths (relative), directions (radians) and wave
/// vectors (units of a reciprocal-lattice vector).
inline constexpr double input_tolerance = 1e-3;

/// Users are warned if the distances of two shells differ by less than this relative tolerance:
/// perhaps one shell was meant.
inline constexpr double warning_margin = 1e-2;

/// An error in one key that describes a lattice, wherever it is detected. The caller that has read
/// the key from a file adds its position to the message.
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
