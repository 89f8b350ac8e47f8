#pragma once
// Expectations about texts and vectors that several tests share.

#include <gtest/gtest.h>

#include <string>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::testing_support {

/// If `part` is missing, the failure reports the whole text.
inline testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in: " << text;
}

inline void expect_near(const Vec3<double>& a, const Vec3<double>& b) {
  EXPECT_NEAR(a.x, b.x, 1e-12);
  EXPECT_NEAR(a.y, b.y, 1e-12);
  EXPECT_NEAR(a.z, b.z, 1e-12);
}

}  // namespace larmor::testing_support
