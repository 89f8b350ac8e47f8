#pragma once
// Chooses the kernel that is compiled for a number of components.

#include <type_traits>

#include "larmor/core/error.hpp"

namespace larmor::phi4 {

/// Calls work(std::integral_constant<int, N>) for N = components.
/// @throws InternalError for fewer than 1 or more than 8 components
template <class Work>
decltype(auto) with_components(int components, const Work& work) {
  switch (components) {
    case 1:
      return work(std::integral_constant<int, 1>{});
    case 2:
      return work(std::integral_constant<int, 2>{});
    case 3:
      return work(std::integral_constant<int, 3>{});
    case 4:
      return work(std::integral_constant<int, 4>{});
    case 5:
      return work(std::integral_constant<int, 5>{});
    case 6:
      return work(std::integral_constant<int, 6>{});
    case 7:
      return work(std::integral_constant<int, 7>{});
    case 8:
      return work(std::integral_constant<int, 8>{});
    default:
      throw InternalError("the number of components of a field is out of range");
  }
}

}  // namespace larmor::phi4
