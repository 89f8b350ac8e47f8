// Replicas with fixed energies exchange temperatures. Tests check the probability of one exchange
// and the stationary distribution.
// Rooms: tempering

#include "larmor/tempering/replica_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "larmor/core/error.hpp"

namespace {

using namespace larmor;
using namespace larmor::tempering;

/// The arrays of an ensemble on the CPU. No sampler changes the energies here.
struct Replicas {
  std::vector<double> energy, beta, tuned;
  std::vector<std::uint64_t> accepted;

  /// Makes `copies` ladders, all with equal energies.
  Replicas(const std::vector<double>& ladder, const std::vector<double>& energies, Index copies) {
    for (Index copy = 0; copy < copies; ++copy)
      for (std::size_t rung = 0; rung < ladder.size(); ++rung) {
        energy.push_back(energies[rung]);
        beta.push_back(1 / ladder[rung]);
        tuned.insert(tuned.end(), {10 * beta.back(), -beta.back()});
        accepted.push_back(100 + rung);
      }
  }

  ExchangeView view() { return {energy.data(), beta.data(), tuned.data(), 2, accepted.data()}; }
};

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<double> three_temperatures{0.6, 0.9, 1.7};
const std::vector<double> three_energies{-0.4, -1.1, 0.3};

/// A system of replicas that start at their own rungs and exchange them.
struct Exchanging {
  std::vector<double> ladder;
  Replicas replicas;
  ReplicaExchange exchange;

  Exchanging(const std::vector<double>& temperatures, const std::vector<double>& energies,
             Index copies, std::uint64_t seed = 5)
      : ladder(temperatures),
        replicas(ladder, energies, copies),
        exchange(std::ssize(ladder), std::ssize(ladder) * copies, seed, Device::cpu(1)) {}

