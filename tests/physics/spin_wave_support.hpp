#pragma once
// Spin-wave theory of a small system, built from the text of a study.

#include <algorithm>
#include <functional>
#include <numbers>

#include "larmor/correlations/fourier/q_list.hpp"
#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spinwaves/spectrum.hpp"
#include "test_system.hpp"

namespace larmor::testing_support {

/// A function that gives the unit vector of a site, from its Cartesian position and basis atom.
using Texture = std::function<Vec3<double>(const Vec3<double>& r, int atom)>;

inline Texture along(const Vec3<double>& direction) {
  return [direction](const Vec3<double>&, int) { return direction; };
}

/// The texture cos(k.r) u + sin(k.r) v.
inline Texture spiral(const Vec3<double>& k, const Vec3<double>& u, const Vec3<double>& v) {
  return
      [=](const Vec3<double>& r, int) { return std::cos(dot(k, r)) * u + std::sin(dot(k, r)) * v; };
}

/// A system for the theory. It uses one CPU thread in double precision, whichever device other
/// tests use.
struct SpinWaveSystem {
  study::SystemTables tables;
  study::SpinSystem system;
  std::vector<spins::LoweredTerm> terms;

  explicit SpinWaveSystem(const std::string& text)
      : tables(study::parse_system(text, "test")),
        system(tables, Device::cpu(1)),
        terms(study::lower_terms(tables, system.geometry, system.moments)) {}

  spinwaves::Hamiltonian hamiltonian() const { return {system.geometry, terms, system.moments}; }

  void set(const Texture& texture) {
    system.state.set_by_site([&](Index site) {
      return texture(system.geometry.position(site), system.geometry.basis_index(site));
    });
  }
  void relax(std::uint64_t seed, double tolerance = 1e-11) {
    system.state.randomise(seed);
    spins::MinimiserSettings settings;
    settings.tolerance = tolerance;
    spins::Minimiser minimiser(system.model, system.state.layout(), settings, system.device);
    minimiser.start(system.state);
    minimiser.run(system.state, 20000);
  }
  std::vector<Vec3<double>> spins() const { return system.state.configuration(0); }
};

/// The theory of spin waves around the present spins.
struct Theory {
  std::vector<Vec3<double>> e;
  spinwaves::MagneticCell cell;
  spinwaves::QuadraticHamiltonian quadratic;

  explicit Theory(const SpinWaveSystem& of)
      : e(of.spins()),
        cell(spinwaves::MagneticCell::find(of.hamiltonian(), e, 1e-5)),
        quadratic(of.hamiltonian(), cell, e, 1) {}

  std::vector<double> frequencies(const Vec3<double>& k) const {
    return spinwaves::frequencies_at(quadratic, k);
  }
  spinwaves::WaveVectorSpectrum spectrum(const Vec3<double>& k, double k_B_T = 1,
                                         bool quantum = false) const {
    return spinwaves::spectrum_at(quadratic, k, {quantum, k_B_T, 1});
  }
};

inline Theory theory_of(const std::string& text, const Texture& texture) {
  SpinWaveSystem system(text);
  system.set(texture);
  return Theory(system);
}

/// Wave vectors without symmetry, some in the plane of x and y and some out of it.
inline std::vector<Vec3<double>> odd_wave_vectors() {
  return {{0.31, 0, 0}, {0.7, -1.1, 0}, {2.3, 0.4, 0.9}, {-1.7, 2.9, -0.6}};
}

inline std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace larmor::testing_support
