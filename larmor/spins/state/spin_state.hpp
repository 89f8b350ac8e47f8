#pragma once
// The spins of all replicas.

#include <functional>
#include <span>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/real_array.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/simd/strided_vectors.hpp"
#include "larmor/core/simd/views.hpp"
#include "larmor/core/update_counter.hpp"

namespace larmor::spins {

/// Spin vectors of all replicas. The vectors of vacancies are always zero.
class SpinState {
 public:
  /// Starts with all spins along z.
  /// @param canonical canonical site of each storage position, padded
  SpinState(const Device& device, const SpinLayout& layout, std::vector<std::int32_t> canonical);

  const Device& device() const { return device_; }
  const SpinLayout& layout() const { return layout_; }
  /// Canonical site of each storage position, padded.
  const std::vector<std::int32_t>& canonical() const { return canonical_; }
  /// A view for kernels.
  Reals reals() const { return spins_.reals(); }

  /// Sets independent random directions, uniform on the sphere, with the random key (seed, replica,
  /// site).
  void randomise(std::uint64_t seed);
  /// Sets one direction for all spins.
  /// @param direction a unit vector
  void set_uniform(const Vec3<double>& direction);
  /// Sets one direction for each site, equal in all replicas.
  /// @param direction unit vectors [canonical sites]
  void set_all(std::span<const Vec3<double>> direction);
  /// Like set_all, with a function.
  /// @param direction returns the unit vector of a canonical site; must be thread-safe
  void set_by_site(const std::function<Vec3<double>(Index site)>& direction);
  /// Copies replicas to other replicas (larmor::copy_replicas). Every process copies its own spins.
  void copy_replicas(std::span<const ReplicaCopy> copies);
  // If processes share the sites, all of them must call the following functions, down to
  // require_finite, except `load`.

  /// Spins of one replica in canonical order. [sites]
  std::vector<Vec3<double>> configuration(Index replica) const;
  /// Spins of the first `count` replicas as numbers, (count, sites, 3).
  std::vector<double> configurations(Index count) const;
  /// Spins for measurements on the host. The result is valid until the state changes or this
  /// function is called again. It is a copy, except if the spins are doubles on the CPU.
  StridedVectors vectors() const;
  /// Spins for sums over blocks of `block_sites` positions. A process sums the blocks whose first
  /// position it owns. Only these blocks are up to date.
  StridedVectors vectors_of_parts(Index block_sites) const;

  /// Receives the updates of other processes. `configuration`, `configurations`, `vectors`, `save`
  /// and `require_finite` call this function.
  void complete() const;
  /// Receives updates for blocks of `block_sites` positions whose first position belongs to this
  /// process.
  void complete_parts(Index block_sites) const;
  /// FORMAT: raw contents, including the layout, for checkpoints.
  std::vector<double> save() const;
  void load(std::span<const double> saved) { spins_.copy_from(saved); }

  /// @throws UnphysicalError with site and replica if a spin is not finite
  void require_finite() const;

  UpdateCounter step;  ///< step of the whole system to which the spins belong
  /// Cones of Metropolis moves from the last stage that tuned them, as 1 - cos(half angle). Empty
  /// if no stage has tuned cones. [padded replicas]
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

// Operations on a GPU without the host. Compiled only if CUDA is found.

/// Sets every spin of every replica to one direction.
void set_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins,
                const Vec3<double>& direction);
/// Sets random directions, equal to those of SpinState::randomise on a CPU.
/// @param canonical canonical site of each storage position, on the device
void randomise_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins,
                      const std::int32_t* canonical, const RandomKey& key);
/// Are all components of all spins finite?
bool all_finite_on_gpu(const Device& device, const SpinLayout& layout, const Reals& spins);

}  // namespace larmor::spins