  void propose(int parity, std::uint64_t step) { exchange.propose(parity, step, replicas.view()); }
  std::vector<double> rungs() const { return exchange.rungs().take(); }
};

TEST(ReplicaExchange, TwoReplicasDoSoAsOftenAsTheirEnergiesAsk) {
  const std::vector<double> ladder{0.5, 0.8};
  constexpr Index copies = 20000;
  for (const double rise : {-2.0, -0.5, 0.0, 0.5, 1.0, 2.0, 5.0}) {
    Exchanging system(ladder, {-1.0, -1.0 + rise}, copies);
    system.propose(0, 17);
    // The exponent is (beta_0 - beta_1)(E_0 - E_1).
    const double probability = std::min(1.0, std::exp((1 / 0.5 - 1 / 0.8) * -rise));
    const std::vector<double> accepted = system.exchange.acceptance().take();
    ASSERT_EQ(std::ssize(accepted), copies);
    const double mean = std::accumulate(accepted.begin(), accepted.end(), 0.0) / copies;
    EXPECT_NEAR(mean, probability, 4 * std::sqrt(probability * (1 - probability) / copies)) << rise;
  }
}

TEST(ReplicaExchange, EnergiesThatAreNotNumbersExchangeNothing) {
  Exchanging system({0.5, 0.8}, {std::numeric_limits<double>::quiet_NaN(), 0.1}, 100);
  system.propose(0, 3);
  EXPECT_EQ(system.exchange.acceptance().take(), std::vector<double>(100));
}

TEST(ReplicaExchange, TwoReplicasSpendTheirTimeAsBoltzmannSays) {
  const std::vector<double> ladder{0.5, 0.8};
  Exchanging system(ladder, {-1.0, -0.2}, 1);
  constexpr int steps = 200000;
  double swapped = 0, exchanges = 0;
  for (int step = 0; step < steps; ++step) {
    const double before = system.rungs()[0];
    system.propose(0, static_cast<std::uint64_t>(step));
    swapped += system.rungs()[0];
    exchanges += system.rungs()[0] != before ? 1 : 0;
  }
  const double weight = std::exp((1 / 0.5 - 1 / 0.8) * -0.8);  // swapped over first order
  const double exact = weight / (1 + weight);
  // The two-state Markov chain has the correlation -weight between successive steps.
  const double error = std::sqrt(exact * (1 - exact) / steps * (1 - weight) / (1 + weight));
  EXPECT_NEAR(swapped / steps, exact, 4 * error);
  EXPECT_EQ(system.exchange.acceptance().take(), std::vector<double>{exchanges / steps});
}

TEST(ReplicaExchange, ThreeReplicasAreAtTheirRungsAsOftenAsEnumerationSays) {
  constexpr Index copies = 30000;
  Exchanging system(three_temperatures, three_energies, copies);
  // All copies start in one order, which 60 steps let them forget.
  for (std::uint64_t step = 0; step < 60; ++step) system.propose(static_cast<int>(step % 2), step);
  std::vector<int> order{0, 1, 2};  // the rung of each replica
  std::vector<std::vector<int>> orders;
  std::vector<double> weights;
  do {
    double exponent = 0;
    for (std::size_t r = 0; r < 3; ++r)
      exponent -= three_energies[r] / three_temperatures[static_cast<std::size_t>(order[r])];
    orders.push_back(order);
    weights.push_back(std::exp(exponent));
  } while (std::next_permutation(order.begin(), order.end()));
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  const std::vector<double> rungs = system.rungs();
  for (std::size_t n = 0; n < orders.size(); ++n) {
    double count = 0;
    for (std::size_t copy = 0; copy < copies; ++copy)
      if (std::equal(orders[n].begin(), orders[n].end(),
                     rungs.begin() + static_cast<std::ptrdiff_t>(3 * copy)))
        ++count;
    const double exact = weights[n] / all;
    EXPECT_NEAR(count / copies, exact, 4 * std::sqrt(exact * (1 - exact) / copies)) << n;
  }
}

TEST(ReplicaExchange, EveryRungIsHeldOnceAndWhatBelongsToItGoesAlong) {
  const std::vector<double> ladder{0.5, 0.6, 0.8, 1.1, 1.5};
  Exchanging system(ladder, {0.2, -0.3, 0.1, 0.4, -0.2}, 7);
  for (std::uint64_t step = 0; step < 50; ++step) {
    system.propose(static_cast<int>(step % 2), step);
    const std::vector<double> rungs = system.rungs();
    const std::vector<double> kT = system.exchange.at_replicas(ladder);
    std::vector<int> held(35);
    for (std::size_t r = 0; r < 35; ++r) {
      const auto rung = static_cast<std::size_t>(rungs[r]);
      ++held[r / 5 * 5 + rung];
      EXPECT_EQ(kT[r], ladder[rung]);
      const double beta = 1 / ladder[rung];
      EXPECT_EQ(system.replicas.beta[r], beta);
      EXPECT_EQ(system.replicas.tuned[2 * r], 10 * beta);
      EXPECT_EQ(system.replicas.tuned[2 * r + 1], -beta);
      EXPECT_EQ(system.replicas.accepted[r], 100 + rung);
    }
    EXPECT_EQ(held, std::vector<int>(35, 1));
  }
}

TEST(ReplicaExchange, ParitySaysWhichRungsArePairs) {
  // If all energies are equal, every proposal is accepted.
  for (const std::size_t rungs : {4, 5}) {
    std::vector<double> ladder(rungs);
    std::iota(ladder.begin(), ladder.end(), 1.0);
    Exchanging system(ladder, std::vector<double>(rungs), 2);
    const std::vector<double> even =
        rungs == 4 ? std::vector<double>{1, 0, 3, 2} : std::vector<double>{1, 0, 3, 2, 4};
    const std::vector<double> then_odd =
        rungs == 4 ? std::vector<double>{2, 0, 3, 1} : std::vector<double>{2, 0, 4, 1, 3};
    const auto twice = [](std::vector<double> of_copy) {
      of_copy.insert(of_copy.end(), of_copy.begin(), of_copy.end());
      return of_copy;
    };
    system.propose(0, 0);
    EXPECT_EQ(system.rungs(), twice(even));
    system.propose(1, 0);
    EXPECT_EQ(system.rungs(), twice(then_odd));
    EXPECT_EQ(system.exchange.acceptance().take(), std::vector<double>(2 * (rungs - 1), 1.0));
    system.exchange.reset_counts();
    system.propose(1, 1);
    std::vector<double> of_copy(rungs - 1);
    for (std::size_t pair = 1; pair < of_copy.size(); pair += 2) of_copy[pair] = 1;
    EXPECT_EQ(system.exchange.acceptance().take(), twice(of_copy));
  }
  Exchanging two({1, 2}, {0, 0}, 3);
  two.propose(1, 0);
  EXPECT_EQ(two.rungs(), (std::vector<double>{0, 1, 0, 1, 0, 1}));
}

TEST(ReplicaExchange, CopiesAndPairsAndStepsDecideByThemselves) {
  // Each exchange has the probability 1/2.
  const double rise = std::log(2.0) / (1 / 0.5 - 1 / 1.0);
  constexpr Index copies = 20000;
  std::vector<std::vector<double>> decisions;
  for (const std::uint64_t step : {3, 4}) {
    Exchanging system({0.5, 1.0, 0.5, 1.0}, {0, rise, 0, rise}, copies);
    system.propose(0, step);
    decisions.push_back(system.exchange.acceptance().take());
  }
  const auto of = [&](std::size_t step, Index copy, Index pair) {
    return 2 * decisions[step][static_cast<std::size_t>(3 * (copy % copies) + pair)] - 1;
  };
  double copy = 0, pair = 0, step = 0;
  for (Index n = 0; n < copies; ++n) {
    copy += of(0, n, 0) * of(0, n + 1, 0);
    pair += of(0, n, 0) * of(0, n, 2);
    step += of(0, n, 0) * of(1, n, 0);
  }
  for (const double product : {copy, pair, step})
    EXPECT_NEAR(product / copies, 0, 4 / std::sqrt(static_cast<double>(copies)));
}

TEST(ReplicaExchange, ProcessesDecideAsOneThatHasAllCopies) {
  Exchanging whole(three_temperatures, three_energies, 8);
  Replicas half(three_temperatures, three_energies, 4);
  ReplicaExchange second(3, ReplicaShare(12, 12, 24), 5, Device::cpu(1));
  for (std::uint64_t step = 0; step < 20; ++step) {
    whole.propose(static_cast<int>(step % 2), step);
    second.propose(static_cast<int>(step % 2), step, half.view());
  }
  const std::vector<double> rungs = whole.rungs();
  EXPECT_EQ(second.rungs().take(), std::vector<double>(rungs.begin() + 12, rungs.end()));
}

TEST(ReplicaExchange, EqualAndInfiniteTemperatures) {
  Exchanging equal({0.7, 0.7}, {-3.0, 5.0}, 100);
  for (std::uint64_t step = 0; step < 10; ++step) equal.propose(0, step);
  EXPECT_EQ(equal.exchange.acceptance().take(), std::vector<double>(100, 1.0));
  EXPECT_EQ(equal.replicas.beta, std::vector<double>(200, 1 / 0.7));

  constexpr Index copies = 20000;
  Exchanging infinite({2.0, infinity}, {0.0, 1.0}, copies);
  infinite.propose(0, 0);
  const std::vector<double> accepted = infinite.exchange.acceptance().take();
  const double probability = std::exp(-0.5);
  EXPECT_NEAR(std::accumulate(accepted.begin(), accepted.end(), 0.0) / copies, probability,
              4 * std::sqrt(probability * (1 - probability) / copies));
  Exchanging both({infinity, infinity}, {0.0, 1.0}, 10);
  both.propose(0, 0);
  EXPECT_EQ(both.exchange.acceptance().take(), std::vector<double>(10, 1.0));
  EXPECT_EQ(both.replicas.beta, std::vector<double>(20, 0.0));
  // Near zero temperature no exchange raises the energy.
  Exchanging cold({1e-300, 1.0}, {0.0, 1.0}, 10);
  cold.propose(0, 0);
  EXPECT_EQ(cold.exchange.acceptance().take(), std::vector<double>(10, 0.0));
}

TEST(ReplicaExchange, GoesOnFromACheckpointToTheSameBits) {
  Exchanging whole(three_temperatures, three_energies, 5);
  ExchangeState state;
  Replicas kept = whole.replicas;
  for (std::uint64_t step = 0; step < 40; ++step) {
    if (step == 21) {
      state = whole.exchange.state();
      kept = whole.replicas;
    }
    whole.propose(static_cast<int>(step % 2), step);
  }
  Exchanging resumed(three_temperatures, three_energies, 5);
  resumed.exchange.set_state(state);
  resumed.replicas = kept;
  for (std::size_t r = 0; r < 15; ++r)
    EXPECT_EQ(1 / resumed.exchange.at_replicas(three_temperatures)[r], kept.beta[r]);
  for (std::uint64_t step = 21; step < 40; ++step)
    resumed.propose(static_cast<int>(step % 2), step);
  EXPECT_EQ(resumed.rungs(), whole.rungs());
  EXPECT_EQ(resumed.replicas.beta, whole.replicas.beta);
  EXPECT_EQ(resumed.replicas.tuned, whole.replicas.tuned);
  EXPECT_EQ(resumed.exchange.acceptance().take(), whole.exchange.acceptance().take());
  EXPECT_EQ(resumed.exchange.state().labels, whole.exchange.state().labels);
  EXPECT_EQ(resumed.exchange.counts().from_first, whole.exchange.counts().from_first);
  EXPECT_EQ(resumed.exchange.counts().from_last, whole.exchange.counts().from_last);
  EXPECT_EQ(resumed.exchange.counts().round_trips, whole.exchange.counts().round_trips);
}

TEST(ReplicaExchange, RefusesWhatIsNoLadder) {
  const Device cpu = Device::cpu(1);
  EXPECT_THROW(ReplicaExchange(1, 3, 1, cpu), InternalError);
  EXPECT_THROW(ReplicaExchange(2, 3, 1, cpu), InternalError);
  EXPECT_THROW(ReplicaExchange(2, ReplicaShare(1, 2, 4), 1, cpu), InternalError);
  const ExchangeState state = ReplicaExchange(3, 6, 1, cpu).state();
  ReplicaExchange two(2, 6, 1, cpu), three(3, 6, 1, cpu);
  EXPECT_THROW(two.set_state(state), InputError);
  for (const double wrong : {1.0, 3.0, -1.0, std::nan("")}) {
    ExchangeState changed = state;
    changed.rungs[0] = wrong;
    EXPECT_THROW(three.set_state(changed), InputError) << wrong;
  }
  EXPECT_THROW(three.set_state({}), InputError);
}

}  // namespace
