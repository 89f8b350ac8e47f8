#pragma once
// Values of a study with their places in a file of another program.

#include <utility>

#include "larmor/core/input/value.hpp"
#include "larmor/core/maths/vec3.hpp"

namespace larmor::imports {

/// The value with its place.
inline Value placed(Value value, const SourceMark& mark) {
  value.mark(mark);
  return value;
}

/// Adds a key whose value lies at its own place.
inline void set_placed(Value& table, std::string key, Value value, const SourceMark& mark) {
  table.set(std::move(key), placed(std::move(value), mark), mark);
}

/// [x, y, z]
inline Value vector_value(const Vec3<double>& v) { return Value(Value::Array{v.x, v.y, v.z}); }

}  // namespace larmor::imports
