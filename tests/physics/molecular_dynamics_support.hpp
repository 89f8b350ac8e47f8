#pragma once
// For tests of molecular dynamics: force fields with known properties, structures, and statistics.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "larmor/atoms/forces/potential_forces.hpp"
#include "larmor/atoms/integrators/integrator.hpp"

namespace larmor::atoms {

/// The name of a thermostat or barostat without hyphens, which names of tests may not have.
inline const char* test_name(const std::string& name) {
  static std::map<std::string, std::string> names;
  std::string& made = names[name];
  made = name;
  std::ranges::replace(made, '-', '_');
  return made.c_str();
}

/// The energy of each pair is E(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) (1 - r^2/cutoff^2)^3,
/// with two continuous derivatives at the cutoff. The well is about as deep as that of argon.
class SmoothLennardJones : public Potential {
 public:
  static constexpr double epsilon = 0.03, sigma = 3.4, mass = 39.95;

  explicit SmoothLennardJones(double cutoff = 2.0 * sigma) : cutoff_(cutoff) {}

  double cutoff() const override { return cutoff_; }

  PairGradients evaluate(const NeighbourRows& rows, std::span<const std::int32_t>) const override {
    PairGradients result{std::vector<double>(static_cast<std::size_t>(rows.atoms())),
                         std::vector<Vec3<double>>(static_cast<std::size_t>(rows.entries()))};
    for (std::size_t i = 0; i < result.energy.size(); ++i)
      for (Index n = rows.first[i]; n < rows.first[i + 1]; ++n) {
        const Vec3<double>& r = rows.displacement[static_cast<std::size_t>(n)];
        const double squared = dot(r, r);
        if (!(squared < cutoff_ * cutoff_)) continue;
        const double sixth = std::pow(sigma * sigma / squared, 3);
        const double bare = 4 * epsilon * (sixth * sixth - sixth);
        const double bare_slope = -12 * epsilon * (2 * sixth * sixth - sixth) / squared;
        const double x = 1 - squared / (cutoff_ * cutoff_);
        // The slope is the derivative by r^2. Each of the two rows has half of the energy of a
        // pair.
        const double slope = bare_slope * x * x * x - 3 * bare * x * x / (cutoff_ * cutoff_);
        result.energy[i] += 0.5 * bare * x * x * x;
        result.gradient[static_cast<std::size_t>(n)] = slope * r;
      }
    return result;
  }

 private:
  double cutoff_;
};

inline std::unique_ptr<PotentialForces> lennard_jones(double skin = 1, int threads = 1) {
  std::vector<std::unique_ptr<const Potential>> potentials;
  potentials.push_back(std::make_unique<SmoothLennardJones>());
  return std::make_unique<PotentialForces>(std::move(potentials), skin, threads);
}

/// An Einstein crystal that may move as a whole: E = k/2 sum |u_i - mean of u|^2, with the
/// displacements u_i from the first positions. E has the distribution Gamma((3N - 3)/2, k_B T).
class HarmonicCrystal : public ForceField {
 public:
  HarmonicCrystal(const AtomState& state, double k) : sites_(state.position.to_host()), k_(k) {}

  void evaluate(AtomState& state) override {
    for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
      const auto first = static_cast<std::size_t>(state.layout.first(replica));
      const auto last = static_cast<std::size_t>(state.layout.first(replica + 1));
      Vec3<double> mean{};
      for (std::size_t i = first; i < last; ++i) mean += state.position[i] - sites_[i];
      mean = (1.0 / static_cast<double>(last - first)) * mean;
      double energy = 0;
      for (std::size_t i = first; i < last; ++i) {
        const Vec3<double> u = state.position[i] - sites_[i] - mean;
        state.force[i] = -k_ * u;
        energy += 0.5 * k_ * dot(u, u);
      }
      state.energy[static_cast<std::size_t>(replica)] = energy;
    }
  }

 private:
  std::vector<Vec3<double>> sites_;
  double k_;
};

/// A face-centred cubic crystal of n^3 cubes of edge a.
inline Structure fcc(int n, double a) {
  Structure structure{{{{{n * a, 0, 0}, {0, n * a, 0}, {0, 0, n * a}}}}, {}, {}};
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z)
        for (const Vec3<double>& r :
             {Vec3<double>{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}})
          structure.positions.push_back(a * (Vec3<double>{double(x), double(y), double(z)} + r));
  structure.types.assign(structure.positions.size(), 0);
  return structure;
}

