// Averages of phi^4 fields with errors below 2e-4, from very many replicas of few sites. The errors
// of single runs are compared with the scatter of many runs.
// Rooms: phi4

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/statistics/statistics.hpp"
#include "tests/named.hpp"
#include "tests/phi4_exact.hpp"

namespace larmor::phi4_exact_averages_tests {

using namespace larmor::testing_support;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The number of runs, and the number of replicas of each run.
constexpr Index runs = 41, replicas_of_run = 1600;

struct SmallCase {
  const char* name;
  RegularGrid grid;
  int components;
  double kappa, lambda;
  std::function<Expected()> exact;
  Sampler sampler;
  int samples;
};
void PrintTo(const SmallCase& c, std::ostream* out) { *out << c.name; }

/// One average with the values and errors of all runs.
struct Tested {
  const char* name;
  double exact;  ///< NaN: unknown
  double sum = 0, variance = 0, chi_squared = 0;

  void add(const Estimate& run) {
    sum += run.value;
    variance += run.error * run.error;
    chi_squared += std::pow((run.value - exact) / run.error, 2);
  }
  double mean() const { return sum / runs; }
  double sigma() const { return std::sqrt(variance) / runs; }
};

/// The series of action, bond, m^2, phi^2 and phi^4, [sample][replica].
std::array<std::vector<double>, 5> series_of_run(const SmallCase& c, Index run) {
  const auto count = static_cast<std::size_t>(replicas_of_run);
  FieldSystem system(c.grid, c.components, std::vector<double>(count, c.kappa),
                     std::vector<double>(count, c.lambda), Device::cpu(1), 29,
                     ReplicaShare(run * replicas_of_run, replicas_of_run, runs * replicas_of_run));
  for (int sweep = 0; sweep < 30; ++sweep) {
    system.sweep(c.sampler);
    if (sweep % 10 == 9) system.local.tune();
  }
  std::array<std::vector<double>, 5> series;
  for (int n = 0; n < c.samples; ++n) {
    system.sweep(c.sampler);
    for (const phi4::FieldMeans& of : system.means()) {
      double m2 = 0;
      for (const double m : of.magnetisation) m2 += m * m;
      const std::array<double, 5> values{of.action, of.bond, m2, of.phi2, of.phi4};
      for (std::size_t v = 0; v < values.size(); ++v) series[v].push_back(values[v]);
    }
  }
  return series;
}

class SmallFields : public testing::TestWithParam<SmallCase> {};

TEST_P(SmallFields, HaveExactAveragesAndTheErrorsThatTheyAreToldWith) {
  const SmallCase& c = GetParam();
  const Expected exact = c.exact();
  // Fields of length 1 have constant phi^2 and phi^4.
  const bool fixed = c.lambda == infinity;
  std::array<Tested, 5> all{{{"action", exact.action},
                             {"bond", exact.bond},
                             {"m2", exact.m2},
                             {"phi2", fixed ? std::nan("") : exact.phi2},
                             {"phi4", fixed ? std::nan("") : exact.phi4}}};
  std::vector<std::array<Estimate, 5>> of_run(static_cast<std::size_t>(runs));
  parallel_for(2, runs, [&](Index run) {
    const std::array<std::vector<double>, 5> series = series_of_run(c, run);
    for (std::size_t v = 0; v < all.size(); ++v)
      if (!std::isnan(all[v].exact))
        of_run[static_cast<std::size_t>(run)][v] = estimate_replicas(series[v], replicas_of_run);
  });
  for (const auto& run : of_run)
    for (std::size_t v = 0; v < all.size(); ++v) all[v].add(run[v]);
  for (const Tested& of : all) {
    if (std::isnan(of.exact)) continue;
    SCOPED_TRACE(of.name);
    EXPECT_LT(of.sigma(), 2e-4);
    EXPECT_LT(std::abs(of.mean() - of.exact), 4 * of.sigma()) << of.mean() << " for " << of.exact;
    // If errors are correct, chi^2 / 41 of the 41 runs is 1 +- 0.22. If errors are twice too large,
    // it is 0.25 +- 0.06. If errors are half of the true errors, it is 4 +- 0.9.
    const double ratio = of.chi_squared / static_cast<double>(runs);
    EXPECT_GT(ratio, 0.5);
    EXPECT_LT(ratio, 1.8);
  }
}

const RegularGrid open_three{{3}, {false}};
const RegularGrid ring_of_three{{3}, {true}};
const RegularGrid pair_of_sites{{2, 1}, {false, true}};
const RegularGrid one_site{{1}, {true}};

std::vector<SmallCase> small_cases() {
  std::vector<SmallCase> cases;
  const auto chain = [&](const char* name, int components, double kappa, Sampler sampler,
                         int samples) {
    cases.push_back({name, open_three, components, kappa, infinity,
                     [=] { return open_chain(components, kappa, 3); }, sampler, samples});
  };
  chain("ising_metropolis", 1, 0.3, Sampler::metropolis, 130);
  chain("ising_heat_bath", 1, 0.3, Sampler::heat_bath, 160);
  chain("ising_wolff", 1, 0.3, Sampler::wolff, 150);
  chain("xy_over_relaxed", 2, 0.5, Sampler::over_relaxed, 200);
  chain("heisenberg_heat_bath", 3, 0.7, Sampler::heat_bath, 100);
  chain("o4_metropolis", 4, 0.8, Sampler::metropolis, 150);
  chain("o4_swendsen_wang", 4, 0.4, Sampler::swendsen_wang, 500);
  chain("o8_wolff", 8, 0.6, Sampler::wolff, 150);
  // phi^4 scatters several times as much as all other averages, so only the case with a single site
  // tests it.
  const auto without_phi4 = [](Expected exact) {
    exact.phi4 = std::nan("");
    return exact;
  };
  cases.push_back({"gaussian_ring", ring_of_three, 1, 0.1, 0,
                   [=] { return without_phi4(gaussian(ring_of_three, 1, 0.1)); },
                   Sampler::heat_bath, 150});
  cases.push_back({"bond_of_two", pair_of_sites, 2, 0.3, 2,
                   [=] { return without_phi4(two_sites(2, 0.3, 2)); }, Sampler::swendsen_wang,
                   400});
  cases.push_back({"site_of_one", one_site, 1, 0, 0.7, [] { return single_site(1, 0.7); },
                   Sampler::metropolis, 1400});
  return cases;
}

/// The fastest cases (`short_ones`), or all other cases.
std::vector<SmallCase> cases_that_are(bool short_ones) {
  const std::vector<std::string> names{"ising_metropolis", "heisenberg_heat_bath"};
  std::vector<SmallCase> chosen;
  for (const SmallCase& c : small_cases())
    if ((std::ranges::find(names, c.name) != names.end()) == short_ones) chosen.push_back(c);
  return chosen;
}

INSTANTIATE_TEST_SUITE_P(Systems, SmallFields, testing::ValuesIn(cases_that_are(true)), by_name);
INSTANTIATE_TEST_SUITE_P(Depth, SmallFields, testing::ValuesIn(cases_that_are(false)), by_name);

}  // namespace larmor::phi4_exact_averages_tests
