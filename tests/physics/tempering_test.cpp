// The stage `tempering`, compared with exact results at all rungs of a ladder. Distributions come
// from enumeration and closed forms, and averages from quadrature. The counts of replicas are also
// compared.
// Rooms: tempering, study

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "larmor/tempering/replica_exchange.hpp"
#include "study_test.hpp"
#include "tests/phi4_exact.hpp"

namespace larmor::tempering_tests {

using testing_support::sigmas_of_alpha;

/// Deviation of counts in cells from their expectation, in standard deviations. Cells with few
/// counts are merged.
class ChiSquare {
 public:
  void add(double count, double expected) {
    few_.first += count;
    few_.second += expected;
    if (few_.second < 10) return;
    close();
  }
  /// Ends one distribution. The cells so far must cover it.
  void end() {
    if (few_.second > 0) close();
    --freedom_;
  }
  double sigmas() const { return (sum_ - freedom_) / std::sqrt(2 * freedom_); }

 private:
  void close() {
    sum_ += std::pow(few_.first - few_.second, 2) / few_.second;
    ++freedom_;
    few_ = {};
  }

  std::pair<double, double> few_{};
  double sum_ = 0, freedom_ = 0;
};

class Tempering : public testing_support::StudyTest {
 protected:
  static constexpr const char* stage = "/stages/01-tempering/";

  struct Averages {
    std::vector<double> value, error;
  };
  static Averages averages(const io::ResultsReader& results, const std::string& name) {
    const std::string path = stage + ("averages/" + name);
    return {results.read<double>(path + "/value"), results.read<double>(path + "/error")};
  }
  /// The series of all samples, (sample, ladder, rung).
  static std::vector<double> series(const io::ResultsReader& results, const std::string& name) {
    return results.read<double>(stage + ("series/" + name) + "/value");
  }
  /// Compares averages at every rung.
  static void expect_averages(const io::ResultsReader& results, const std::string& name,
                              const std::vector<double>& exact, double coarsest) {
    const Averages measured = averages(results, name);
    ASSERT_EQ(measured.value.size(), exact.size());
    for (std::size_t rung = 0; rung < exact.size(); ++rung) {
      EXPECT_LT(std::abs(measured.value[rung] - exact[rung]),
                sigmas_of_alpha * measured.error[rung])
          << name << " at rung " << rung << ": " << measured.value[rung] << " +- "
          << measured.error[rung] << " against " << exact[rung];
      EXPECT_LT(measured.error[rung], coarsest) << name << ": too coarse to notice anything";
    }
  }
};

struct IsingRung {
  double T, h;
};
const std::vector<IsingRung> ising_temperatures{{1.2, 0}, {1.7, 0}, {2.2, 0}, {2.9, 0}, {4.0, 0}};
const std::vector<IsingRung> ising_fields{
    {2.4, -0.1}, {2.4, 0}, {2.4, 0.05}, {2.4, 0.15}, {2.4, 0.4}};
constexpr const char* keys_of_temperatures = "temperature=[1.2, 1.7, 2.2, 2.9, 4.0]\n";
constexpr const char* keys_of_fields = "temperature=2.4\nfield=[-0.1, 0, 0.05, 0.15, 0.4]\n";
constexpr const char* ising_tables =
    "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=1\n"
    "[[stage]]\nkind='tempering'\n";

/// Configurations of 4 x 4 Ising spins by energy and magnetisation.
std::map<std::pair<int, int>, double> states_of_ising() {
  std::map<std::pair<int, int>, double> states;
  for (unsigned n = 0; n < 1u << 16; ++n) {
    const auto spin = [&](int x, int y) { return n >> (4 * (y % 4) + x % 4) & 1 ? 1 : -1; };
    int energy = 0, moment = 0;
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) {
        energy -= spin(x, y) * (spin(x + 1, y) + spin(x, y + 1));
        moment += spin(x, y);
      }
    ++states[{energy, moment}];
  }
  return states;
}

/// The weight exp(-H / T) of a state, up to a constant.
double weight_of(const std::pair<int, int>& state, const IsingRung& at) {
  return std::exp(-(state.first + 32 - at.h * (state.second - 16)) / at.T);
}

