#pragma once
// Named parameters of tests. The name of a test contains the name of its parameter, and GoogleTest
// prints this name instead of the bytes.

#include <ostream>
#include <string>
#include <tuple>

#include "larmor/core/types.hpp"

namespace larmor::testing_support {

template <class T>
struct Named {
  const char* name;
  T value;

  friend void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }
};

/// Names a test by the `name` of its parameter.
inline constexpr auto by_name = [](const auto& tested) { return std::string(tested.param.name); };

/// The text of a system, the number of its replicas, and whether correlations are connected.
using CorrelatedSystem = std::tuple<Named<const char*>, Index, bool>;

inline constexpr auto by_system = [](const auto& tested) {
  const auto& [system, replicas, connected] = tested.param;
  return system.name + ("_x" + std::to_string(replicas)) + (connected ? "_connected" : "_plain");
};

}  // namespace larmor::testing_support
