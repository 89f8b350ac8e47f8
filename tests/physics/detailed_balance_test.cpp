// Detailed balance for three interacting spins. The spins are drawn exactly from the Boltzmann
// distribution by rejection. A single move must carry equal flux from A to B and back, and a sweep
// must keep the distribution. Chi-square tests have alpha = 1e-4.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "larmor/spins/samplers/update_kernels.hpp"
#include "test_system.hpp"

namespace larmor::detailed_balance_tests {

using namespace larmor::spins;
using testing_support::TestSystem;

constexpr Index replicas = 20000;
constexpr double temperature = 1.5;  // high enough for fast rejection
constexpr const char* three_spins =
    "[lattice]\ntype='chain'\nsize=[3]\nperiodic=false\nmoment=[1.3]\n"
    "[[exchange]]\nshell=1\nJ=0.7\n"
    "[[exchange]]\nshell=2\nJ=-0.4\n"
    "[[dmi]]\noffset=[[1,0,0]]\nD=[0.2,0.5,-0.3]\n"
    "[[anisotropy]]\nK=0.6\naxis=[1,0,1]\n"
    "[field]\nB=[0.1,0.2,0.3]\n";

/// Upper quantile of chi-square at 1e-4 (Wilson and Hilferty, PNAS 17 (1931) 684).
double chi_square_limit(double degrees) {
  const double a = 2 / (9 * degrees);
  return degrees * std::pow(1 - a + 3.719 * std::sqrt(a), 3);
}

/// Fills every replica with an independent exact sample, by another generator of random numbers
/// than the tested one.
void draw_equilibrium(TestSystem& system, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 1);
  // An upper bound of |E| from all couplings. Rejection from the uniform distribution needs it.
  const double bound =
      0.7 * 2 + 0.4 + 2 * std::sqrt(0.04 + 0.25 + 0.09) + 3 * 1.3 * std::sqrt(0.14) + 3 * 0.6;
  TestSystem trial(three_spins, replicas);
  std::vector<std::vector<Vec3<double>>> kept;
  while (static_cast<Index>(kept.size()) < replicas) {
    std::vector<double> host(static_cast<std::size_t>(trial.state.layout().numbers()));
    const VectorView view(host.data(), trial.state.layout());
    for (Index r = 0; r < trial.state.layout().padded_replicas(); ++r) {
      for (Index s = 0; s < 3; ++s) {
        const Vec3<double> e{normal(generator), normal(generator), normal(generator)};
        view.store(ScalarSlot<>{s, r}, (1 / std::sqrt(dot(e, e))) * e);
      }
    }
    trial.state.load(host);
    const std::vector<double> energy = energy_per_site(trial.model, trial.state);
    for (Index r = 0; r < replicas && static_cast<Index>(kept.size()) < replicas; ++r)
      if (uniform(generator) <
          std::exp(-(3 * energy[static_cast<std::size_t>(r)] + bound) / temperature))
        kept.push_back(trial.state.configuration(r));
  }
  std::vector<double> host = system.state.save();
  const VectorView view(host.data(), system.state.layout());
  for (Index r = 0; r < replicas; ++r)
    for (Index position = 0; position < 3; ++position)
      view.store(ScalarSlot<>{position, r},
                 kept[static_cast<std::size_t>(r)][static_cast<std::size_t>(
                     system.model.canonical()[static_cast<std::size_t>(position)])]);
  system.state.load(host);
}

int octant(const Vec3<double>& e) { return (e.x > 0) + 2 * (e.y > 0) + 4 * (e.z > 0); }

std::vector<int> octants(const TestSystem& system, Index position) {
  std::vector<int> result;
  const StridedVectors spins = system.state.vectors();
  for (Index r = 0; r < replicas; ++r) result.push_back(octant(spins.load(r, position)));
  return result;
}

struct NamedUpdate {
  const char* name;
  Update update;
  double cone;

  friend void PrintTo(const NamedUpdate& tested, std::ostream* out) { *out << tested.name; }
};

class Balance : public testing::TestWithParam<NamedUpdate> {
 protected:
  static void SetUpTestSuite() {
    equilibrium_ = std::make_unique<TestSystem>(three_spins, replicas);
    draw_equilibrium(*equilibrium_, 1);
    reference_ = std::make_unique<TestSystem>(three_spins, replicas);
    draw_equilibrium(*reference_, 2);
  }
  static void TearDownTestSuite() {
    equilibrium_.reset();
    reference_.reset();
  }