class TemperingOfIsingSpins : public Tempering {
 protected:
  /// Compares distributions at each rung: by energy without the field, and by magnetisation.
  static void expect_distributions(const io::ResultsReader& results,
                                   const std::vector<IsingRung>& ladder) {
    const std::vector<double> energy = series(results, "energy"),
                              moment = series(results, "magnetisation");
    const auto states = states_of_ising();
    ChiSquare all;
    for (std::size_t rung = 0; rung < ladder.size(); ++rung) {
      std::map<std::pair<int, int>, double> counts;
      double samples = 0, weights = 0;
      for (std::size_t n = rung; n < energy.size(); n += ladder.size(), ++samples)
        ++counts[{static_cast<int>(std::lround(16 * (energy[n] + ladder[rung].h * moment[n]))),
                  static_cast<int>(std::lround(16 * moment[n]))}];
      for (const auto& [state, number] : states) weights += number * weight_of(state, ladder[rung]);
      for (const auto& [state, number] : states)
        all.add(counts[state], samples * number * weight_of(state, ladder[rung]) / weights);
      all.end();
    }
    EXPECT_LT(std::abs(all.sigmas()), sigmas_of_alpha);
  }

  static void expect_enumerated_averages(const io::ResultsReader& results,
                                         const std::vector<IsingRung>& ladder) {
    const auto states = states_of_ising();
    std::vector<double> e, heat, m, chi, binder, along;
    for (const IsingRung& at : ladder) {
      std::array<double, 7> sum{};
      for (const auto& [state, number] : states) {
        const double weight = number * weight_of(state, at);
        const double energy = (state.first - at.h * state.second) / 16.0,
                     order = std::abs(state.second) / 16.0;
        const std::array<double, 7> of_state{1,
                                             energy,
                                             energy * energy,
                                             order,
                                             order * order,
                                             std::pow(order, 4),
                                             state.second / 16.0};
        for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += weight * of_state[n];
      }
      for (std::size_t n = 1; n < sum.size(); ++n) sum[n] /= sum[0];
      e.push_back(sum[1]);
      heat.push_back(16 * (sum[2] - sum[1] * sum[1]) / (at.T * at.T));
      m.push_back(sum[3]);
      chi.push_back(16 * (sum[4] - sum[3] * sum[3]) / at.T);
      binder.push_back(1 - sum[5] / (3 * sum[4] * sum[4]));
      along.push_back(sum[6]);
    }
    expect_averages(results, "energy", e, 0.01);
    expect_averages(results, "specific_heat", heat, 0.03);
    expect_averages(results, "magnetisation", m, 0.01);
    expect_averages(results, "magnetisation_signed", along, 0.02);
    expect_averages(results, "susceptibility", chi, 0.03);
    expect_averages(results, "binder_cumulant", binder, 0.01);
  }
};

TEST_F(TemperingOfIsingSpins, HasTheDistributionsThatAreEnumeratedAtAllTemperatures) {
  expect_distributions(
      results_of("seed=5\nreplicas=20\n", std::string(ising_tables) + keys_of_temperatures +
                                              "sampler='glauber'\nexchange_every=1\n"
                                              "thermalisation=500\nsweeps=60000\n"
                                              "measure_every=50\n"),
      ising_temperatures);
}

TEST_F(TemperingOfIsingSpins, HasTheDistributionsThatAreEnumeratedAtAllFields) {
  expect_distributions(
      results_of("seed=5\nreplicas=20\n", std::string(ising_tables) + keys_of_fields +
                                              "sampler='glauber'\nexchange_every=1\n"
                                              "thermalisation=500\nsweeps=60000\n"
                                              "measure_every=50\n"),
      ising_fields);
}

TEST_F(TemperingOfIsingSpins, HasTheAveragesThatAreEnumeratedAtAllTemperatures) {
  for (const std::string sampler : {"metropolis", "swendsen-wang"})
    expect_enumerated_averages(
        results_of("seed=8\nreplicas=20\n",
                   std::string(ising_tables) + keys_of_temperatures + "sampler='" + sampler +
                       "'\nexchange_every=2\nthermalisation=500\nsweeps=20000\n"
                       "measure_every=2\n"),
        ising_temperatures);
}

