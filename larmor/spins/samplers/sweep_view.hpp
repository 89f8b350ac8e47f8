#pragma once
// The data of every single-spin update.

#include "larmor/core/maths/philox.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

/// Properties of an update, for studies, `explain`, `verify`, benches and the JIT.
struct UpdateInfo {
  const char* name;     ///< value of the key `sampler`; null if it only follows other updates
  const char* doc;      ///< for `explain`
  const char* title;    ///< in profiles, `verify` and benches
  const char* header;   ///< header of the kernel
  const char* functor;  ///< type of the kernel; it may use the constant `bond_class`
  Stream stream;        ///< stream of random numbers
  bool has_cone = false;
  int moved_vectors = 2;  ///< vectors read and written per spin; neighbours are cached
};

/// Inverse temperature and cone of each replica, and the key of the random numbers.
struct SweepView {
  ModelView model;
  Reals spins;
  const double* beta = nullptr;  ///< 1 / k_B T [padded replicas]
  const double* cone =
      nullptr;  ///< 1 - cos(half angle of the cone) [padded replicas]; 2: whole sphere
  RandomKey key{};

  friend bool operator==(const SweepView&, const SweepView&) = default;
};

}  // namespace larmor::spins
