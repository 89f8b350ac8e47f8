#pragma once
// Views of the state for kernels. They are trivially copyable and hide the layout from the physics.
// Sites here are storage positions.

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/simd/domain.hpp"
#include "larmor/core/simd/slots.hpp"

namespace larmor {

/// Layout of vectors of `sites` x `replicas` in memory:
/// many replicas  (block, site, 3, 8), replicas padded to whole blocks;
/// one replica    (3, site), sites padded to a multiple of eight.
/// Vacancies are the last sites. Their vectors are zero, and no kernel visits them.
struct SpinLayout {
  Index sites = 0;
  Index replicas = 1;
  Index vacancies = 0;
  Index first_replica = 0;         ///< index of the first of these replicas in the study
  Index all_replicas = 0;          ///< replicas of the study; 0 if these are all
  const Domain* domain = nullptr;  ///< the sites that this process updates; null for all

  /// Number of storage positions, from 0 on, that hold a spin.
  LARMOR_HD Index spins() const { return sites - vacancies; }
  LARMOR_HD bool one_replica() const { return replicas == 1; }
  /// Replicas of the study on all ranks.
  LARMOR_HD Index study_replicas() const { return all_replicas == 0 ? replicas : all_replicas; }
  LARMOR_HD Index padded_sites() const {
    return (sites + lane_count - 1) / lane_count * lane_count;
  }
  LARMOR_HD Index blocks() const { return (replicas + lane_count - 1) / lane_count; }
  LARMOR_HD Index padded_replicas() const { return one_replica() ? 1 : blocks() * lane_count; }
  /// Numbers in one vector field.
  LARMOR_HD Index numbers() const { return 3 * padded_sites() * padded_replicas(); }