TEST_F(TemperingOfIsingSpins, HasTheAveragesThatAreEnumeratedAtAllFields) {
  for (const std::string sampler : {"metropolis", "heat-bath"}) {
    const io::ResultsReader results =
        results_of("seed=8\nreplicas=20\n", std::string(ising_tables) + keys_of_fields +
                                                "sampler='" + sampler +
                                                "'\nexchange_every=2\nthermalisation=500\n"
                                                "sweeps=20000\nmeasure_every=2\n");
    expect_enumerated_averages(results, ising_fields);
    EXPECT_EQ(results.read<double>(std::string(stage) + "field"),
              (std::vector<double>{-0.1, 0, 0.05, 0.15, 0.4}));
  }
}

TEST_F(Tempering, PottsStatesHaveTheAveragesThatAreEnumeratedAtAllFields) {
  const std::vector<double> ladder{0.0, 0.3, 0.6, 0.9};
  constexpr double T = 0.8;
  const io::ResultsReader results =
      results_of("seed=3\nreplicas=16\n",
                 "[model]\nkind='potts'\n[potts]\nstates=3\n[lattice]\ntype='chain'\nsize=[6]\n"
                 "periodic=false\n[[exchange]]\nshell=1\nJ=1\n[[stage]]\nkind='tempering'\n"
                 "temperature=0.8\nfield={from=0.0, to=0.9, points=4}\nsampler='heat-bath'\n"
                 "exchange_every=1\nthermalisation=500\nsweeps=20000\nmeasure_every=2\n");
  std::vector<double> e, first;
  for (const double h : ladder) {
    double weights = 0, energies = 0, zeros = 0;
    for (int n = 0; n < 729; ++n) {
      int alike = 0, zero = 0;
      for (int site = 0, left = n, before = -1; site < 6; ++site, left /= 3) {
        alike += left % 3 == before ? 1 : 0;
        zero += left % 3 == 0 ? 1 : 0;
        before = left % 3;
      }
      const double energy = -alike - h * zero, weight = std::exp(-energy / T);
      weights += weight;
      energies += weight * energy / 6;
      zeros += weight * zero / 6;
    }
    e.push_back(energies / weights);
    first.push_back(std::sqrt(1.5) * (zeros / weights - 1.0 / 3));
  }
  expect_averages(results, "energy", e, 0.01);
  expect_averages(results, "magnetisation_x", first, 0.01);
}

TEST_F(Tempering, TwoSpinsHaveTheDistributionInClosedFormAtAllRungs) {
  const std::vector<double> ladder{0.1, 0.2, 0.4, 0.8, 1.6};
  const io::ResultsReader results = results_of(
      "seed=2\nreplicas=20\n",
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n"
      "[[stage]]\nkind='tempering'\ntemperature=[0.1, 0.2, 0.4, 0.8, 1.6]\nexchange_every=1\n"
      "thermalisation=1000\nsweeps=40000\nmeasure_every=20\n");
  const std::vector<double> energy = series(results, "energy");
  ChiSquare all;
  std::vector<double> e, heat;
  for (std::size_t rung = 0; rung < ladder.size(); ++rung) {
    // The cosine c has H = -c, so the weights in [-1, 1] are exp(c / T).
    const double beta = 1 / ladder[rung];
    const auto part_below = [&](double c) {
      return (std::exp(beta * (c - 1)) - std::exp(-2 * beta)) / (1 - std::exp(-2 * beta));
    };
    constexpr int cells = 40;
    std::array<double, cells> counts{};
    double samples = 0;
    for (std::size_t n = rung; n < energy.size(); n += ladder.size(), ++samples) {
      const double below = part_below(-2 * energy[n]);
      ++counts[static_cast<std::size_t>(std::clamp(below * cells, 0.0, cells - 1.0))];
    }
    for (const double count : counts) all.add(count, samples / cells);
    all.end();
    e.push_back(-0.5 * (1 / std::tanh(beta) - 1 / beta));
    heat.push_back(0.5 * (1 - std::pow(beta / std::sinh(beta), 2)));
  }
  EXPECT_LT(std::abs(all.sigmas()), sigmas_of_alpha);
  expect_averages(results, "energy", e, 0.01);
  expect_averages(results, "specific_heat", heat, 0.03);
}

