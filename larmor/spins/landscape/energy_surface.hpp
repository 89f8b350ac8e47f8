#pragma once
// Energy and fields of all replicas as minimisers and paths see them: the model, and a uniform
// field beside it.

#include "larmor/core/device/parallel.hpp"
#include "larmor/spins/landscape/sphere.hpp"
#include "larmor/spins/observables/observables.hpp"

namespace larmor::spins {

class EnergySurface {
 public:
  /// The model must outlive it.
  EnergySurface(const Model& model, const Device& device, const SpinLayout& layout);

  /// @param field mu_B B of the field beside the model's, an energy: - sum_i m_i field.e_i
  void set_field(const Vec3<double>& field) { uniform_ = field; }

  /// Energies and fields of every replica. @param state of the layout given
  void evaluate(const SpinState& state);
  Index evaluations() const { return evaluations_; }
  /// Of one replica, all spins together, as last evaluated.
  double energy(Index replica) const { return energy_[static_cast<std::size_t>(replica)]; }
  /// -dH/de of one replica as last evaluated. [3, sites]
  void copy_field(Index replica, SiteVectors& field) const;

  const SpinLayout& layout() const { return layout_; }

 private:
  const Model* model_;
  SpinLayout layout_;
  std::vector<double> moment_;  ///< by storage position
  RealArray field_;
  std::vector<double> energy_;
  Vec3<double> uniform_{0, 0, 0};
  Index evaluations_ = 0;
};

/// Spins of one replica out of a state and into it. [3, sites]
void copy_spins(const SpinState& state, Index replica, SiteVectors& spins);
void store_spins(const SiteVectors& spins, Index replica, SpinState& state);

/// The device that small systems are worked on: waking threads takes longer than a few thousand
/// spins do.
Device device_for(const Device& device, const SpinLayout& layout);

/// body(replica, threads) for every replica: side by side while they are small, otherwise one after
/// the other with all threads inside.
template <class Body>
void for_each_replica(const Device& device, const SpinLayout& layout, const Body& body) {
  constexpr Index sites_worth_splitting = 8192;
  if (layout.sites >= sites_worth_splitting || device.threads == 1) {
    for (Index replica = 0; replica < layout.replicas; ++replica) body(replica, device.threads);
    return;
  }
  parallel_for(device.threads, layout.replicas, [&](Index replica) { body(replica, 1); });
}

/// Turns every spin by at most `angle`, at random; random numbers are keyed by the state's step,
/// which goes on by one. @param first, last the replicas that are turned
void perturb(SpinState& state, std::span<const std::int32_t> canonical, std::uint64_t seed,
             double angle, Index first, Index last);

}  // namespace larmor::spins
