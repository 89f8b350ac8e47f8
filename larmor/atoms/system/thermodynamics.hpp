#pragma once
// Energy, temperature and pressure of every replica from the velocities and the virial:
//
//   K = sum_i m_i v_i^2 / 2,   k_B T = 2 K / (3 N - 3),   P = (sum_i m_i v_i (x) v_i + W) / V,
//
// with the virial W = -dE/d(strain). P > 0: the atoms push the box apart.

#include <vector>

#include "larmor/atoms/system/loops.hpp"

namespace larmor::atoms {

/// Kinetic energies, eV [replicas]. Functions that return numbers to the host wait for a GPU.
std::vector<double> kinetic_energies(const AtomState& state, int threads);
/// Writes kinetic energies to memory of the device of the atoms, eV [replicas].
void sum_kinetic_energies(const AtomState& state, int threads, ReplicaSums<1>& energies);

/// Temperature of one replica, K; 0 for a single atom, which has no degree of freedom.
double temperature(const AtomState& state, Index replica, double kinetic_energy);

/// Motion of the centre of mass of a replica.
struct TotalMotion {
  Vec3<double> momentum;  ///< sum m v, eV ps/Angstrom
  double mass;            ///< eV ps^2/Angstrom^2

  double kinetic_energy() const { return dot(momentum, momentum) / (2 * mass); }
};
/// Motions of the centres of mass [replicas].
std::vector<TotalMotion> total_motions(const AtomState& state, int threads);

/// sum m v (x) v, eV. [replicas]
std::vector<SymmetricTensor> kinetic_stresses(const AtomState& state, int threads);
/// Writes sum m v (x) v to memory of the device of the atoms, eV [replicas].
void sum_kinetic_stresses(const AtomState& state, int threads, ReplicaSums<6>& stresses);

/// The pressure P, eV/Angstrom^3. @param kinetic sum m v (x) v
LARMOR_INLINE SymmetricTensor pressure(const Box& box, const SymmetricTensor& kinetic,
                                       const SymmetricTensor& virial) {
  const double volume = box.volume();
  SymmetricTensor P;
  for (std::size_t k = 0; k < P.size(); ++k) P[k] = (kinetic[k] + virial[k]) / volume;
  return P;
}
/// Pressure of one replica, for a state on a CPU.
SymmetricTensor pressure(const AtomState& state, Index replica, const SymmetricTensor& kinetic);

/// Multiplies all velocities of a replica by its factor. @param factor [replicas]
void scale_velocities(AtomState& state, std::span<const double> factor, int threads);
/// Multiplies all velocities of a replica by its factor. @param factor [replicas], on the device of
/// the atoms
void scale_velocities(AtomState& state, const AtomArray<double>& factor, int threads);

/// Removes the motion of the centre of mass of every replica.
void stop_centre_of_mass(AtomState& state, int threads);
/// Removes the motion of the centre of mass of every replica. @param work memory for the sums
void stop_centre_of_mass(AtomState& state, int threads, ReplicaSums<4>& work);

}  // namespace larmor::atoms
