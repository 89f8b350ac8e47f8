#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/quantum/full_spectrum.hpp"
#include "larmor/quantum/low_levels.hpp"
#include "larmor/quantum/typicality.hpp"
#include "larmor/study/models/quantum/quantum_model_kind.hpp"
#include "larmor/trotter/continuous_time.hpp"
#include "larmor/trotter/replica_totals.hpp"
#include "larmor/trotter/trotter_sampler.hpp"

namespace larmor::study {
namespace {

using quantum::Sector;
using quantum::SpinModel;
using Kind = quantum::Sector::Kind;

constexpr double level_tolerance = 1e-10;

/// Bonds of neighbours, all equal.
SpinModel chain_model(int sites, bool is_ring, double Jz, double Jxy, double Gamma) {
  SpinModel model;
  model.sites = sites;
  for (int i = 0; i < (is_ring ? sites : sites - 1); ++i)
    model.bonds.push_back({i, (i + 1) % sites, Jz, Jxy});
  model.hz.assign(static_cast<std::size_t>(sites), 0);
  model.Gamma.assign(static_cast<std::size_t>(sites), Gamma);
  return model;
}

/// The lowest level of a sector of an Ising ring with J = 1, by the free fermions of P. Pfeuty,
/// Ann. Phys. 57, 79 (1970).
double energy_of_pfeuty(int L, double Gamma, Kind sector) {
  const bool is_odd = sector == Kind::odd;
  double energy = 0;
  for (int n = 0; n < L; ++n) {
    const double k = (2 * n + (is_odd ? 0 : 1)) * std::numbers::pi / L;
    // The fermion of k = 0 has the energy 2 (Gamma - 1), and is present.
    energy -= is_odd && n == 0 ? 1 - Gamma : std::sqrt(1 + Gamma * Gamma - 2 * Gamma * std::cos(k));
  }
  return energy;
}

/// Energies of the fermions of a chain with free ends and J = Gamma = 1.
std::vector<double> fermions_of_free_chain(int L) {
  std::vector<double> energies;
  for (int n = 1; n <= L; ++n) energies.push_back(4 * std::cos(n * std::numbers::pi / (2 * L + 1)));
  return energies;
}

Measured lowest_level(const SpinModel& model, const Sector& sector, const Device& device) {
  quantum::LowLevels search(device, model, sector, {});
  while (!search.step()) {
  }
  return {search.levels().front().energy, level_tolerance};
}

Measured energy_of_full_spectrum(const SpinModel& model, double temperature, const Device& device) {
  quantum::FullSpectrum spectrum(model, device.threads);
  while (!spectrum.step()) {
  }
  return {spectrum.at(1 / temperature).energy, level_tolerance};
}

Measured energy_of_random_states(const SpinModel& model, double temperature, const Device& device,
                                 Index vectors) {
  constexpr Index steps = 60;
  const std::vector<Sector> sectors = quantum::sectors_of(model);
  std::vector<std::vector<quantum::TypicalAverages>> averages(static_cast<std::size_t>(vectors));
  std::uint64_t number = 0;
  for (std::vector<quantum::TypicalAverages>& of_vector : averages)
    for (const Sector& sector : sectors) {
      quantum::TypicalState state(device, model, sector, {1 / temperature},
                                  {.steps = steps, .vector = number++});
      while (!state.step()) {
      }
      of_vector.push_back(state.averages().front());
    }
  const quantum::Estimated energy = quantum::estimates_of(averages, 1 / temperature).energy;
  return {energy.value, energy.error};
}

constexpr Index copies = 64;

/// The mean of independent copies. @param measure returns the energy of a copy
template <class Sweep, class Measure>
Measured mean_of_copies(Index samples, const Sweep& sweep, const Measure& measure) {
  constexpr Index sweeps_to_equilibrium = 100;
  sweep(sweeps_to_equilibrium);
  std::vector<double> sums(copies);
  const Index rounds = std::max<Index>(samples / copies, 4);
  for (Index n = 0; n < rounds; ++n) {
    sweep(1);
    const std::vector<double> energies = measure();
    for (std::size_t c = 0; c < sums.size(); ++c)
      sums[c] += energies[c] / static_cast<double>(rounds);
  }
  const Estimate mean = estimate_independent(sums);
  return {mean.value, mean.error};
}

Measured energy_of_slices(const trotter::SystemGraph& graph, const trotter::Instance& instance,
                          Index slices, const Device& device, Index samples) {
  const trotter::TrotterModel model(device, graph, {instance},
                                    {.slices = slices, .copies = copies});
  trotter::TrotterState state(model);
  state.randomise(1);
  trotter::TrotterSampler sampler(model, 1, UpdateCounter());
  trotter::TotalsOfReplicas totals(model);
  return mean_of_copies(
      samples, [&](Index sweeps) { sampler.line_sweep(state, sweeps); },
      [&] {
        std::vector<double> energies;
        for (const trotter::EnergyTerms& terms : totals.measure(state).energy)
          energies.push_back(terms.energy);
        return energies;
      });
}

Measured energy_in_continuous_time(const trotter::SystemGraph& graph,
                                   const trotter::Instance& instance, const Device& device,
                                   Index samples) {
  const trotter::ContinuousModel model(graph, {instance}, copies);
  trotter::ContinuousState state(model);
  state.randomise(1);
  trotter::ContinuousSampler sampler(model, 1, UpdateCounter(), device.threads);
  return mean_of_copies(
      samples, [&](Index sweeps) { sampler.sweep(state, sweeps); },
      [&] {
        std::vector<double> energies;
        for (Index copy = 0; copy < copies; ++copy)
          energies.push_back(trotter::energy_terms(instance, state.sums(copy)).energy);
        return energies;
      });
}

}  // namespace

std::vector<ExactResult> QuantumModelKind::exact_results() const {
  constexpr int L = 10, short_length = 8;
  std::vector<ExactResult> results;
  for (const double Gamma : {0.7, 1.0})
    for (const Kind sector : {Kind::even, Kind::odd})
      results.push_back({fmt::format("quantum Ising ring, Gamma = {}, {} level, Pfeuty (Lanczos)",
                                     Gamma, sector == Kind::even ? "even" : "odd"),
                         energy_of_pfeuty(L, Gamma, sector), false,
                         [=](const Device& device, Index) {
                           return lowest_level(chain_model(L, true, 1, 0, Gamma), {sector}, device);
                         }});
  // For spins S = s / 2 with H = S.S of neighbours; the total spin of each sublattice is conserved
  // in a ring of 4. L. Hulthen, Ark. Mat. Astron. Fys. 26A, 11 (1938) has a ring of 6.
  for (const auto& [sites, energy] : {std::pair{4, -2.0}, std::pair{6, -1 - std::sqrt(13.0) / 2}})
    results.push_back({fmt::format("Heisenberg ring of {} spins (Lanczos)", sites), energy, false,
                       [sites = sites](const Device& device, Index) {
                         return lowest_level(chain_model(sites, true, -0.25, -0.25, 0),
                                             {Kind::magnetisation, sites / 2}, device);
                       }});
  constexpr double Gamma = 0.8, temperature = 0.6;
  results.push_back(
      {"a spin in a transverse field (full spectrum)", -Gamma * std::tanh(Gamma / temperature),
       false, [=](const Device& device, Index) {
         return energy_of_full_spectrum(chain_model(1, false, 0, 0, Gamma), temperature, device);
       }});
  double of_fermions = 0;
  for (const double energy : fermions_of_free_chain(short_length))
    of_fermions -= energy / 2 * std::tanh(energy / (2 * temperature));
  const SpinModel open_chain = chain_model(short_length, false, 1, 0, 1);
  results.push_back({"open quantum Ising chain, free fermions (full spectrum)", of_fermions, false,
                     [=](const Device& device, Index) {
                       return energy_of_full_spectrum(open_chain, temperature, device);
                     }});
  results.push_back({"open quantum Ising chain, free fermions (random states)", of_fermions, true,
                     [=](const Device& device, Index samples) {
                       return energy_of_random_states(open_chain, temperature, device,
                                                      samples / 20);
                     }});
  // A single spin has no error of slices.
  results.push_back(
      {"a spin in a transverse field (12 slices)", -Gamma * std::tanh(Gamma / temperature), true,
       [=](const Device& device, Index samples) {
         return energy_of_slices({1, {}}, {1 / temperature, {}, {Gamma}, {0}}, 12, device, samples);
       }});
  trotter::SystemGraph chain{short_length, {}};
  for (int i = 0; i + 1 < short_length; ++i) chain.bonds.push_back({i, i + 1});
  const trotter::Instance instance{1 / temperature, std::vector<double>(chain.bonds.size(), 1),
                                   std::vector<double>(short_length, 1),
                                   std::vector<double>(short_length, 0)};
  results.push_back({"open quantum Ising chain, free fermions (continuous time)", of_fermions, true,
                     [=](const Device& device, Index samples) {
                       return energy_in_continuous_time(chain, instance, device, samples);
                     }});
  return results;
}

}  // namespace larmor::study