/// The first `atoms` atoms of an fcc crystal, in a box with `density` atoms per sigma^3.
inline Structure liquid(std::size_t atoms, double density) {
  const double edge = SmoothLennardJones::sigma * std::cbrt(static_cast<double>(atoms) / density);
  const int n = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(atoms) / 4)));
  Structure structure = fcc(n, edge / n);
  structure.positions.resize(atoms);
  structure.types.resize(atoms);
  return structure;
}

inline AtomState argon(std::span<const Structure> structures, std::uint64_t first_replica = 0) {
  return AtomState(AtomUnits::material(), std::vector<double>{SmoothLennardJones::mass}, structures,
                   first_replica);
}

/// Values by [series][sample]. The series are independent of each other.
using Samples = std::vector<std::vector<double>>;

struct Estimate {
  double value, error;
};

/// A jackknife that leaves out one series at a time. @param estimate function of the series that
/// remain
inline Estimate jackknife(std::size_t series,
                          const std::function<double(std::size_t left_out)>& estimate) {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  const double value = estimate(none), count = static_cast<double>(series);
  double sum = 0;
  for (std::size_t s = 0; s < series; ++s) sum += std::pow(estimate(s) - value, 2);
  return {value, std::sqrt(sum * (count - 1) / count)};
}

inline Estimate mean_of(const Samples& samples, double power = 1) {
  return jackknife(samples.size(), [&](std::size_t left_out) {
    double sum = 0, count = 0;
    for (std::size_t s = 0; s < samples.size(); ++s)
      for (const double x : samples[s])
        if (s != left_out) sum += std::pow(x, power), count += 1;
    return sum / count;
  });
}

inline double variance_without(const Samples& samples, std::size_t left_out) {
  double sum = 0, squares = 0, count = 0;
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (const double x : samples[s])
      if (s != left_out) sum += x, squares += x * x, count += 1;
  return squares / count - sum * sum / (count * count);
}

/// The slope of ln(P2(x) / P1(x)), by maximum likelihood (M. R. Shirts, J. Chem. Theory Comput. 9,
/// 909 (2013)). It is a logistic regression for the origin of each sample x.
inline Estimate boltzmann_ratio(const Samples& first, const Samples& second) {
  const double centre = 0.5 * (mean_of(first).value + mean_of(second).value);
  const double scale = std::sqrt(variance_without(first, first.size()));
  const Estimate scaled = jackknife(first.size(), [&](std::size_t left_out) {
    double c = 0, slope = 0;
    for (int iteration = 0; iteration < 30; ++iteration) {
      double g0 = 0, g1 = 0, h00 = 0, h01 = 0, h11 = 0;
      for (const auto& [samples, is_second] : {std::pair(&first, 0.0), std::pair(&second, 1.0)})
        for (std::size_t s = 0; s < samples->size(); ++s) {
          if (s == left_out) continue;
          for (const double sample : (*samples)[s]) {
            const double x = (sample - centre) / scale;
            const double p = 1 / (1 + std::exp(-c - slope * x)), w = p * (1 - p);
            g0 += is_second - p, g1 += (is_second - p) * x;
            h00 += w, h01 += w * x, h11 += w * x * x;
          }
        }
      const double determinant = h00 * h11 - h01 * h01;
      c += (h11 * g0 - h01 * g1) / determinant;
      slope += (h00 * g1 - h01 * g0) / determinant;
    }
    return slope;
  });
  return {scaled.value / scale, scaled.error / scale};
}

/// The distribution function of Gamma(shape, 1).
inline double gamma_distribution(double shape, double x) {
  double term = std::exp(shape * std::log(x) - x - std::lgamma(shape + 1)), sum = 0;
  for (double n = 1; term > 1e-17 * sum || n < x; ++n) {
    sum += term;
    term *= x / (shape + n);
  }
  return sum;
}

/// Kolmogorov's sqrt(n) D for the distribution Gamma(shape, scale). If samples are independent, it
/// exceeds 1.95 in one case of 1000.
inline double kolmogorov(const Samples& samples, double shape, double scale) {
  std::vector<double> all;
  for (const std::vector<double>& series : samples)
    all.insert(all.end(), series.begin(), series.end());
  std::sort(all.begin(), all.end());
  const auto count = static_cast<double>(all.size());
  double largest = 0;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const double expected = gamma_distribution(shape, all[n] / scale);
    largest = std::max({largest, std::abs(expected - static_cast<double>(n) / count),
                        std::abs(expected - static_cast<double>(n + 1) / count)});
  }
  return largest * std::sqrt(count);
}

inline void expect_within(const Estimate& estimate, double expected, double sigmas,
                          const char* what) {
  EXPECT_LT(std::abs(estimate.value - expected), sigmas * estimate.error)
      << what << ": " << estimate.value << " +- " << estimate.error << ", expected " << expected;
}

}  // namespace larmor::atoms
