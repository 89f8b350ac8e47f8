#pragma once
// The periodic images of atoms, and displacements to them.

#include <array>
#include <cstdint>

#include "larmor/atoms/cell/box.hpp"

namespace larmor::atoms {

/// How often each box vector is added to a position.
using Image = std::array<std::int32_t, 3>;

LARMOR_INLINE bool is_before(const Image& a, const Image& b) {
  for (std::size_t d = 0; d < 3; ++d)
    if (a[d] != b[d]) return a[d] < b[d];
  return false;
}

LARMOR_INLINE bool is_same(const Image& a, const Image& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

LARMOR_INLINE Image opposite(const Image& a) { return {-a[0], -a[1], -a[2]}; }

/// Does the image of atom `a` come before the image of atom `b`? BITS: the neighbours of an atom
/// have this order.
LARMOR_INLINE bool is_before(std::int32_t a, const Image& image_of_a, std::int32_t b,
                             const Image& image_of_b) {
  return a != b ? a < b : is_before(image_of_a, image_of_b);
}

/// Two atoms count as being at one place if their distance is at most 1e-10 Angstrom.
LARMOR_INLINE bool is_same_place(double squared_distance) { return !(squared_distance > 1e-20); }

/// Is a position so many boxes away, along a periodic direction, that distances lose digits?
LARMOR_INLINE bool is_far_away(const Box& box, const Vec3<double>& position) {
  constexpr double most_boxes = 1e6;
  const std::array<double, 3> f = box.fractional(position);
  for (std::size_t d = 0; d < 3; ++d)
    if (box.periodic[d] && !(std::abs(f[d]) < most_boxes)) return true;
  return false;
}

/// Is a position finite, and near enough for image numbers of 32 bits?
LARMOR_INLINE bool has_place(const Box& box, const Vec3<double>& position) {
  constexpr double most_boxes = 1e9;
  const std::array<double, 3> f = box.fractional(position);
  for (std::size_t d = 0; d < 3; ++d)
    if (!(std::abs(f[d]) < most_boxes)) return false;
  return true;
}

/// The displacement from one atom to an image of another atom. The rows of both atoms use it.
LARMOR_INLINE Vec3<double> displacement_between(const Box& box, const Vec3<double>& from,
                                                const Vec3<double>& to, const Image& image) {
  Vec3<double> shift{};
  for (std::size_t d = 0; d < 3; ++d) shift += static_cast<double>(image[d]) * box.vectors[d];
  return (to - from) + shift;
}

/// The displacement from atom i to an image of atom j. BITS: it is computed from the atom with the
/// lower number. If i = j, it is computed for the higher one of the image and its opposite. So the
/// rows of i and j have equal numbers, except for the sign.
LARMOR_INLINE Vec3<double> displacement_of(const Box& box, const Vec3<double>* positions,
                                           std::int32_t i, std::int32_t j, const Image& image) {
  const Image back = opposite(image);
  if (is_before(j, image, i, back))
    return -displacement_between(box, positions[j], positions[i], back);
  return displacement_between(box, positions[i], positions[j], image);
}

}  // namespace larmor::atoms
