#pragma once
// The atoms of all replicas, one replica after the other, on a CPU or a GPU. Replicas may differ in
// number of atoms and in box, and each gives the bits that it gives alone.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/atoms/cell/atom_array.hpp"
#include "larmor/atoms/cell/box.hpp"
#include "larmor/atoms/cell/faults.hpp"
#include "larmor/atoms/cell/units.hpp"
#include "larmor/atoms/neighbours/pair_gradients.hpp"
#include "larmor/core/update_counter.hpp"

namespace larmor::atoms {

/// A replica as it begins.
struct Structure {
  Box box;
  std::vector<Vec3<double>> positions;  ///< Angstrom
  std::vector<std::int32_t> types;      ///< from 0
};

/// Consecutive atoms of one replica, which a thread works on and sums over by itself.
struct AtomPiece {
  Index replica, first, last;
};

/// A layout as kernels see it.
struct LayoutView {
  const AtomPiece* pieces;
  const Index* first;        ///< [replicas + 1]
  const Index* first_piece;  ///< [replicas + 1]
  Index piece_count, replicas, atoms, longest_piece;

  LARMOR_INLINE Index atoms_of(Index replica) const { return first[replica + 1] - first[replica]; }
};

/// Which atoms belong to which replica.
class AtomLayout {
 public:
  /// @param atoms of each replica @param first_replica number of the first one in the study
  /// @param device that kernels run on
  explicit AtomLayout(std::span<const Index> atoms, std::uint64_t first_replica = 0,
                      const Device& device = {});

  Index replicas() const { return static_cast<Index>(first_.size()) - 1; }
  Index atoms() const { return first_.back(); }
  /// First atom of a replica; that of replica `replicas()` is one behind the last.
  Index first(Index replica) const { return first_[static_cast<std::size_t>(replica)]; }
  Index atoms_of(Index replica) const { return first(replica + 1) - first(replica); }
  std::uint64_t first_replica() const { return first_replica_; }

  /// BITS: pieces of a replica depend on its number of atoms alone.
  std::span<const AtomPiece> pieces() const { return pieces_; }
  /// First piece of a replica, as `first`.
  Index first_piece(Index replica) const { return first_piece_[static_cast<std::size_t>(replica)]; }

  /// On the device of the layout.
  LayoutView view() const;

 private:
  std::vector<Index> first_, first_piece_;
  std::vector<AtomPiece> pieces_;
  std::uint64_t first_replica_;
  Index longest_piece_ = 0;
  Device device_;
  /// Of a GPU; elsewhere empty.
  AtomArray<Index> first_on_gpu_, first_piece_on_gpu_;
  AtomArray<AtomPiece> pieces_on_gpu_;
};

/// Atoms as loops over them see them, on their device.
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

/// What kinetic energies are made of, on the device.
struct VelocitiesView {
  const Vec3<double>* velocity;
  const std::int32_t* type;
  const double* mass_of_type;

  LARMOR_INLINE double mass(Index atom) const { return mass_of_type[type[atom]]; }
};

/// Numbers of every atom lie flat, [atoms]; numbers of every replica, [replicas].
struct AtomState {
  /// @param molar_mass of each type, g/mol
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
  UpdateCounter step;                 ///< that of the system, where atoms are part of one
  FaultRecord faults;

  AtomsView view();
  VelocitiesView velocities() const { return {velocity.data(), type.data(), mass_of_type.data()}; }

  /// On a CPU.
  double mass(Index atom) const {
    return mass_of_type[static_cast<std::size_t>(type[static_cast<std::size_t>(atom)])];
  }
  /// Of a replica, for a ForceField.
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

/// Velocities of Maxwell and Boltzmann in every replica, exp(-m v^2 / 2 k_B T) for each component,
/// with the motion of the centre of mass taken out: the canonical distribution of 3 N - 3 degrees
/// of freedom. Keyed by seed, replica, atom and the state's step.
/// @param temperature of each replica, K
/// @param scaled all velocities of a replica are multiplied by one number, so that its kinetic
/// temperature is exactly the one asked for; otherwise it scatters around that, by the share
/// sqrt(2 / (3N - 3)), as in the canonical ensemble
/// @throws InputError for a negative temperature
void set_velocities(AtomState& state, std::span<const double> temperature, std::uint64_t seed,
                    bool scaled, int threads);

}  // namespace larmor::atoms
