#pragma once
// The spins of all replicas.

#include <functional>
#include <span>
#include <vector>

#include "larmor/core/device/real_array.hpp"
#include "larmor/core/simd/strided_vectors.hpp"
#include "larmor/core/simd/views.hpp"
#include "larmor/core/update_counter.hpp"

namespace larmor::spins {

/// Vacancies have no spin: their vector is zero, whatever the others are set to.
class SpinState {
 public:
  /// All spins along z. @param canonical canonical site of each storage position, padded
  SpinState(const Device& device, const SpinLayout& layout, std::vector<std::int32_t> canonical);

  const Device& device() const { return device_; }
  const SpinLayout& layout() const { return layout_; }
  /// Canonical site of each storage position, padded.
  const std::vector<std::int32_t>& canonical() const { return canonical_; }
  /// For kernels.
  Reals reals() const { return spins_.reals(); }

  /// Independent directions, uniform on the sphere, keyed by (seed, replica, site).
  void randomise(std::uint64_t seed);
  /// The same direction for every spin. @param direction a unit vector
  void set_uniform(const Vec3<double>& direction);
  /// The same direction a site in every replica. @param direction unit vectors [canonical sites]
  void set_all(std::span<const Vec3<double>> direction);
  /// @param direction unit vector of a canonical site; several threads call it
  void set_by_site(const std::function<Vec3<double>(Index site)>& direction);
  /// Replicas become copies of others: see copy_replicas. Every process copies what it has.
  void copy_replicas(std::span<const ReplicaCopy> copies);
  // What follows is of all spins: where several processes share the sites, all of them call it.

  /// Spins of one replica in canonical order. [sites]
  std::vector<Vec3<double>> configuration(Index replica) const;
  /// Those of the first `count` replicas as numbers, (count, sites, 3).
  std::vector<double> configurations(Index count) const;
  /// For measurements on the host. Valid until the state changes or is asked again: a copy, unless
  /// the spins are doubles of the CPU.
  StridedVectors vectors() const;
  /// The same for sums over parts of `of_part` positions, which the process makes that owns the
  /// first: only those parts are up to date.
  StridedVectors vectors_of_parts(Index of_part) const;

  /// Brings what other processes have updated; what follows does so by itself.
  void complete() const;
  /// The same of parts of `of_part` positions whose first is this process's.
  void complete_parts(Index of_part) const;
  /// FORMAT: raw contents, layout included, for checkpoints.
  std::vector<double> save() const;
  void load(std::span<const double> saved) { spins_.copy_from(saved); }

  /// @throws UnphysicalError naming site and replica when a spin is not finite
  void require_finite() const;

  UpdateCounter step;  ///< that of the system, where the spins are part of one
  /// Cones of Metropolis moves as the last stage that tuned them left them, as 1 - cos(half angle)
  /// [padded replicas]; empty: none has.
  std::vector<double> cones;

 private:
  template <class Store>
  void for_each_spin(Index replica, const Store& store) const;
  StridedVectors strided() const;

  Device device_;
  SpinLayout layout_;
  std::vector<std::int32_t> canonical_;
  RealArray spins_;
  mutable std::vector<double> copy_;
};

}  // namespace larmor::spins
