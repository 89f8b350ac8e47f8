#pragma once
// The atoms of all replicas, one replica after the other. Replicas may differ in number of atoms
// and in box, and each gives the bits that it gives alone.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/atoms/box.hpp"
#include "larmor/atoms/pair_gradients.hpp"
#include "larmor/atoms/units.hpp"
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

/// Which atoms belong to which replica.
class AtomLayout {
 public:
  /// @param atoms of each replica @param first_replica number of the first one in the study
  explicit AtomLayout(std::span<const Index> atoms, std::uint64_t first_replica = 0);

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

 private:
  std::vector<Index> first_, first_piece_;
  std::vector<AtomPiece> pieces_;
  std::uint64_t first_replica_;
};

/// Numbers of every atom lie flat, [atoms]; numbers of every replica, [replicas].
struct AtomState {
  /// @param molar_mass of each type, g/mol
  /// @throws InputError for a mass that is not positive, a type without a mass, a replica without
  /// atoms
  AtomState(const AtomUnits& units, std::span<const double> molar_mass,
            std::span<const Structure> structures, std::uint64_t first_replica = 0);

  AtomUnits units;
  AtomLayout layout;
  std::vector<double> mass_of_type;  ///< eV ps^2/Angstrom^2
  std::vector<std::int32_t> type;

  std::vector<Vec3<double>> position;  ///< Angstrom, never wrapped
  std::vector<Vec3<double>> velocity;  ///< Angstrom/ps
  std::vector<Vec3<double>> force;     ///< eV/Angstrom
  std::vector<Box> box;
  std::vector<double> energy;           ///< potential energy, eV
  std::vector<SymmetricTensor> virial;  ///< - dE/d(strain), eV
  UpdateCounter step;                   ///< that of the system, where atoms are part of one

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
  std::span<const T> of(const std::vector<T>& numbers, Index replica) const {
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
