#pragma once
// Measurements on a configuration. "Per site" means per spin, without vacancies.

#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

/// Total energy per site of each replica. [replicas]
std::vector<double> energy_per_site(const Model& model, const SpinState& state);
/// Starts energy_per_site without waiting for a GPU. [replicas]
Pending energy_per_site_async(const Model& model, const SpinState& state);
/// Stores the total energy of each replica on the device, after all earlier launches.
/// @param energies on the device [padded replicas]
void store_energies(const Model& model, const SpinState& state, double* energies);
/// Stores the energies of only one term, as store_energies does for all terms. The term must not be
/// a long-range interaction.
void store_term_energies(const Model& model, std::size_t term, const SpinState& state,
                         double* energies);
/// Energy per site of one term for each replica. [replicas]
Pending term_energy_per_site_async(const Model& model, std::size_t term, const SpinState& state);
std::vector<double> term_energy_per_site(const Model& model, std::size_t term,
                                         const SpinState& state);
/// Stores -dH/de of every spin, in the layout of the spins. Vacancies do not change.
/// @param field as many doubles as the state has
void store_effective_field(const Model& model, const SpinState& state, RealArray& field);
/// Both sums of the spin temperature
///     k_B T_s = sum_i |e_i x h_i|^2 / sum_i Laplacian_i H,   h = -dH/de
/// (Rugh, Phys. Rev. Lett. 78 (1997) 772; Nurdin, Schotte, Phys. Rev. E 61 (2000) 3579). For
/// energies linear in each spin the denominator is 2 sum e.h. The images of a spin turn with this
/// spin. In equilibrium, the ratio of the means of both sums is exactly k_B T. The mean of the
/// ratio deviates by about T / N. [replicas, 2]
Pending spin_temperature_sums_async(const Model& model, const SpinState& state);
/// k_B T_s of each replica for the current spins; 0 if there is no torque. [replicas]
std::vector<double> spin_temperature(const Model& model, const SpinState& state);
/// Energy of every site, summed over the replicas of each block. Each site has half of the energy
/// of its bonds. (block, canonical site)
std::vector<double> site_energies(const Model& model, const SpinState& state);
/// Starts to compute (1/N) sum_i e_i.r_i of each replica, without waiting for a GPU. [replicas]
/// @param reference spins r in the layout of the state
Pending overlap_async(const SpinState& state, const RealArray& reference);
/// sum_i w_i e_i of each replica. [replicas]
/// @param weight width 1
std::vector<Vec3<double>> weighted_sum(const RowTable& weight, const SpinState& state);
/// Starts weighted_sum without waiting for a GPU. [replicas, 3]
Pending weighted_sum_async(const RowTable& weight, const SpinState& state);
/// Magnetisation per site, (1/N) sum_i mu_i e_i, of each replica. [replicas]
std::vector<Vec3<double>> magnetisation_per_site(const Model& model, const SpinState& state);
/// Starts magnetisation_per_site without waiting for a GPU. [replicas, 3]
Pending magnetisation_per_site_async(const Model& model, const SpinState& state);

}  // namespace larmor::spins
