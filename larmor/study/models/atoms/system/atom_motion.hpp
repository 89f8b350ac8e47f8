#pragma once
// Thermal motion of atoms and the states between which they move: the minima of their energy. The
// motion is Langevin dynamics of one replica in a fixed box.
//
// After some timesteps, a copy of the atoms is relaxed by L-BFGS. If it comes near the minimum of
// the present state, with small forces, the state is the present one. Otherwise it is relaxed to
// the end, and the numbers of its structure give the label (atoms/states/structure_grid.hpp). A
// coordinate of a minimum within 1e-5 Angstrom of the face of a cell could give two labels.

#include <memory>

#include "larmor/atoms/minimisers/minimiser.hpp"
#include "larmor/atoms/states/structure_grid.hpp"
#include "larmor/core/object_pool.hpp"
#include "larmor/parsplice/segment_system.hpp"
#include "larmor/study/models/atoms/system/atom_system.hpp"

namespace larmor::study {

struct AtomMotionKeys {
  double temperature;    ///< K
  double timestep;       ///< ps
  double friction_time;  ///< ps
  Index timesteps_of_step;
};

/// Settings of the minimisations, and their L-BFGS history.
atoms::MinimiserSettings settings_of_minima();
inline constexpr int pairs_of_minima = 8;

std::vector<Vec3<double>> vectors_of(std::span<const double> numbers);
/// @param numbers (vector, 3)
void put(std::span<const Vec3<double>> vectors, std::span<double> numbers);

class AtomMotion : public parsplice::MatterSystem {
 public:
  /// @param first positions of the first configuration @throws UnphysicalError without a minimum
  AtomMotion(const AtomTables& tables, const AtomMotionKeys& keys, std::span<const double> first);
  ~AtomMotion() override;

  Index numbers() const override { return 2 * numbers_of_places(); }
  Index numbers_of_places() const override;
  Index most_steps_of_call() const override { return 10; }
  double energy(std::span<const double> configuration) const override;
  parsplice::StateLabel state(std::span<const double> configuration) const override;
  /// The minimum, relaxed from the middles of its cells, with thermal velocities whose random key
  /// is the label. So its bits are those of the state.
  parsplice::Configuration reference(std::span<const double> configuration) const override;
  parsplice::Advance advance(std::span<double> configuration, Index steps,
                             const RandomKey& key) const override;

 protected:
  struct Worker;
  /// A minimum with its label.
  struct Found {
    std::vector<Vec3<double>> positions;
    parsplice::StateLabel label;
  };

  /// @param home a minimum; if the atoms come near it, the search ends; may be null
  /// @return nothing: the atoms are in the state of `home`
  std::optional<Found> minimum_of(Worker& worker, std::span<const Vec3<double>> positions,
                                  const Found* home) const;
  /// BITS: steps of L-BFGS between two looks at relaxing atoms.
  static constexpr Index steps_between_looks = 5;

  Found labelled(std::vector<Vec3<double>> minimum) const;
  /// The minimum of these positions, by the force field of a thread.
  Found minimum_of(std::span<const Vec3<double>> positions) const;
  /// The minimum of these positions, or nothing if the atoms are in the state of `home`.
  std::optional<Found> minimum_unless_at(const Found& home,
                                         std::span<const Vec3<double>> positions) const;
  /// The state of many replicas of the atoms.
  atoms::AtomState state_of(Index replicas, const Device& device) const;
  std::unique_ptr<atoms::ForceField> field_on(const Device& device) const;
  /// BITS: the seed of the noise of a segment, or of a parallel replica.
  static std::uint64_t noise_seed(const RandomKey& key);
  const AtomMotionKeys& keys() const { return keys_; }
  const atoms::StructureGrid& grid() const { return *grid_; }
  /// Is a relaxing structure in the state of `home`?
  bool is_at(const Found& home, std::span<const Vec3<double>> positions,
             double largest_force) const;

 private:
  std::unique_ptr<Worker> make_worker() const;

  const AtomTables& tables_;
  const AtomSetup& setup_;
  AtomMotionKeys keys_;
  std::size_t atoms_;
  mutable ObjectPool<Worker> workers_;
  std::optional<atoms::StructureGrid> grid_;
};

}  // namespace larmor::study
