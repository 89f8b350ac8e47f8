#pragma once
// Lookup of a benchmark's methods by name.

#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "larmor/core/error.hpp"

namespace larmor::bench {

/// Names in order. @tparam Method has `name`
template <class Method, std::size_t count>
constexpr std::array<const char*, count> names_of(const Method (&methods)[count]) {
  std::array<const char*, count> names{};
  for (std::size_t i = 0; i < count; ++i) names[i] = methods[i].name;
  return names;
}

/// @param kind "method of SNAP on a GPU", for the message
/// @throws InputError that lists their names if there is no such method
template <class Method, std::size_t count>
const Method& method_by_name(const Method (&methods)[count], std::string_view name,
                             const std::string& kind) {
  std::string known;
  for (const Method& method : methods) {
    if (name == method.name) return method;
    known += (known.empty() ? "" : ", ") + std::string(method.name);
  }
  throw InputError("no " + kind + " is called \"" + std::string(name) + "\"", "there are " + known);
}

}  // namespace larmor::bench
