#pragma once
// The atoms of all replicas, one replica after the other, on a CPU or a GPU. Replicas may differ in
// number of atoms and in box. Each replica has the bits that it would have in a separate run.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/atoms/cell/atom_array.hpp"
#include "larmor/atoms/cell/box.hpp"
#include "larmor/atoms/cell/faults.hpp"
#include "larmor/atoms/cell/units.hpp"
#include "larmor/atoms/neighbours/pair_gradients.hpp"
#include "larmor/atoms/system/replica_key.hpp"
#include "larmor/core/update_counter.hpp"

namespace larmor::atoms {

/// The initial structure of a replica.
struct Structure {
  Box box;
  std::vector<Vec3<double>> positions;  ///< Angstrom
  std::vector<std::int32_t> types;      ///< from 0
};

/// Consecutive atoms of one replica. One thread updates and sums all of them.
struct AtomBlock {
  Index replica, first, last;
};

/// A layout for kernels.
struct LayoutView {
  const AtomBlock* atom_blocks;
  const Index* first;             ///< [replicas + 1]
  const Index* first_atom_block;  ///< [replicas + 1]
  Index atom_block_count, replicas, atoms, longest_atom_block;

  LARMOR_INLINE Index atoms_of(Index replica) const { return first[replica + 1] - first[replica]; }
};

/// Which atoms belong to which replica.
class AtomLayout {
 public:
  /// @param atoms number of atoms of each replica
  /// @param first_replica number of the first replica in the study
  /// @param device the device on which kernels run
  explicit AtomLayout(std::span<const Index> atoms, std::uint64_t first_replica = 0,
                      const Device& device = {});

  Index replicas() const { return static_cast<Index>(first_.size()) - 1; }
  Index atoms() const { return first_.back(); }
  /// Number of the first atom of a replica. For `replicas()`: the number of all atoms.
  Index first(Index replica) const { return first_[static_cast<std::size_t>(replica)]; }
  Index atoms_of(Index replica) const { return first(replica + 1) - first(replica); }
  std::uint64_t first_replica() const { return first_replica_; }

  /// BITS: atom blocks of a replica depend only on its number of atoms.
  std::span<const AtomBlock> atom_blocks() const { return atom_blocks_; }
  /// Number of the first atom block of a replica. For `replicas()`: the number of all atom blocks.
  Index first_atom_block(Index replica) const {
    return first_atom_block_[static_cast<std::size_t>(replica)];
  }

  /// Pointers to memory of the layout's device.
  LayoutView view() const;

 private:
  std::vector<Index> first_, first_atom_block_;
  std::vector<AtomBlock> atom_blocks_;
  std::uint64_t first_replica_;
  Index longest_atom_block_ = 0;
  Device device_;
  /// Copies for kernels; empty on a CPU.
  AtomArray<Index> first_on_gpu_, first_atom_block_on_gpu_;
  AtomArray<AtomBlock> atom_blocks_on_gpu_;
};

/// Pointers to the atoms, on their device, for loops.
struct AtomsView {
  Vec3<double>*position, *velocity, *force;
  const std::int32_t* type;
  const double* mass_of_type;
  Box* box;
  double* energy;
  SymmetricTensor* virial;
  LayoutView layout;
  FaultFlag fault;

  LARMOR_INLINE double mass(Index atom) const { return mass_of_type[type[atom]]; }
};

/// Velocities and masses on the device, for kinetic energies.
struct VelocitiesView {
  const Vec3<double>* velocity;
  const std::int32_t* type;
  const double* mass_of_type;

  LARMOR_INLINE double mass(Index atom) const { return mass_of_type[type[atom]]; }
};

/// Arrays with one number per atom have the shape [atoms]; those with one per replica, [replicas].
struct AtomState {
  /// The random keys are those of seed 0 until `set_keys`.
  /// @param molar_mass mass of each type, g/mol
  /// @throws InputError for a mass that is not positive, a type without a mass, a replica without
  /// atoms
  AtomState(const AtomUnits& units, std::span<const double> molar_mass,
            std::span<const Structure> structures, std::uint64_t first_replica = 0,
            const Device& device = {});

  AtomUnits units;
  Device device;
  AtomLayout layout;
  AtomArray<double> mass_of_type;  ///< eV ps^2/Angstrom^2
  AtomArray<std::int32_t> type;

  AtomArray<Vec3<double>> position;  ///< Angstrom, never wrapped
  AtomArray<Vec3<double>> velocity;  ///< Angstrom/ps
  AtomArray<Vec3<double>> force;     ///< eV/Angstrom
  AtomArray<Box> box;
  AtomArray<double> energy;           ///< potential energy, eV
  AtomArray<SymmetricTensor> virial;  ///< - dE/d(strain), eV
  AtomArray<ReplicaKey> keys;         ///< for noise and drawn velocities
  UpdateCounter step;                 ///< step of the system, if atoms are only a part of it
  FaultRecord faults;

  /// Gives every replica the random keys of one seed.
  void set_seed(std::uint64_t seed);
  /// Random keys of the present step, on the device.
  RandomKeys random_keys(Stream stream) const { return {keys.data(), step, stream}; }

  AtomsView view();
  VelocitiesView velocities() const { return {velocity.data(), type.data(), mass_of_type.data()}; }

  /// For a state on a CPU.
  double mass(Index atom) const {
    return mass_of_type[static_cast<std::size_t>(type[static_cast<std::size_t>(atom)])];
  }
  /// Atoms of one replica, for a ForceField on a CPU.
  std::span<const Vec3<double>> positions_of(Index replica) const { return of(position, replica); }
  std::span<const std::int32_t> types_of(Index replica) const { return of(type, replica); }
  std::span<Vec3<double>> forces_of(Index replica) {
    return {force.data() + layout.first(replica),
            static_cast<std::size_t>(layout.atoms_of(replica))};
  }

 private:
  template <class T>
  std::span<const T> of(const AtomArray<T>& numbers, Index replica) const {
    return {numbers.data() + layout.first(replica),
            static_cast<std::size_t>(layout.atoms_of(replica))};
  }
};

/// Degrees of freedom of atoms whose centre of mass is at rest.
LARMOR_INLINE Index degrees_of_freedom(Index atoms) { return 3 * atoms - 3; }

/// Draws velocities from the Maxwell-Boltzmann distribution, exp(-m v^2 / 2 k_B T) for each
/// component, and removes the motion of the centre of mass. The result is the canonical
/// distribution of 3 N - 3 degrees of freedom. Random numbers have the keys of the state.
/// @param temperature temperature of each replica, K
/// @param scaled true: one factor for all velocities of a replica makes its kinetic temperature
/// exact. false: the kinetic temperature scatters by the fraction sqrt(2 / (3N - 3)), as in the
/// canonical ensemble
/// @throws InputError for a negative temperature
void set_velocities(AtomState& state, std::span<const double> temperature, bool scaled,
                    int threads);

}  // namespace larmor::atoms
