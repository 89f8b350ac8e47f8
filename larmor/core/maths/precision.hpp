#pragma once
// Number types in which spins are stored and turned, and in which the fields of their bonds are
// summed. Sums over sites (energies, magnetisations) are always double.

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

enum class Precision {
  double_numbers,  ///< everything in double
  single_numbers,  ///< everything in float
  mixed_numbers    ///< spins in double, bonds in float from a float copy of the spins
};

struct DoubleNumbers {
  using Real = double;  ///< for spins
  using Bond = double;  ///< for the fields of bonds
};
struct SingleNumbers {
  using Real = float;
  using Bond = float;
};
struct MixedNumbers {
  using Real = double;
  using Bond = float;
};

/// Pointers to numbers on a device, for kernels. Pointers to types that the precision does not use
/// are null.
struct Reals {
  double* wide = nullptr;
  float* narrow = nullptr;

  LARMOR_INLINE bool present() const { return wide != nullptr || narrow != nullptr; }
  template <class T>
  LARMOR_INLINE T* as() const;

  friend bool operator==(const Reals&, const Reals&) = default;
};
template <>
LARMOR_INLINE double* Reals::as<double>() const {
  return wide;
}
template <>
LARMOR_INLINE float* Reals::as<float>() const {
  return narrow;
}

}  // namespace larmor
