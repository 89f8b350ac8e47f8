#pragma once
// The functions of an atom that have coefficients: components B_k of the bispectrum, and products
// of two components in quadratic potentials. Also their gradients by the position of a neighbour.

#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::fitting {

/// A component, or the product of two components. The product of a component with itself has the
/// factor 1/2.
struct Column {
  int k, l;
  bool is_product;

  LARMOR_INLINE double value(double B_k, double B_l) const {
    if (!is_product) return B_k;
    return k == l ? 0.5 * B_k * B_k : B_k * B_l;
  }
  /// @param g_k, g_l gradients of both components
  LARMOR_INLINE Vec3<double> gradient(double B_k, double B_l, const Vec3<double>& g_k,
                                      const Vec3<double>& g_l) const {
    if (!is_product) return g_k;
    return k == l ? B_k * g_k : B_k * g_l + B_l * g_k;
  }
};

/// FORMAT: in the order of .snapcoeff files, after the constant.
inline std::vector<Column> columns_of_element(int components, bool quadratic) {
  std::vector<Column> columns;
  for (int k = 0; k < components; ++k) columns.push_back({k, k, false});
  if (quadratic)
    for (int k = 0; k < components; ++k)
      for (int l = k; l < components; ++l) columns.push_back({k, l, true});
  return columns;
}

}  // namespace larmor::fitting