/// Two spins with H = - e_1.e_2 - h (c_1 + c_2), where c is the cosine to the field. The azimuth is
/// integrated in closed form, and the cosines are integrated on a grid.
struct TwoSpinsInAField {
  static constexpr int points = 400;
  double energy = 0, along = 0;  ///< per spin
  std::vector<double> part;      ///< fraction of states in cells of the moment per spin, -1 to 1
  TwoSpinsInAField(double T, double h, int cells) : part(static_cast<std::size_t>(cells)) {
    double Z = 0;
    for (int i = 0; i < points; ++i)
      for (int j = 0; j < points; ++j) {
        const double c1 = (2 * i + 1.0) / points - 1, c2 = (2 * j + 1.0) / points - 1;
        const double s = std::sqrt((1 - c1 * c1) * (1 - c2 * c2));
        const double I0 = std::cyl_bessel_i(0, s / T), I1 = std::cyl_bessel_i(1, s / T);
        const double weight = I0 * std::exp((c1 * c2 + h * (c1 + c2)) / T), m = (c1 + c2) / 2;
        Z += weight;
        energy -= weight * (c1 * c2 + s * I1 / I0 + h * (c1 + c2)) / 2;
        along += weight * m;
        part[static_cast<std::size_t>((m + 1) / 2 * cells)] += weight;
      }
    energy /= Z;
    along /= Z;
    for (double& cell : part) cell /= Z;
  }
};

TEST_F(Tempering, TwoSpinsHaveTheDistributionByQuadratureAtAllFields) {
  constexpr double T = 0.5;
  constexpr int cells = 20;
  const std::vector<double> ladder{-0.2, 0.0, 0.3, 0.8};
  const io::ResultsReader results =
      results_of("seed=7\nreplicas=16\n",
                 "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n"
                 "[[stage]]\nkind='tempering'\ntemperature=0.5\nfield=[-0.2, 0.0, 0.3, 0.8]\n"
                 "direction=[1, 2, 2]\nexchange_every=1\nthermalisation=1000\nsweeps=40000\n"
                 "measure_every=20\n");
  const std::vector<double> moment = series(results, "magnetisation");
  ChiSquare all;
  std::vector<double> e, x, z;
  for (std::size_t rung = 0; rung < ladder.size(); ++rung) {
    const TwoSpinsInAField exact(T, ladder[rung], cells);
    std::array<double, cells> counts{};
    double samples = 0;
    for (std::size_t n = 3 * rung; n < moment.size(); n += 3 * ladder.size(), ++samples) {
      const double along = (moment[n] + 2 * moment[n + 1] + 2 * moment[n + 2]) / 3;
      ++counts[static_cast<std::size_t>(std::clamp((along + 1) / 2 * cells, 0.0, cells - 1.0))];
    }
    for (std::size_t n = 0; n < cells; ++n) all.add(counts[n], samples * exact.part[n]);
    all.end();
    e.push_back(exact.energy);
    x.push_back(exact.along / 3);
    z.push_back(exact.along * 2 / 3);
  }
  EXPECT_LT(std::abs(all.sigmas()), sigmas_of_alpha);
  expect_averages(results, "energy", e, 0.01);
  expect_averages(results, "magnetisation_x", x, 0.02);
  expect_averages(results, "magnetisation_z", z, 0.02);
}

TEST_F(Tempering, EveryRungHasTheConesOfItsTemperature) {
  const io::ResultsReader results =
      results_of("seed=4\nreplicas=24\n",
                 "[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n"
                 "[[stage]]\nkind='tempering'\ntemperature=[0.1, 0.17, 0.29]\nexchange_every=1\n"
                 "thermalisation=2000\nsweeps=4000\n");
  const Averages acceptance = averages(results, "acceptance"),
                 cone = averages(results, "cone_angle");
  for (std::size_t rung = 0; rung < 3; ++rung) EXPECT_NEAR(acceptance.value[rung], 0.5, 0.05);
  for (std::size_t rung = 1; rung < 3; ++rung)
    EXPECT_GT(cone.value[rung], 1.1 * cone.value[rung - 1]);
}

