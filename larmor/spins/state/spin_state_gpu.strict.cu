// This file is compiled without contraction (cmake/LarmorLibrary.cmake), so random directions equal
// those of the host.

#define LARMOR_ONLY_ON_GPU
#include "larmor/core/simd/for_each.hpp"
#include "larmor/spins/state/random_direction.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {
namespace {

template <class Real>
LARMOR_INLINE Vec3<Real> in_numbers(const Vec3<double>& e) {
  return {converted<Real>(e.x), converted<Real>(e.y), converted<Real>(e.z)};
}

struct SetDirection {
  SpinLayout layout;
  Reals spins;
  Vec3<double> direction;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    VectorView(spins, layout).store(at, in_numbers<typename At::Real>(direction));
  }
};

struct Randomise {
  SpinLayout layout;
  Reals spins;
  const std::int32_t* canonical;
  RandomKey key;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    const Vec3<double> e =
        random_direction(key, canonical_sites(at, canonical), replica_indices(at));
    VectorView(spins, layout).store(at, in_numbers<typename At::Real>(e));
  }
};

/// The extent of all spins. Every process sets all spins, also those of other processes.
Extent everywhere(SpinLayout layout) {
  layout.domain = nullptr;
  return Extent::all(layout);
}

/// 1 if a spin is not finite.
struct IsNotFinite {
  SpinLayout layout;
  Reals spins;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    using Real = typename At::Real;
    const Vec3<Real> e = VectorView(spins, layout).load(at);
    const Real sum = e.x + e.y + e.z;
    return {{sum - sum == Real(0.0) ? Real(0.0) : Real(1.0)}};
  }
};

}  // namespace

void set_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins,
                const Vec3<double>& direction) {
  for_each(device, everywhere(layout), SetDirection{layout, spins, direction});
}

void randomise_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins,
                      const std::int32_t* canonical, const RandomKey& key) {
  for_each(device, everywhere(layout), Randomise{layout, spins, canonical, key});
}

bool all_finite_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins) {
  for (const double count : reduce(device, Extent::all(layout), IsNotFinite{layout, spins}))
    if (count != 0) return false;
  return true;
}

}  // namespace larmor::spins
