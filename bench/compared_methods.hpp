#pragma once
// The methods that a benchmark compares: their parts, results and names.

#include <array>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "larmor/core/error.hpp"

namespace larmor::bench {

/// Result of a benchmark for one of several methods that compute equal numbers.
struct MethodMeasured {
  std::string name;
  double seconds = 0;
  double error = 0;                                   ///< relative to exact numbers
  std::vector<std::pair<std::string, double>> parts;  ///< name and seconds of each part, in order
};

/// One step of a method: a kernel or a call of a library.
struct MethodPart {
  const char* name;
  std::function<void()> launch;
};

/// Names of the methods, in order. @tparam Method has a member `name`
template <class Method, std::size_t count>
constexpr std::array<const char*, count> names_of(const Method (&methods)[count]) {
  std::array<const char*, count> names{};
  for (std::size_t i = 0; i < count; ++i) names[i] = methods[i].name;
  return names;
}

/// @param kind kind of method for the message, such as "method of SNAP on a GPU"
/// @throws InputError that lists the names of all methods if no method is called `name`
template <class Method, std::size_t count>
const Method& method_by_name(const Method (&methods)[count], std::string_view name,
                             const std::string& kind) {
  std::string known;
  for (const Method& method : methods) {
    if (name == method.name) return method;
    known += (known.empty() ? "" : ", ") + std::string(method.name);
  }
  throw InputError("no " + kind + " is called \"" + std::string(name) + "\"",
                   "the names are " + known);
}

}  // namespace larmor::bench
