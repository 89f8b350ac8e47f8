#pragma once
// What kernels see of the state: trivially copyable views that know the layout, so that physics
// does not. Sites here are storage positions.

#include "larmor/core/slots.hpp"
#include "larmor/core/vec3.hpp"

namespace larmor {

/// How vectors of `sites` x `replicas` lie in memory:
/// many replicas  (block, site, 3, 8), replicas padded to whole blocks;
/// one replica    (3, site), sites padded to a multiple of eight.
/// Vacancies are the last of the sites: their vectors are zero, and no kernel visits them.
struct SpinLayout {
  Index sites = 0;
  Index replicas = 1;
  Index vacancies = 0;

  /// Storage positions from 0 that hold a spin.
  LARMOR_HD Index spins() const { return sites - vacancies; }
  LARMOR_HD bool one_replica() const { return replicas == 1; }
  LARMOR_HD Index padded_sites() const {
    return (sites + lane_count - 1) / lane_count * lane_count;
  }
  LARMOR_HD Index blocks() const { return (replicas + lane_count - 1) / lane_count; }
  LARMOR_HD Index padded_replicas() const { return one_replica() ? 1 : blocks() * lane_count; }
  /// Doubles in one vector field.
  LARMOR_HD Index doubles() const { return 3 * padded_sites() * padded_replicas(); }
};

inline namespace LARMOR_ISA_NAMESPACE {

/// A three-vector for every site and replica.
struct VectorView {
  double* data;
  Index padded_sites;
  bool one_replica;

  LARMOR_HD VectorView(double* d, const SpinLayout& layout)
      : data(d), padded_sites(layout.padded_sites()), one_replica(layout.one_replica()) {}

  LARMOR_INLINE Vec3<Pack> load(const ReplicaLanes& at) const { return load_site(at, at.site); }
  LARMOR_INLINE Vec3<Pack> load_site(const ReplicaLanes& at, Index site) const {
    const double* p = data + (at.block * padded_sites + site) * (3 * lane_count);
    return {Pack::load(p), Pack::load(p + lane_count), Pack::load(p + 2 * lane_count)};
  }
  LARMOR_INLINE void store(const ReplicaLanes& at, const Vec3<Pack>& e) const {
    double* p = data + (at.block * padded_sites + at.site) * (3 * lane_count);
    e.x.store(p);
    e.y.store(p + lane_count);
    e.z.store(p + 2 * lane_count);
  }

  LARMOR_INLINE Vec3<Pack> load(const SiteLanes& at) const {
    const double* p = data + at.first_site;
    return {Pack::load(p), Pack::load(p + padded_sites), Pack::load(p + 2 * padded_sites)};
  }
  LARMOR_INLINE Vec3<Pack> load_site(const SiteLanes&, const std::int32_t* site) const {
    return {Pack::gather(data, site), Pack::gather(data + padded_sites, site),
            Pack::gather(data + 2 * padded_sites, site)};
  }
  /// Lanes that are not active are left untouched: another colour owns them.
  LARMOR_INLINE void store(const SiteLanes& at, const Vec3<Pack>& e) const {
    double* p = data + at.first_site;
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

  LARMOR_INLINE Vec3<double> load(const Single& at) const { return load_site(at, at.site); }
  LARMOR_INLINE Vec3<double> load_site(const Single& at, Index site) const {
    const double* p = data + offset(at.replica, site);
    const Index stride = one_replica ? padded_sites : lane_count;
    return {p[0], p[stride], p[2 * stride]};
  }
  LARMOR_INLINE void store(const Single& at, const Vec3<double>& e) const {
    double* p = data + offset(at.replica, at.site);
    const Index stride = one_replica ? padded_sites : lane_count;
    p[0] = e.x;
    p[stride] = e.y;
    p[2 * stride] = e.z;
  }

 private:
  LARMOR_INLINE Index offset(Index replica, Index site) const {
    if (one_replica) return site;
    return ((replica / lane_count) * padded_sites + site) * (3 * lane_count) + replica % lane_count;
  }
};

/// One number a replica (temperature, cone width), in an array padded to whole blocks.
struct ReplicaView {
  const double* data;

  LARMOR_INLINE Pack load(const ReplicaLanes& at) const {
    return Pack::load(data + at.block * lane_count);
  }
  LARMOR_INLINE Pack load(const SiteLanes&) const { return Pack(data[0]); }
  LARMOR_INLINE double load(const Single& at) const { return data[at.replica]; }
};

/// Canonical site index of a slot, as random numbers are keyed by it.
/// @param canonical canonical site of each storage position, padded to a multiple of eight
LARMOR_INLINE PackBits canonical_sites(const ReplicaLanes& at, const std::int32_t* canonical) {
  return PackBits(static_cast<std::uint64_t>(canonical[at.site]));
}
LARMOR_INLINE PackBits canonical_sites(const SiteLanes& at, const std::int32_t* canonical) {
  PackBits r;
  for (int l = 0; l < lane_count; ++l)
    r.set(l, static_cast<std::uint64_t>(canonical[at.first_site + l]));
  return r;
}
LARMOR_INLINE std::uint64_t canonical_sites(const Single& at, const std::int32_t* canonical) {
  return static_cast<std::uint64_t>(canonical[at.site]);
}

LARMOR_INLINE PackBits replica_indices(const ReplicaLanes& at) {
  PackBits r;
  for (int l = 0; l < lane_count; ++l)
    r.set(l, static_cast<std::uint64_t>(at.block * lane_count + l));
  return r;
}
LARMOR_INLINE PackBits replica_indices(const SiteLanes&) { return PackBits(0); }
LARMOR_INLINE std::uint64_t replica_indices(const Single& at) {
  return static_cast<std::uint64_t>(at.replica);
}

/// x where the lane counts, 0 elsewhere: for reductions.
LARMOR_INLINE Pack masked(const ReplicaLanes&, const Pack& x) { return x; }
LARMOR_INLINE Pack masked(const SiteLanes& at, Pack x) {
  if (at.active == 0xffu) return x;
  for (int l = 0; l < lane_count; ++l)
    if (!((at.active >> l) & 1u)) x.set(l, 0.0);
  return x;
}
LARMOR_INLINE double masked(const Single&, double x) { return x; }

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
