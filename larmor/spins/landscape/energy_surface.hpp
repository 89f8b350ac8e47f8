#pragma once
// The energy of all replicas as minimisers and paths see it, and what these keep of a point of it.

#include <memory>

#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/landscape/landscape_kernels.hpp"
#include "larmor/spins/landscape/sphere.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

/// Spins of all replicas, and tangent vectors there; see PointView.
class LandscapePoint {
 public:
  /// All spins along z. The model must outlive it. @param remembers does it keep steps of the past?
  LandscapePoint(const Model& model, const SpinLayout& layout, const Device& device,
                 bool remembers);

  PointView view() const;
  SpinState& spins() { return *spins_; }
  const SpinState& spins() const { return *spins_; }
  /// The spins become those of another state, and the other way round.
  void exchange_spins(std::unique_ptr<SpinState>& other) { spins_.swap(other); }
  const SpinLayout& layout() const { return spins_->layout(); }
  /// Every spin gets axes anew: tangent vectors lose their meaning.
  void set_axes();
  /// The energy at spins in the layout of these: the model's, and that of a uniform field beside
  /// it.
  /// @param uniform mu_B B of that, an energy: - sum_i m_i uniform.e_i
  SurfaceView surface_at(const SpinState& spins, const Vec3<double>& uniform);

  /// Everything of every replica, numbers_of_replica() from its first place on. [replicas]
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
  std::vector<RealArray> past_;  ///< steps, then changes
  RealArray long_range_;         ///< field, of a model that has one
};

/// Bytes of one, without a long-range field.
double point_bytes(const SpinLayout& layout, bool remembers, Precision precision);
/// Bytes of what is saved of one.
double saved_point_bytes(const SpinLayout& layout, bool remembers);

/// What energies of a replica are off by where they are summed up, in units of the largest field.
double energy_rounding(Precision precision, Index sites);

/// The finest tolerance of a torque that a precision can tell from nothing, in units of the largest
/// |dH/de|.
double finest_tolerance(Precision precision);

/// The device that small systems are worked on: waking threads takes longer than a few thousand
/// spins do.
Device device_for(const Device& device, const SpinLayout& layout);

/// Spins of one replica out of a state.
void copy_spins(const SpinState& state, Index replica, SiteVectors& spins);
/// Spins of every replica out of a state.
std::vector<SiteVectors> copy_all_spins(const SpinState& state);
/// Spins of replicas from `first` on into a state.
void store_spins(std::span<const SiteVectors> spins, Index first, SpinState& state);

/// How spins turn at random:
///   each: each for itself;
///   half_together: by one half each for itself and by the other half all spins of a replica alike.
///     Of a uniform way down, independent turns of N spins go only 1 / sqrt(N) as far;
///   replicas_alike: each spin for itself, and in every replica in the same way.
enum class RandomTurns { each, half_together, replicas_alike };

/// Turns every spin by at most `angle`, at random; random numbers are keyed by the state's step,
/// which goes on by one. @param first, last the replicas that are turned
void perturb(SpinState& state, std::span<const std::int32_t> canonical, std::uint64_t seed,
             double angle, Index first, Index last, RandomTurns turns = RandomTurns::each);

}  // namespace larmor::spins
