#pragma once
// The energy of all replicas for minimisers and paths, and the data of a point on the energy
// surface.

#include <memory>

#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/landscape/landscape_kernels.hpp"
#include "larmor/spins/landscape/sphere.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

/// Spins of all replicas, and tangent vectors at these spins; see PointView.
class LandscapePoint {
 public:
  /// Starts with all spins along z.
  /// @param model must outlive this object
  /// @param remembers store past steps?
  LandscapePoint(const Model& model, const SpinLayout& layout, const Device& device,
                 bool remembers);

  PointView view() const;
  SpinState& spins() { return *spins_; }
  const SpinState& spins() const { return *spins_; }
  /// Exchanges the spins with those of another state.
  void exchange_spins(std::unique_ptr<SpinState>& other) { spins_.swap(other); }
  const SpinLayout& layout() const { return spins_->layout(); }
  /// Chooses new axes for every spin, so tangent vectors become invalid.
  void set_axes();
  /// The energy of the model and a uniform field, for spins in this layout.
  /// @param uniform mu_B B of the field, an energy: - sum_i m_i uniform.e_i
  SurfaceView surface_at(const SpinState& spins, const Vec3<double>& uniform);

  /// Writes all data of each replica: numbers_of_replica() numbers.
  /// @param first_of_replica index of the first number of each replica [replicas]
  void save(std::span<double> numbers, std::span<const std::size_t> first_of_replica) const;
  void load(std::span<const double> numbers, std::span<const std::size_t> first_of_replica);
  std::size_t numbers_of_replica() const;

  RealArray axes, gradient, direction, new_gradient;
  bool remembers;

 private:
  template <class Point, class Body>
  static void for_each_array(Point& point, const Body& body);

  const Model* model_;
  std::unique_ptr<SpinState> spins_;
  std::vector<RealArray> past_;  ///< past steps, then past changes
  RealArray long_range_;         ///< long-range field, if the model has one
};

/// Bytes of a point, without a long-range field.
double point_bytes(const SpinLayout& layout, bool remembers, Precision precision);
/// Bytes of the saved data of a point.
double saved_point_bytes(const SpinLayout& layout, bool remembers);

/// Rounding error of the summed energy of a replica, in units of the largest field.
double energy_rounding(Precision precision, Index sites);

/// The finest meaningful tolerance of a torque in a precision, in units of the largest |dH/de|.
double finest_tolerance(Precision precision);

/// The device for a system: small systems use one thread, because waking threads takes longer than
/// the work on a few thousand spins.
Device device_for(const Device& device, const SpinLayout& layout);

/// Copies the spins of one replica from a state.
void copy_spins(const SpinState& state, Index replica, SiteVectors& spins);
/// Copies the spins of every replica from a state.
std::vector<SiteVectors> copy_all_spins(const SpinState& state);
/// Stores spins in a state, in the replicas from `first` on.
void store_spins(std::span<const SiteVectors> spins, Index first, SpinState& state);

/// Random turns of spins. Along a uniform downhill direction, independent turns of N spins are less
/// effective than common turns, by a factor 1 / sqrt(N).
enum class RandomTurns {
  each,           ///< each spin turns independently
  half_together,  ///< half of the angle independently, half equally for all spins of a replica
  replicas_alike  ///< each spin of a replica turns independently, but equally in all replicas
};

/// Turns every spin of replicas [first, last) at random by at most `angle`. The step of the state
/// is the counter of the random numbers, and increases by one.
void perturb(SpinState& state, std::span<const std::int32_t> canonical, std::uint64_t seed,
             double angle, Index first, Index last, RandomTurns turns = RandomTurns::each);

}  // namespace larmor::spins
