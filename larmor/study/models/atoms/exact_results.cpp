#include <cmath>
#include <numbers>

#include "larmor/atoms/integrators/thermostats.hpp"
#include "larmor/atoms/integrators/velocity_verlet.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/statistics/statistics.hpp"
#include "larmor/evaluation/overlaid_potential.hpp"
#include "larmor/study/models/atoms/atom_model_kind.hpp"

namespace larmor::study {
namespace {

using atoms::AtomState;
using atoms::ForceField;
using atoms::Structure;
using evaluation::OverlaidPotential;

constexpr std::uint64_t atom_seed = 20261126;
constexpr double mass = 183.84;  // g/mol

/// The tolerance of a deterministic result. Only SNAP on a GPU uses other numbers than doubles.
double tolerance(const Device& device, double in_doubles, double in_floats) {
  return device.precision == Precision::double_numbers ? in_doubles : in_floats;
}

AtomState state_of(const Structure& structure, Index replicas, const Device& device) {
  return AtomState(atoms::AtomUnits::material(), std::vector<double>{mass, mass},
                   std::vector<Structure>(static_cast<std::size_t>(replicas), structure), 0,
                   device);
}

void find_forces(AtomState& state, ForceField& field) {
  do field.evaluate(state);
  while (!field.complete_steps(state));
}

/// Body-centred cubic, n^3 cubes of edge a: type 0 at the corners, type 1 in the centres, shifted
/// by a vector.
Structure crystal(int n, double a, const Vec3<double>& off = {}) {
  Structure structure{{{{{n * a, 0, 0}, {0, n * a, 0}, {0, 0, n * a}}}}, {}, {}};
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z)
        for (const std::int32_t type : {0, 1}) {
          structure.positions.push_back(
              {a * (x + 0.5 * type), a * (y + 0.5 * type), a * (z + 0.5 * type)});
          if (type == 1) structure.positions.back() += off;
          structure.types.push_back(type);
        }
  return structure;
}

// --- nuclei

constexpr double charge = 14, inner = 2.2, outer = 3.4;

/// Silicon nuclei, which repel each other. The SNAP potential has no interaction.
std::unique_ptr<ForceField> repulsion(double skin, const Device& device) {
  atoms::snap::SnapPotential none;
  none.parameters.rcutfac = 1;
  for (const char* name : {"A", "B"}) none.elements.push_back({name, 0.5, 1, {0, 0}});
  std::vector<atoms::Zbl::Nuclei> pairs;
  for (const std::int32_t i : {0, 1})
    for (const std::int32_t j : {0, 1}) pairs.push_back({i, j, charge, charge});
  return evaluation::force_field_of(
      std::make_unique<OverlaidPotential>(none, atoms::Zbl(inner, outer, 2, pairs), device), skin,
      device);
}

struct Repulsion {
  double energy, curvature;
};

/// The universal potential of two nuclei at a distance less than `inner`, without its constant.
Repulsion universal_potential(double r) {
  const double length = 0.4685 / (2 * std::pow(charge, 0.23)), e2 = 14.399645;
  const double terms[][2] = {
      {0.18175, 3.1998}, {0.50986, 0.94229}, {0.28022, 0.4029}, {0.02817, 0.20162}};
  Repulsion sum{};
  for (const auto& [share, decay] : terms) {
    const double k = decay / length, term = e2 * charge * charge * share * std::exp(-k * r) / r;
    sum.energy += term;
    sum.curvature += term * (k * k + 2 * k / r + 2 / (r * r));
  }
  return sum;
}

double energy_of_pair(double r, const Device& device) {
  Structure pair{{{{{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}}}, {{0, 0, 0}, {r, 0, 0}}, {0, 1}};
  AtomState state = state_of(pair, 1, device);
  find_forces(state, *repulsion(0, device));
  return state.energy.to_host()[0];
}

ExactResult energy_of_nuclei() {
  constexpr double near = 1, far = 1.5;
  return {"work to bring two nuclei from 1.5 to 1 Angstrom (zbl), eV",
          universal_potential(near).energy - universal_potential(far).energy, false,
          [](const Device& device, Index) {
            return Measured{energy_of_pair(near, device) - energy_of_pair(far, device), 1e-9};
          }};
}

/// For a chain of nuclei at distance a. Neighbours oscillate in antiphase with relative
/// displacement u: E = V(a + u) + V(a - u) with the potential V of a pair.
ExactResult frequency_of_phonon() {
  constexpr double a = 2, u = 1e-4, timestep = 1e-3;
  const double m = mass * atoms::AtomUnits::material().mass;
  const double exact = std::sqrt(4 * universal_potential(a).curvature / m) / (2 * std::numbers::pi);
  return {"optical phonon of a chain (zbl, velocity Verlet), THz", exact, false,
          [=](const Device& device, Index) {
            const Structure chain{{{{{9, 0, 0}, {0, 9, 0}, {0, 0, 2 * a}}}, {false, false, true}},
                                  {{0, 0, 0}, {0, 0, a + u}},
                                  {0, 1}};
            AtomState state = state_of(chain, 1, device);
            const auto field = repulsion(0.5, device);
            atoms::VelocityVerlet dynamics(timestep, device.threads);
            dynamics.start(state, *field);
            double swing[3];
            for (const int n : {0, 1, 2}) {
              dynamics.run(state, *field, n == 0 ? 100 : 1);
              const std::vector<Vec3<double>> r = state.position.to_host();
              swing[n] = r[1].z - r[0].z - a;
            }
            // In each step, velocity Verlet advances an oscillation of frequency omega by an angle
            // a, where 2 - 2 cos(a) = (omega dt)^2.
            const double turn = 2 - (swing[0] + swing[2]) / swing[1];
            return Measured{std::sqrt(turn) / timestep / (2 * std::numbers::pi), 1e-6 * exact};
          }};
}

// --- SNAP

constexpr double edge = 3.1;
constexpr Vec3<double> off_centre{0.3, -0.1, 0.2};

atoms::snap::SnapPotential made_up_potential() {
  atoms::snap::SnapPotential potential;
  potential.parameters.rcutfac = 4.2;
  potential.parameters.twojmax = 6;
  potential.elements = {{"A", 0.5, 1, {}}, {"B", 0.45, 0.7, {}}};
  const long count = atoms::snap::coefficient_count(potential.parameters, 2);
  for (auto& element : potential.elements)
    for (long k = 0; k < count; ++k)
      element.coefficients.push_back(element.radius / static_cast<double>(5 * (k + 1)) *
                                     (k * k % 7 < 3 ? 1.0 : -1.0));
  return potential;
}

/// Energy of one cell of the crystal, eV.
double textbook_energy(double a, const Vec3<double>& off) {
  const atoms::snap::Snap snap(made_up_potential(), atoms::snap::Method::baseline, Device::cpu(1));
  const Structure cell = crystal(1, a, off);
  const atoms::NeighbourRows rows = atoms::find_neighbours(cell.box, cell.positions, snap.cutoff());
  return atoms::total(snap.evaluate(rows, cell.types).energy);
}

/// df/dx at 0, exact up to terms of the fourth order.
template <class Function>
double slope(const Function& f) {
  constexpr double h = 2e-3;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

/// A crystal of 27 cells, with its forces.
AtomState snap_crystal(const Device& device) {
  AtomState state = state_of(crystal(3, edge, off_centre), 1, device);
  find_forces(state, *evaluation::force_field_of(std::make_unique<OverlaidPotential>(
                                                     made_up_potential(), std::nullopt, device),
                                                 0, device));
  return state;
}

std::vector<ExactResult> snap_of_a_crystal() {
  const double E = textbook_energy(edge, off_centre);
  const double F = -slope([](double x) {
    return textbook_energy(edge, off_centre + Vec3<double>{x, 0, 0});
  });
  // The derivative of the energy by an isotropic strain.
  const double dE = slope([](double strain) {
    return textbook_energy((1 + strain) * edge, (1 + strain) * off_centre);
  });
  const double GPa = atoms::gigapascal();
  const double P = -dE / (3 * edge * edge * edge) / GPa;
  const auto measured = [](double value, const Device& device) {
    return Measured{value, std::abs(value) * tolerance(device, 1e-8, 2e-3)};
  };
  return {{"energy of a cell (snap; exact: textbook), eV", E, false,
           [=](const Device& device, Index) {
             return measured(snap_crystal(device).energy.to_host()[0] / 27, device);
           }},
          {"force on an atom (snap; exact: -dE/dx of textbook), eV/Angstrom", F, false,
           [=](const Device& device, Index) {
             return measured(snap_crystal(device).force.to_host()[1].x, device);
           }},
          {"pressure of a crystal (snap; exact: -dE/dV of textbook), GPa", P, false,
           [=](const Device& device, Index) {
             const AtomState state = snap_crystal(device);
             const atoms::SymmetricTensor W = state.virial.to_host()[0];
             const double volume = state.box.to_host()[0].volume();
             return measured((W[0] + W[1] + W[2]) / (3 * volume) / GPa, device);
           }}};
}

// --- heat

constexpr Index atom_replicas = 8;
constexpr double hot = 1000;  // K
constexpr double wide = 3;    // Angstrom, the edge of a cell

AtomState hot_crystal(const Device& device) {
  AtomState state = state_of(crystal(2, wide), atom_replicas, device);
  state.set_seed(atom_seed);
  atoms::set_velocities(state, std::vector<double>(atom_replicas, hot), false, device.threads);
  return state;
}

Measured mean_of(const std::vector<double>& series) {
  const Estimate estimate = estimate_replicas(series, atom_replicas);
  return {estimate.value, estimate.error};
}

/// N atoms whose centre of mass is at rest: P V = (N - 1) k_B T.
ExactResult pressure_of_an_ideal_gas() {
  constexpr int atoms = 16;
  const double GPa = atoms::gigapascal(), V = atoms / 2 * wide * wide * wide;
  return {"pressure of an ideal gas, GPa",
          (atoms - 1) * atoms::AtomUnits::material().k_B * hot / V / GPa, true,
          [=](const Device& device, Index samples) {
            AtomState state = hot_crystal(device);
            std::vector<double> series;
            for (Index n = 0; n < samples; ++n) {
              ++state.step;
              atoms::set_velocities(state, std::vector<double>(atom_replicas, hot), false,
                                    device.threads);
              for (const auto& flow : atoms::kinetic_stresses(state, device.threads))
                series.push_back((flow[0] + flow[1] + flow[2]) / (3 * V) / GPa);
            }
            return mean_of(series);
          }};
}

/// The temperature of atoms by equipartition.
ExactResult temperature_held_by(const atoms::ThermostatType& thermostat) {
  return {"temperature of atoms (" + thermostat.name + "), K", hot, true,
          [&thermostat](const Device& device, Index samples) {
            constexpr Index atom_discarded = 200, interval = 5;
            AtomState state = hot_crystal(device);
            const auto field = repulsion(1, device);
            const atoms::HeatBath bath{
                std::vector<atoms::Ramp>(atom_replicas, atoms::Ramp::constant(hot)),
                std::vector<double>(atom_replicas, 0.03)};
            const auto dynamics = thermostat.make(1e-3, bath, device.threads, {});
            dynamics->start(state, *field);
            dynamics->run(state, *field, atom_discarded * interval);
            std::vector<double> series;
            // A step takes longer than a sweep of other model kinds, so there are fewer samples.
            for (Index n = 0; n < samples / 4; ++n) {
              dynamics->run(state, *field, interval);
              const std::vector<double> K = atoms::kinetic_energies(state, device.threads);
              for (Index replica = 0; replica < atom_replicas; ++replica)
                series.push_back(
                    atoms::temperature(state, replica, K[static_cast<std::size_t>(replica)]));
            }
            return mean_of(series);
          }};
}

}  // namespace

std::vector<ExactResult> exact_atoms() {
  std::vector<ExactResult> results{energy_of_nuclei(), frequency_of_phonon()};
  for (ExactResult& result : snap_of_a_crystal()) results.push_back(std::move(result));
  results.push_back(pressure_of_an_ideal_gas());
  for (const atoms::ThermostatType& thermostat : atoms::thermostats())
    results.push_back(temperature_held_by(thermostat));
  return results;
}

}  // namespace larmor::study
