#include <cmath>

#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/exact_results/exact_results.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {
namespace {

constexpr double zeta_3 = 1.2020569031595942;
/// Sum of 1 / r^3 over the square lattice, 4 zeta(3/2) beta(3/2).
constexpr double square_sum = 9.0336216831;

std::string lattice_of_dipoles(const std::string& lattice, const std::string& method) {
  return "[lattice]\n" + lattice + "\n[dipolar]\nstrength = 1\nmethod = '" + method + "'\n";
}

Measured energy_along(const std::string& tables, const Vec3<double>& direction,
                      const Device& device) {
  SpinSystem system(parse_system(tables, "verify"), device);
  system.state.set_uniform(direction);
  return {spins::energy_per_site(system.model, system.state)[0], tolerance(device, 1e-9)};
}

/// Frequency of the precession of all spins about the axis of an endless chain. The angle between
/// the spins and the axis has the cosine 0.6.
Measured precession_of_chain(const std::string& method, const Device& device) {
  SpinSystem system(
      parse_system(lattice_of_dipoles("type = 'chain'\nsize = [8]", method), "verify"), device);
  system.state.set_uniform({0.6, 0.8, 0});
  spins::IntegratorSettings settings;
  settings.scheme = spins::Scheme::rk4;
  settings.timestep = 0.002;
  spins::Integrator integrator(system.model, system.state.layout(), settings, device);
  integrator.run(system.state, 250);
  const Vec3<double> after = system.state.configuration(0)[5];
  return {std::atan2(after.z, after.y) / 0.5, tolerance(device, 1e-8)};
}

}  // namespace

std::vector<ExactResult> exact_dipoles() {
  std::vector<ExactResult> results;
  for (const std::string method : {"fft", "bonds"}) {
    const auto add = [&](const std::string& name, double exact, const std::string& lattice,
                         const Vec3<double>& direction) {
      const std::string tables = lattice_of_dipoles(lattice, method);
      results.push_back(
          {name + " (" + method + ")", exact, false,
           [=](const Device& device, Index) { return energy_along(tables, direction, device); }});
    };
    add("endless chain of dipoles, along it: -2 zeta(3)", -2 * zeta_3, "type = 'chain'\nsize = [7]",
        {1, 0, 0});
    add("endless film of dipoles, across it: 2 zeta(3/2) beta(3/2)", square_sum / 2,
        "type = 'square'\nsize = [4, 3]", {0, 0, 1});
    results.push_back({"precession of a chain of dipoles, 6 zeta(3) cos(theta) (" + method + ")",
                       6 * zeta_3 * 0.6, false, [method](const Device& device, Index) {
                         return precession_of_chain(method, device);
                       }});
  }
  return results;
}

}  // namespace larmor::study
