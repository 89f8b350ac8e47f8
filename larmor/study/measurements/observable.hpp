#pragma once
// A number, a vector or a ratio of every replica.

#include <functional>
#include <string>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/types.hpp"

namespace larmor::study {

/// Components of a ratio: numerator and denominator.
constexpr Index of_ratio = 2;

struct Observable {
  std::string name;  ///< name of its series and averages
  std::string unit;
  Index components = 1;              ///< 1, 3, or `of_ratio`
  std::function<Pending()> measure;  ///< [replica][component], for the present state
};

}  // namespace larmor::study