  friend bool operator==(const SpinLayout&, const SpinLayout&) = default;
};

inline namespace LARMOR_ISA_NAMESPACE {

/// A three-vector for every site and replica. In mixed precision it may have a float copy, which
/// the sums over bonds read.
struct VectorView {
  Reals data;
  Index padded_sites;
  bool one_replica;

  LARMOR_HD VectorView(const Reals& numbers, const SpinLayout& layout)
      : data(numbers), padded_sites(layout.padded_sites()), one_replica(layout.one_replica()) {}
  LARMOR_HD VectorView(double* numbers, const SpinLayout& layout)
      : VectorView(Reals{numbers, nullptr}, layout) {}

  /// The vector at the slot's site.
  template <class Numbers>
  LARMOR_INLINE Vec3<PackOf<typename Numbers::Real>> load(
      const ReplicaPackSlot<Numbers>& at) const {
    return load_replicas<typename Numbers::Real>(at.block, at.site);
  }
  template <class Numbers>
  LARMOR_INLINE Vec3<PackOf<typename Numbers::Real>> load(const SitePackSlot<Numbers>& at) const {
    using Scalar = typename Numbers::Real;
    using Number = PackOf<Scalar>;
    const Scalar* p = data.as<Scalar>() + at.first_site;
    return {Number::load(p), Number::load(p + padded_sites), Number::load(p + 2 * padded_sites)};
  }
  template <class Numbers>
  LARMOR_INLINE Vec3<typename Numbers::Real> load(const ScalarSlot<Numbers>& at) const {
    return load_one<typename Numbers::Real>(at.replica, at.site);
  }

  /// The vector at another site, or at eight sites, for sums over bonds.
  template <class Numbers>
  LARMOR_INLINE Vec3<PackOf<typename Numbers::Bond>> load_neighbour(
      const ReplicaPackSlot<Numbers>& at, Index site) const {
    return load_replicas<typename Numbers::Bond>(at.block, site);
  }
  template <class Numbers>
  LARMOR_INLINE Vec3<PackOf<typename Numbers::Bond>> load_neighbour(
      const SitePackSlot<Numbers>&, const std::int32_t* site) const {
    using Scalar = typename Numbers::Bond;
    using Number = PackOf<Scalar>;
    const Scalar* p = data.as<Scalar>();
    return {Number::gather(p, site), Number::gather(p + padded_sites, site),
            Number::gather(p + 2 * padded_sites, site)};
  }
  template <class Numbers>
  LARMOR_INLINE Vec3<typename Numbers::Bond> load_neighbour(const ScalarSlot<Numbers>& at,
                                                            Index site) const {
    return load_one<typename Numbers::Bond>(at.replica, site);
  }

  template <class At>
  LARMOR_INLINE void store(const At& at, const Vec3<typename At::Real>& e) const {
    using Real = typename At::Real;
    using Bond = typename At::Bond;
    store_numbers(at, e);
    if constexpr (!same_type<Real, Bond>) {
      if (data.narrow != nullptr)
        store_numbers(at,
                      Vec3<Bond>{converted<Bond>(e.x), converted<Bond>(e.y), converted<Bond>(e.z)});
    }
  }

 private:
  template <class Scalar>
  LARMOR_INLINE Vec3<PackOf<Scalar>> load_replicas(Index block, Index site) const {
    using Number = PackOf<Scalar>;
    const Scalar* p = data.as<Scalar>() + (block * padded_sites + site) * (3 * lane_count);
    return {Number::load(p), Number::load(p + lane_count), Number::load(p + 2 * lane_count)};
  }
  template <class Scalar>
  LARMOR_INLINE Vec3<Scalar> load_one(Index replica, Index site) const {
    const Scalar* p = data.as<Scalar>() + offset(replica, site);
    const Index stride = one_replica ? padded_sites : lane_count;
    return {p[0], p[stride], p[2 * stride]};
  }
  template <class Numbers, class Number>
  LARMOR_INLINE void store_numbers(const ReplicaPackSlot<Numbers>& at,
                                   const Vec3<Number>& e) const {
    ScalarOf<Number>* p =
        data.as<ScalarOf<Number>>() + (at.block * padded_sites + at.site) * (3 * lane_count);
    e.x.store(p);
    e.y.store(p + lane_count);
    e.z.store(p + 2 * lane_count);
  }
  /// Writes only active lanes. An inactive lane is outside the extent, for instance a site of
  /// another colour.
  template <class Numbers, class Number>
  LARMOR_INLINE void store_numbers(const SitePackSlot<Numbers>& at, const Vec3<Number>& e) const {
    ScalarOf<Number>* p = data.as<ScalarOf<Number>>() + at.first_site;
    if (at.active == 0xffu) {
      e.x.store(p);
      e.y.store(p + padded_sites);
      e.z.store(p + 2 * padded_sites);
      return;
    }
    for (int l = 0; l < lane_count; ++l) {
      if ((at.active >> l) & 1u) {
        p[l] = e.x.lane(l);
        p[l + padded_sites] = e.y.lane(l);
        p[l + 2 * padded_sites] = e.z.lane(l);
      }
    }
  }
  template <class Numbers, class Number>
  LARMOR_INLINE void store_numbers(const ScalarSlot<Numbers>& at, const Vec3<Number>& e) const {
    Number* p = data.as<Number>() + offset(at.replica, at.site);
    const Index stride = one_replica ? padded_sites : lane_count;
    p[0] = e.x;
    p[stride] = e.y;
    p[2 * stride] = e.z;
  }
  LARMOR_INLINE Index offset(Index replica, Index site) const {
    if (one_replica) return site;
    return ((replica / lane_count) * padded_sites + site) * (3 * lane_count) + replica % lane_count;
  }
};

/// One double per replica (temperature, cone width), in an array padded to whole blocks.
struct ReplicaView {
  const double* data;

  template <class Numbers>
  LARMOR_INLINE PackOf<typename Numbers::Real> load(const ReplicaPackSlot<Numbers>& at) const {
    return converted<PackOf<typename Numbers::Real>>(Pack::load(data + at.block * lane_count));
  }
  template <class Numbers>
  LARMOR_INLINE PackOf<typename Numbers::Real> load(const SitePackSlot<Numbers>&) const {
    return PackOf<typename Numbers::Real>(static_cast<typename Numbers::Real>(data[0]));
  }
  template <class Numbers>
  LARMOR_INLINE typename Numbers::Real load(const ScalarSlot<Numbers>& at) const {
    return static_cast<typename Numbers::Real>(data[at.replica]);
  }
};

/// Canonical site index of a slot, as in the random key.
/// @param canonical canonical site of each storage position, padded to a multiple of eight
template <class Numbers>
LARMOR_INLINE PackBits canonical_sites(const ReplicaPackSlot<Numbers>& at,
                                       const std::int32_t* canonical) {
  return PackBits(static_cast<std::uint64_t>(canonical[at.site]));
}
template <class Numbers>
LARMOR_INLINE PackBits canonical_sites(const SitePackSlot<Numbers>& at,
                                       const std::int32_t* canonical) {
  PackBits r;
  LARMOR_EACH_LANE(r.set(l, static_cast<std::uint64_t>(canonical[at.first_site + l])));
  return r;
}
template <class Numbers>
LARMOR_INLINE std::uint64_t canonical_sites(const ScalarSlot<Numbers>& at,
                                            const std::int32_t* canonical) {
  return static_cast<std::uint64_t>(canonical[at.site]);
}

template <class Numbers>
LARMOR_INLINE PackBits replica_indices(const ReplicaPackSlot<Numbers>& at) {
  PackBits r;
  LARMOR_EACH_LANE(r.set(l, static_cast<std::uint64_t>(at.block * lane_count + l)));
  return r;
}
template <class Numbers>
LARMOR_INLINE PackBits replica_indices(const SitePackSlot<Numbers>&) {
  return PackBits(0);
}
template <class Numbers>
LARMOR_INLINE std::uint64_t replica_indices(const ScalarSlot<Numbers>& at) {
  return static_cast<std::uint64_t>(at.replica);
}

/// For reductions: x in active lanes, 0 in others.
template <class Numbers>
LARMOR_INLINE Pack masked(const ReplicaPackSlot<Numbers>&, const Pack& x) {
  return x;
}
template <class Numbers>
LARMOR_INLINE Pack masked(const SitePackSlot<Numbers>& at, Pack x) {
  if (at.active == 0xffu) return x;
  for (int l = 0; l < lane_count; ++l)
    if (!((at.active >> l) & 1u)) x.set(l, 0.0);
  return x;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
