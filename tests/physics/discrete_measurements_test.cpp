// Measurements of discrete spins that follow energy and order parameter, compared with values from
// the stored states and with closed forms.
// Rooms: ising, study

#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "small_models.hpp"

namespace larmor::discrete_measurements_tests {
namespace {

using namespace testing_support;

using DiscreteMeasurements = DiscreteModels;

constexpr int replicas = 9;

struct MeasuredGrid {
  const char* tables;
  std::vector<int> size;
  std::vector<bool> periodic;
  int states;  ///< 2: Ising
};

/// Averages computed from the stored states of all replicas, (replica, site).
struct FromStates {
  const MeasuredGrid& grid;
  std::vector<double> states;

  int sites() const {
    int all = 1;
    for (const int length : grid.size) all *= length;
    return all;
  }
  /// The state of a site, from 0 to q - 1, for either model kind.
  int state(int replica, int site) const {
    const double value = states[static_cast<std::size_t>(replica * sites() + site)];
    return grid.states == 2 ? (value < 0 ? 1 : 0) : static_cast<int>(value);
  }
  int coordinate(int site, std::size_t axis) const {
    for (std::size_t a = 0; a < axis; ++a) site /= grid.size[a];
    return site % grid.size[axis];
  }
  int stride(std::size_t axis) const {
    int product = 1;
    for (std::size_t a = 0; a < axis; ++a) product *= grid.size[a];
    return product;
  }
  /// q / (q - 1) times the sum over states of |sum over sites of (delta - 1 / q) exp(i k x)|^2 /
  /// N^2.
  double modulated(int replica, std::size_t axis, double k) const {
    const double q = grid.states;
    double sum = 0;
    for (int of = 0; of < grid.states; ++of) {
      std::complex<double> amplitude = 0;
      for (int site = 0; site < sites(); ++site)
        amplitude += ((state(replica, site) == of ? 1 : 0) - 1 / q) *
                     std::polar(1.0, k * coordinate(site, axis));
      sum += std::norm(amplitude);
    }
    return q / (q - 1) * sum / (sites() * sites());
  }
  double correlation(int replica, std::size_t axis, int distance) const {
    const double q = grid.states;
    double sum = 0;
    int pairs = 0;
    for (int site = 0; site < sites(); ++site) {
      const int x = coordinate(site, axis), length = grid.size[axis];
      if (!grid.periodic[axis] && x + distance >= length) continue;
      const int other = site + ((x + distance) % length - x) * stride(axis);
      sum += (q * (state(replica, site) == state(replica, other) ? 1 : 0) - 1) / (q - 1);
      ++pairs;
    }
    return sum / pairs;
  }
};

const std::vector<MeasuredGrid>& measured_grids() {
  static const std::vector<MeasuredGrid> grids{
      {"[model]\nkind='ising'\n[lattice]\ngrid=[6,5,4]\nperiodic=[true,false,true]\n",
       {6, 5, 4},
       {true, false, true},
       2},
      {"[model]\nkind='ising'\n[lattice]\ngrid=[64,6]\n", {64, 6}, {true, true}, 2},
      {"[model]\nkind='ising'\n[lattice]\ngrid=[64,3,2,2]\nperiodic=[true,false,true,false]\n",
       {64, 3, 2, 2},
       {true, false, true, false},
       2},
      {"[model]\nkind='potts'\n[potts]\nstates=3\n[lattice]\ngrid=[7,4]\n",
       {7, 4},
       {true, true},
       3}};
  return grids;
}

TEST_F(DiscreteMeasurements, AreThoseOfTheStates) {
  for (const MeasuredGrid& grid : measured_grids())
    for (const char* keys : {"sampler='heat-bath'", "sampler='heat-bath'\nengine='general'",
                             "sampler='swendsen-wang'"}) {
      const io::ResultsReader results =
          results_of("replicas=9\nseed=3\n",
                     grid.tables +
                         std::string("[[exchange]]\nshell=1\nJ=1\n[[stage]]\nkind='monte-carlo'\n"
                                     "temperature=3\nthermalisation=0\nsweeps=3\nmeasure_every=3\n"
                                     "keep_configurations=9\nmeasure=['correlation-length',"
                                     "{what='axis-correlations',distance=5}]\n") +
                         keys + "\n");
      const std::string stage = "/stages/01-monte-carlo/";
      const FromStates states{grid, results.read<double>(stage + "configuration")};
      const auto expect = [&](const std::string& name, double exact) {
        EXPECT_NEAR(results.read<double>(stage + "averages/" + name + "/value")[0], exact,
                    1e-10 * (1 + std::abs(exact)))
            << name << ", " << grid.tables << keys;
      };
      const auto mean = [](const auto& of_replica) {
        double sum = 0;
        for (int r = 0; r < replicas; ++r) sum += of_replica(r);
        return sum / replicas;
      };
      expect("magnetisation_squared", mean([&](int r) { return states.modulated(r, 0, 0); }));
      expect("magnetisation_fourth",
             mean([&](int r) { return std::pow(states.modulated(r, 0, 0), 2); }));
      for (std::size_t axis = 0; axis < grid.size.size(); ++axis) {
        const std::string name(1, "xyzw"[axis]);
        const double k = 2 * std::numbers::pi / grid.size[axis];
        if (grid.periodic[axis])
          expect("structure_factor_" + name,
                 states.sites() * mean([&](int r) { return states.modulated(r, axis, k); }));
        const std::string group = stage + "axis-correlations/" + name + "/";
        const std::vector<double> distance = results.read<double>(group + "distance");
        const std::vector<double> value = results.read<double>(group + "value");
        ASSERT_EQ(std::ssize(distance), std::min(6, grid.size[axis]));
        EXPECT_EQ(value[0], 1);
        for (std::size_t d = 0; d < distance.size(); ++d)
          EXPECT_NEAR(value[d], mean([&](int r) {
                        return states.correlation(r, axis, static_cast<int>(distance[d]));
                      }),
                      1e-12)
              << distance[d] << " along " << name << ", " << grid.tables << keys;
      }
    }
}

TEST_F(DiscreteMeasurements, OfARingAreExact) {
  constexpr int N = 64;
  const double T = 0.9, t = std::tanh(1 / T), k = 2 * std::numbers::pi / N;
  const auto correlation = [&](int r) {
    return (std::pow(t, r) + std::pow(t, N - r)) / (1 + std::pow(t, N));
  };
  double squared = 0, modulated = 0;
  for (int r = 0; r < N; ++r) {
    squared += correlation(r) / N;
    modulated += correlation(r) * std::cos(k * r);
  }
  const double length = std::sqrt(N * squared / modulated - 1) / (2 * std::sin(k / 2));
  for (const char* keys :
       {"sampler='glauber'", "sampler='heat-bath'\nengine='general'", "sampler='swendsen-wang'"}) {
    const io::ResultsReader results = results_of(
        "replicas=64\nseed=5\n",
        "[model]\nkind='ising'\n[lattice]\ngrid=[64]\n[[exchange]]\nshell=1\nJ=1\n[[stage]]\n"
        "kind='monte-carlo'\ntemperature=0.9\nthermalisation=200\nsweeps=4000\nmeasure_every=4\n"
        "measure=['correlation-length','axis-correlations']\n" +
            std::string(keys) + "\n");
    const std::string stage = "/stages/01-monte-carlo/";
    const auto expect = [&](const std::string& name, double exact, double most_error) {
      const double value = results.read<double>(stage + "averages/" + name + "/value")[0];
      const double error = results.read<double>(stage + "averages/" + name + "/error")[0];
      EXPECT_LT(std::abs(value - exact), 4.5 * error)
          << name << ", " << keys << ": " << value << " +- " << error << ", exactly " << exact;
      EXPECT_LT(error, most_error * exact) << name << ", " << keys;
    };
    expect("magnetisation_squared", squared, 0.03);
    expect("structure_factor_x", modulated, 0.03);
    expect("correlation_length_x", length, 0.06);
    const std::vector<double> value = results.read<double>(stage + "axis-correlations/x/value");
    const std::vector<double> error = results.read<double>(stage + "axis-correlations/x/error");
    ASSERT_EQ(value.size(), 33U);
    for (const int r : {1, 2, 5, 12})
      EXPECT_LT(std::abs(value[static_cast<std::size_t>(r)] - correlation(r)),
                4.5 * error[static_cast<std::size_t>(r)])
          << r << ", " << keys;
  }
}

TEST_F(DiscreteMeasurements, MomentsOfAGraphAreTheEnumerated) {
  const io::ResultsReader results = results_of(
      "replicas=128\nseed=5\n",
      "[model]\nkind='potts'\n[potts]\nstates=3\n[lattice]\nsites=4\n[[exchange]]\nJ=1\n"
      "pairs=[[0,1],[1,2],[2,3],[3,0],[0,2]]\n[[stage]]\nkind='monte-carlo'\ntemperature=0.8\n"
      "thermalisation=100\nsweeps=2000\nmeasure_every=2\nmeasure=['magnetisation-moments']\n"
      "sampler='heat-bath'\n");
  SmallModel model;
  model.sites = 4;
  model.states = 3;
  model.ising = false;
  model.bonds = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}, {0, 2, 1}};
  double Z = 0, m2 = 0, m4 = 0;
  for (int n = 0; n < 81; ++n) {
    const std::vector<int> s{n % 3, n / 3 % 3, n / 9 % 3, n / 27};
    const double weight = std::exp(-energy_of(model, s) / 0.8), m = order_squared(model, s);
    Z += weight, m2 += weight * m, m4 += weight * m * m;
  }
  for (const auto& [name, exact] : {std::pair<std::string, double>{"magnetisation_squared", m2 / Z},
                                    {"magnetisation_fourth", m4 / Z}}) {
    const std::string at = "/stages/01-monte-carlo/averages/" + name;
    const double value = results.read<double>(at + "/value")[0];
    const double error = results.read<double>(at + "/error")[0];
    EXPECT_LT(std::abs(value - exact), 4.5 * error) << name;
    EXPECT_LT(error, 0.01 * exact) << name;
  }
}

}  // namespace
}  // namespace larmor::discrete_measurements_tests