  /// Updates some storage positions of every replica once.
  void update(TestSystem& system, const SiteRanges& sites, std::uint64_t step) const {
    const auto padded = static_cast<std::size_t>(system.state.layout().padded_replicas());
    const Array<double> beta(system.device, std::vector<double>(padded, 1 / temperature));
    const Array<double> cone(system.device, std::vector<double>(padded, GetParam().cone));
    SweepView sweep;
    sweep.model = system.model.view(replicas);
    sweep.spins = system.state.reals();
    sweep.beta = beta.data();
    sweep.cone = cone.data();
    sweep.key = {17, step, Stream::metropolis};
    Array<std::uint64_t> accepted(system.device, static_cast<Index>(padded));
    update_kernels(system.device)
        .update(GetParam().update, system.device, sweep, {sites, 0, system.state.layout().blocks()},
                accepted.data());
  }

  static std::unique_ptr<TestSystem> equilibrium_, reference_;
};
std::unique_ptr<TestSystem> Balance::equilibrium_, Balance::reference_;

TEST_P(Balance, ASingleMoveCarriesEqualFluxBothWays) {
  for (Index position = 0; position < 3; ++position) {
    TestSystem system(three_spins, replicas);
    system.state.load(equilibrium_->state.save());
    const std::vector<int> before = octants(system, position);
    const SiteRange alone{position, position + 1};
    update(system, {&alone, 1}, static_cast<std::uint64_t>(position));
    const std::vector<int> after = octants(system, position);
    double flux[8][8] = {};
    for (std::size_t r = 0; r < before.size(); ++r) ++flux[before[r]][after[r]];
    double chi_square = 0, degrees = 0, moved = 0;
    for (int a = 0; a < 8; ++a) {
      for (int b = a + 1; b < 8; ++b) {
        const double both = flux[a][b] + flux[b][a];
        moved += both;
        if (both < 10) continue;
        chi_square += (flux[a][b] - flux[b][a]) * (flux[a][b] - flux[b][a]) / both;
        ++degrees;
      }
    }
    EXPECT_GT(moved, 500) << "nothing moves, nothing is tested";
    EXPECT_LT(chi_square, chi_square_limit(degrees)) << "spin " << position;
  }
}

TEST_P(Balance, SweepsLeaveTheDistributionUnchanged) {
  TestSystem system(three_spins, replicas);
  system.state.load(equilibrium_->state.save());
  for (std::uint64_t sweep = 0; sweep < 20; ++sweep)
    for (const std::vector<SiteRange>& colour : system.model.colours())
      update(system, {colour.data(), std::ssize(colour)}, 100 + sweep);
  // A test of two samples: the updated spins and independent exact ones, over the octants of two
  // spins.
  double now[3][64] = {}, exact[3][64] = {};
  for (int pair = 0; pair < 3; ++pair) {
    const auto a = octants(system, pair), b = octants(system, (pair + 1) % 3);
    const auto c = octants(*reference_, pair), d = octants(*reference_, (pair + 1) % 3);
    for (std::size_t r = 0; r < a.size(); ++r) {
      ++now[pair][8 * a[r] + b[r]];
      ++exact[pair][8 * c[r] + d[r]];
    }
    double chi_square = 0;
    for (int bin = 0; bin < 64; ++bin) {
      const double sum = now[pair][bin] + exact[pair][bin];
      ASSERT_GT(sum, 10);
      chi_square += (now[pair][bin] - exact[pair][bin]) * (now[pair][bin] - exact[pair][bin]) / sum;
    }
    EXPECT_LT(chi_square, chi_square_limit(63)) << "pair " << pair;
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, Balance,
                         testing::Values(NamedUpdate{"metropolis_uniform", Update::metropolis, 2.0},
                                         NamedUpdate{"metropolis_cone", Update::metropolis, 0.7},
                                         NamedUpdate{"heat_bath", Update::heat_bath, 2.0},
                                         NamedUpdate{"over_relaxation", Update::over_relaxation,
                                                     2.0}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace larmor::detailed_balance_tests