TEST_F(Tempering, FieldsHaveTheAveragesByQuadratureAtAllCouplings) {
  const std::vector<double> ladder{0.05, 0.2, 0.45, 0.7};
  const io::ResultsReader results =
      results_of("seed=6\nreplicas=16\n",
                 "[model]\nkind='phi4'\n[lattice]\nsize=[2]\nperiodic=false\n[phi4]\ncomponents=2\n"
                 "kappa=[0.05, 0.2, 0.45, 0.7]\nlambda=0.3\n[[stage]]\nkind='tempering'\n"
                 "exchange_every=1\nthermalisation=1000\nsweeps=40000\nmeasure_every=4\n");
  std::vector<double> action, bond, m2;
  for (const double kappa : ladder) {
    const testing_support::Expected exact = testing_support::two_sites(2, kappa, 0.3);
    action.push_back(exact.action);
    bond.push_back(exact.bond);
    m2.push_back(exact.m2);
  }
  expect_averages(results, "action", action, 0.02);
  expect_averages(results, "bond", bond, 0.02);
  expect_averages(results, "m2", m2, 0.02);
}

TEST_F(Tempering, TunedLaddersExchangeAllPairsAlike) {
  for (const std::string spacing : {"constant-acceptance", "flow"}) {
    const io::ResultsReader results = results_of(
        "seed=9\nreplicas=32\n",
        "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[12,12]\n[[exchange]]\nshell=1\n"
        "J=1\n[[stage]]\nkind='tempering'\nsampler='glauber'\nexchange_every=1\n"
        "temperature={from=1.6,to=4.0,points=8,spacing='" +
            spacing + "'}\nthermalisation=6000\nsweeps=6000\nmeasure_every=1\n");
    const auto accepted = results.read<double>(std::string(stage) + "ladder/acceptance");
    const auto [low, high] = std::minmax_element(accepted.begin(), accepted.end());
    // Spacing by flow puts rungs at temperatures where replicas move slowly, which raises the
    // exchange rate there.
    EXPECT_GT(*low, (spacing == "flow" ? 0.2 : 0.85) * *high) << spacing;
    const auto ladder = results.read<double>(std::string(stage) + "temperature");
    EXPECT_EQ(ladder.front(), 1.6);
    EXPECT_EQ(ladder.back(), 4.0);
    EXPECT_TRUE(std::is_sorted(ladder.begin(), ladder.end()));
    double round_trips = 0;
    for (const double n : results.read<double>(std::string(stage) + "ladder/round_trips"))
      round_trips += n;
    EXPECT_GT(round_trips, 100);
  }
}

TEST(Walkers, AreCountedByTheEndTheyVisitedLast) {
  for (const std::size_t rungs : {2, 4, 5}) {
    constexpr std::size_t ladders = 3;
    const std::size_t replicas = ladders * rungs;
    std::vector<double> energy, beta;
    for (std::size_t r = 0; r < replicas; ++r) {
      energy.push_back(static_cast<double>(r % rungs));
      beta.push_back(1 / (1.0 + static_cast<double>(r % rungs)));
    }
    tempering::ReplicaExchange exchange(static_cast<Index>(rungs), static_cast<Index>(replicas), 5,
                                        Device::cpu(1));
    // The expected counts come from the rungs of the replicas after every proposal.
    std::vector<int> label(replicas);
    std::vector<double> from_first(replicas), from_last(replicas), round_trips(replicas);
    for (std::uint64_t step = 0; step < 400; ++step) {
      if (step == 100) {
        exchange.reset_counts();
        for (auto* const count : {&from_first, &from_last, &round_trips})
          count->assign(replicas, 0);
      }
      exchange.propose(static_cast<int>(step % 2), step, {energy.data(), beta.data()});
      const std::vector<double> at = exchange.rungs().take();
      for (std::size_t r = 0; r < replicas; ++r) {
        const auto rung = static_cast<std::size_t>(at[r]);
        if (rung == 0 && label[r] == 2) ++round_trips[r];
        if (rung == 0) label[r] = 1;
        if (rung == rungs - 1) label[r] = 2;
        if (label[r] == 1) ++from_first[r / rungs * rungs + rung];
        if (label[r] == 2) ++from_last[r / rungs * rungs + rung];
      }
    }
    const tempering::ExchangeCounts counts = exchange.counts();
    EXPECT_EQ(counts.from_first, from_first);
    EXPECT_EQ(counts.from_last, from_last);
    EXPECT_EQ(counts.round_trips, round_trips);
    EXPECT_GT(std::accumulate(round_trips.begin(), round_trips.end(), 0.0), 5);
    EXPECT_EQ(counts.proposed, (std::array<Index, 2>{150, 150}));
  }
}

}  // namespace larmor::tempering_tests
