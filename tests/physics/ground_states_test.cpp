// Ground states of Ising and QUBO problems, compared with the enumeration of all states.
// Rooms: ground_states

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/ground_states/enumeration.hpp"
#include "larmor/ground_states/isoenergetic.hpp"
#include "larmor/ground_states/ladder_search.hpp"
#include "larmor/ground_states/search.hpp"
#include "larmor/ground_states/time_to_solution.hpp"
#include "tests/named.hpp"
#include "tests/physics/ground_states_support.hpp"

namespace larmor::ground_states_tests {

using namespace larmor::ground_states;
using ground_states_support::Draws;
using ground_states_support::plain_value;

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Kind {
  Variables variables;
  bool whole, fields;
  double couplings;  ///< fraction of the pairs with a coupling
};

QuadraticProblem drawn(const Kind& kind, Index size, std::uint64_t seed) {
  Draws draws(seed);
  const auto number = [&] { return kind.whole ? draws.whole(3) : draws.uniform() - 0.5; };
  QuadraticProblem problem;
  problem.variables = kind.variables;
  problem.offset = number();
  for (Index i = 0; i < size; ++i) problem.linear.push_back(kind.fields ? number() : 0);
  for (std::int32_t i = 0; i < size; ++i)
    for (std::int32_t j = i + 1; j < size; ++j)
      if (draws.uniform() < kind.couplings) problem.couplings.push_back({i, j, number()});
  return problem;
}

State state_of(std::uint64_t bits, Index size) {
  State state;
  for (Index i = 0; i < size; ++i) state.push_back(((bits >> i) & 1U) != 0 ? 1 : -1);
  return state;
}

/// The number of states for each H. Real values of H are rounded to 9 digits.
std::map<double, Index> spectrum(const QuadraticProblem& problem) {
  std::map<double, Index> levels;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << problem.linear.size()); ++bits) {
    const double value = plain_value(problem, state_of(bits, problem.size()));
    ++levels[std::nearbyint(value * 1e9) / 1e9];
  }
  return levels;
}

bool never_ends(double) { return true; }

class ProblemOfKind : public testing::TestWithParam<testing_support::Named<Kind>> {};

TEST_P(ProblemOfKind, EnumerationFindsWhatAllStatesOneByOneSay) {
  for (const Index size : {1, 2, 5, 10, 11, 12, 15}) {
    const QuadraticProblem problem =
        drawn(GetParam().value, size, static_cast<std::uint64_t>(size));
    const std::map<double, Index> levels = spectrum(problem);
    const auto found = enumerate(problem, Device::cpu(2), never_ends);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->value, levels.begin()->first, 1e-8) << size;
    EXPECT_EQ(found->degeneracy, NaturalNumber(levels.begin()->second)) << size;
    EXPECT_NEAR(plain_value(problem, found->state), found->value, 1e-12) << size;
    if (levels.size() == 1)
      EXPECT_EQ(found->gap, infinite) << size;
    else
      EXPECT_NEAR(found->gap, std::next(levels.begin())->first - found->value, 1e-8) << size;
  }
}

TEST_P(ProblemOfKind, SpinFormHasTheValueOfEveryState) {
  const QuadraticProblem problem = drawn(GetParam().value, 9, 77);
  const SpinForm form = spin_form(problem);
  EXPECT_EQ(form.whole, GetParam().value.whole);
  for (std::uint64_t bits = 0; bits < 512; ++bits) {
    const State state = state_of(bits, 9);
    const double value = form.value(energy_of(form, state));
    if (form.whole)
      EXPECT_EQ(value, plain_value(problem, state));
    else
      EXPECT_NEAR(value, plain_value(problem, state), 1e-14);
    EXPECT_NEAR(form.energy(value), energy_of(form, state), 1e-12);
  }
}

TEST_P(ProblemOfKind, EverySearchFindsTheGroundState) {
  const QuadraticProblem problem = drawn(GetParam().value, 20, 5);
  const double ground = enumerate(problem, Device::cpu(2), never_ends)->value;
  for (const SearchMethod method : {SearchMethod::tempering, SearchMethod::annealing}) {
    SearchSettings settings;
    settings.method = method;
    settings.repeats = 8;
    settings.sweeps = 400;
    const SearchResult result =
        search(problem, settings, [](const SearchProgress&) { return true; });
    EXPECT_NEAR(result.best.value, ground, 1e-12);
    EXPECT_NEAR(plain_value(problem, result.best.state), ground, 1e-12);
    ASSERT_EQ(result.repeats.count(), 8);
    for (const Repeat& repeat : result.repeats.each()) EXPECT_GE(repeat.value, ground - 1e-12);
  }
}

TEST_P(ProblemOfKind, ThreadsChangeNoBitOfASearch) {
  const QuadraticProblem problem = drawn(GetParam().value, 40, 6);
  SearchSettings settings;
  settings.sweeps = 64;
  const auto run = [&](int threads, Index repeats) {
    settings.threads = threads;
    settings.repeats = repeats;
    return search(problem, settings, [](const SearchProgress&) { return true; });
  };
  // Four threads share the rungs of three repeats.
  const SearchResult alone = run(1, 3);
  for (const int threads : {2, 4}) {
    const SearchResult shared = run(threads, 3);
    EXPECT_EQ(shared.temperatures, alone.temperatures);
    EXPECT_EQ(shared.exchange_rate, alone.exchange_rate);
    EXPECT_EQ(shared.best.state, alone.best.state);
    ASSERT_EQ(shared.repeats.count(), 3);
    for (std::size_t n = 0; n < 3; ++n) {
      EXPECT_EQ(shared.repeats.each()[n].value, alone.repeats.each()[n].value);
      EXPECT_EQ(shared.repeats.each()[n].found_at, alone.repeats.each()[n].found_at);
    }
  }
}

/// Tests the mean energies of every rung. Deviations from the exact energies are in units of the
/// scatter of independent ladders.
/// @param exact exact(T) is the mean of E at a temperature T
template <class Number, class Exact>
void expect_averages(const SpinForm& form, const std::vector<double>& temperatures, bool with_pairs,
                     const Exact& exact) {
  const Arrangement<Number> arrangement(form);
  constexpr Index ladders = 40;
  std::vector<double> sum(temperatures.size()), squares(temperatures.size());
  for (Index n = 0; n < ladders; ++n) {
    LadderSearch<Number> ladder(form, arrangement, temperatures, with_pairs, 11, n, 0);
    ladder.advance(500, -infinite, 1);
    ladder.reset_counts();
    ladder.advance(5000, -infinite, 1);
    const auto energies = ladder.energies();
    for (std::size_t rung = 0; rung < temperatures.size(); ++rung) {
      sum[rung] += energies[rung].mean;
      squares[rung] += energies[rung].mean * energies[rung].mean;
    }
  }
  for (std::size_t rung = 0; rung < temperatures.size(); ++rung) {
    const double unit = temperatures.front(), mean = sum[rung] / ladders;
    const double error = std::sqrt((squares[rung] / ladders - mean * mean) / (ladders - 1));
    EXPECT_LT(std::abs(mean - exact(temperatures[rung])), 4.5 * error + 1e-5 * unit)
        << "rung " << rung;
    EXPECT_LT(error, 0.08 * unit) << "rung " << rung;
  }
}

template <class Number>
void expect_boltzmann_averages(const QuadraticProblem& problem, bool with_pairs) {
  const SpinForm form = spin_form(problem);
  const double unit = bound_of(form) / static_cast<double>(4 * form.size());
  expect_averages<Number>(
      form, {unit / 2, unit, 2 * unit, 4 * unit}, with_pairs, [&](double temperature) {
        double weights = 0, weighted = 0;
        for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << problem.linear.size()); ++bits) {
          const double energy = energy_of(form, state_of(bits, problem.size()));
          const double weight = std::exp(-energy / temperature);
          weights += weight;
          weighted += weight * energy;
        }
        return weighted / weights;
      });
}

TEST_P(ProblemOfKind, EveryRungHasTheBoltzmannAverageOfTheEnergy) {
  const QuadraticProblem problem = drawn(GetParam().value, 12, 8);
  for (const bool with_pairs : {false, true}) {
    if (with_pairs && GetParam().value.couplings < 0.5) continue;  // Rows are sparse.
    if (GetParam().value.whole)
      expect_boltzmann_averages<float>(problem, with_pairs);
    else
      expect_boltzmann_averages<double>(problem, with_pairs);
  }
}

/// The logarithm of the partition function Z of a ring in fields, by its transfer matrix.
double logarithm_of_sum(const QuadraticProblem& ring, double beta) {
  double product[2][2]{{1, 0}, {0, 1}};
  for (std::size_t i = 0; i < ring.linear.size(); ++i) {
    double next[2][2]{};
    for (int first = 0; first < 2; ++first)
      for (int here = 0; here < 2; ++here)
        for (int there = 0; there < 2; ++there) {
          const double s = 2 * here - 1, t = 2 * there - 1;
          next[first][there] +=
              product[first][here] *
              std::exp(-beta * (ring.linear[i] * s + ring.couplings[i].value * s * t));
        }
    std::copy(&next[0][0], &next[0][0] + 4, &product[0][0]);
  }
  return std::log(product[0][0] + product[1][1]);
}

// The couplings are few, so that cluster moves exchange clusters between two copies.
TEST(Problems, EveryRungOfARingHasTheAverageOfItsTransferMatrix) {
  for (const bool fields : {false, true}) {
    QuadraticProblem ring;
    Draws draws(21);
    for (std::int32_t i = 0; i < 40; ++i) {
      ring.linear.push_back(fields ? draws.uniform() - 0.5 : 0);
      ring.couplings.push_back({i, (i + 1) % 40, 2 * draws.uniform() - 1});
    }
    const SpinForm form = spin_form(ring);
    ASSERT_TRUE(has_small_clusters(Arrangement<double>(form)));
    expect_averages<double>(form, {0.2, 0.4, 0.8, 1.6}, false, [&](double temperature) {
      // Temperatures are in units of E, which is H times this factor.
      const double unit = form.divisor / form.factor, beta = unit / temperature, step = 1e-4;
      const double slope =
          logarithm_of_sum(ring, beta + step) - logarithm_of_sum(ring, beta - step);
      return -slope / (2 * step) * unit;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(
    problems, ProblemOfKind,
    testing::Values(testing_support::Named<Kind>{"whole_spins",
                                                 {Variables::spins, true, true, 0.5}},
                    testing_support::Named<Kind>{"whole_spins_without_fields",
                                                 {Variables::spins, true, false, 0.2}},
                    testing_support::Named<Kind>{"real_spins", {Variables::spins, false, true, 1}},
                    testing_support::Named<Kind>{"real_spins_without_fields",
                                                 {Variables::spins, false, false, 0.1}},
                    testing_support::Named<Kind>{"whole_bits", {Variables::bits, true, true, 1}},
                    testing_support::Named<Kind>{"real_bits", {Variables::bits, false, true, 0.2}}),
    testing_support::by_name);

TEST(Problems, DecimalsAreWholeNumbersOfAUnit) {
  QuadraticProblem problem;
  problem.linear = {0.1, -0.35, 0};
  problem.couplings = {{0, 1, 0.3}, {1, 2, -12.25}};
  problem.offset = 0.7;
  const SpinForm form = spin_form(problem);
  EXPECT_TRUE(form.whole);
  EXPECT_TRUE(fits_float(form));
  EXPECT_EQ(form.field, (std::vector<double>{2, -7, 0}));
  EXPECT_EQ(form.couplings, (std::vector<Coupling>{{0, 1, 6}, {1, 2, -245}}));
  // The sum is 0.7 - 0.1 - 0.35 - 0.3 - 12.25. No sum of doubles gives it exactly.
  EXPECT_EQ(form.value(energy_of(form, {-1, 1, 1})), -12.3);
  problem.linear[2] = 0.1 + 0.2;
  EXPECT_FALSE(spin_form(problem).whole);
}

TEST(Problems, NumbersTooLargeForFloatAreNotPutIntoIt) {
  QuadraticProblem problem;
  problem.linear = {0, 1};
  problem.couplings = {{0, 1, 8388607}};
  EXPECT_FALSE(fits_float(spin_form(problem)));
  problem.couplings = {{0, 1, 8388606}};
  EXPECT_TRUE(fits_float(spin_form(problem)));
}

TEST(Problems, AFerromagnetInAFieldHasOneGroundState) {
  QuadraticProblem problem;
  problem.linear.assign(16, 0.25);
  for (std::int32_t i = 0; i < 16; ++i) problem.couplings.push_back({i, (i + 1) % 16, -1});
  const auto found = enumerate(problem, Device::cpu(1), never_ends);
  EXPECT_EQ(found->value, -20);
  EXPECT_EQ(found->degeneracy, NaturalNumber(1));
  EXPECT_EQ(found->gap, 4.5);
  EXPECT_EQ(found->state, State(16, -1));
}

TEST(Problems, EnumerationEndsWhenTold) {
  const QuadraticProblem problem = drawn({Variables::spins, true, true, 0.5}, 14, 3);
  EXPECT_FALSE(enumerate(problem, Device::cpu(1), [](double) { return false; }).has_value());
  QuadraticProblem large;
  large.linear.assign(41, 1);
  EXPECT_THROW(enumerate(large, Device::cpu(1), never_ends), InputError);
}

TEST(Problems, ASearchThatIsEndedAtOnceTellsWhatItHas) {
  const QuadraticProblem problem = drawn({Variables::spins, true, true, 0.5}, 30, 3);
  for (const SearchMethod method : {SearchMethod::tempering, SearchMethod::annealing}) {
    SearchSettings settings;
    settings.method = method;
    settings.repeats = 3;
    const SearchResult result =
        search(problem, settings, [](const SearchProgress&) { return false; });
    EXPECT_EQ(result.best.value, plain_value(problem, result.best.state));
    // The callback asks for a stop at once. Ladders stop while their temperatures are tuned, and
    // annealings stop when all repeats are done.
    const bool tempers = method == SearchMethod::tempering;
    EXPECT_EQ(result.repeats.count(), tempers ? 0 : 3);
    EXPECT_EQ(result.has_swept, !tempers);
  }
}

TEST(Problems, AnEndIsHeededWithinARepeat) {
  const QuadraticProblem problem = drawn({Variables::spins, false, true, 0.5}, 30, 3);
  for (const SearchMethod method : {SearchMethod::tempering, SearchMethod::annealing}) {
    SearchSettings settings;
    settings.method = method;
    settings.repeats = 2;
    settings.sweeps = Index{1} << 38;
    settings.threads = 2;
    std::atomic<int> signal = 0;
    const SearchEnd end(infinite, &signal);
    const SearchResult result = search(
        problem, settings,
        [&](const SearchProgress& progress) {
          if (progress.stage != std::string("temperatures")) signal = 15;
          return true;
        },
        end);
    EXPECT_TRUE(result.has_swept);
    EXPECT_EQ(result.repeats.count(), 0);
    EXPECT_EQ(result.unfinished, 2);
    EXPECT_NEAR(result.best.value, plain_value(problem, result.best.state), 1e-12);
    EXPECT_EQ(result.repeats.outcome(result.best.value, 1).sweeps.value, infinite);
  }
}

TEST(Problems, TheRecordOfManyRepeatsSaysWhatTheListOfThemSays) {
  const SpinForm form = spin_form(drawn({Variables::spins, true, true, 0.5}, 10, 3));
  for (const std::optional<double> target : {std::optional<double>{}, std::optional<double>{-5}}) {
    RepeatRecord many(form, target);
    std::vector<double> sweeps, seconds;
    Draws draws(7);
    Index found = 0;
    const Index repeats = RepeatRecord::most_listed + 2000;
    for (Index n = 0; n < repeats; ++n) {
      const Repeat repeat{4 * std::floor(2 * draws.uniform()) - 9 + (n < 50 ? 8 : 0), 100,
                          4 * static_cast<Index>(1 + 24 * draws.uniform()), draws.uniform()};
      many.add(repeat);
      const bool is_found = repeat.value <= target.value_or(-9);
      found += is_found ? 1 : 0;
      sweeps.push_back(is_found ? static_cast<double>(repeat.found_at) : infinite);
      seconds.push_back(is_found ? repeat.found_after : infinite);
    }
    EXPECT_FALSE(many.lists_each());
    EXPECT_TRUE(many.each().empty());
    const RepeatRecord::Outcome outcome = many.outcome(target.value_or(-9), 1);
    EXPECT_EQ(outcome.found, found);
    const TimeToSolution of_sweeps = time_to_solution(sweeps, 1),
                         of_seconds = time_to_solution(seconds, 1);
    EXPECT_NEAR(outcome.sweeps.value, of_sweeps.value, 1e-9 * of_sweeps.value);
    EXPECT_NEAR(outcome.sweeps.lower, of_sweeps.lower, 0.02 * of_sweeps.lower);
    EXPECT_NEAR(outcome.sweeps.upper, of_sweeps.upper, 0.02 * of_sweeps.upper);
    EXPECT_NEAR(outcome.seconds.value, of_seconds.value, 0.02 * of_seconds.value);
    // An unfinished repeat may have found a lower energy.
    EXPECT_EQ(many.outcome(-100, 1).found, 0);
    EXPECT_EQ(many.outcome(-100, 1).sweeps.value, infinite);
  }
}

TEST(Problems, ARepeatEndsAtItsTarget) {
  const QuadraticProblem problem = drawn({Variables::spins, true, false, 0.3}, 30, 4);
  SearchSettings settings;
  settings.repeats = 4;
  settings.sweeps = 1000;
  const auto on = [](const SearchProgress&) { return true; };
  settings.target = search(problem, settings, on).best.value;
  const SearchResult result = search(problem, settings, on);
  for (const Repeat& repeat : result.repeats.each()) {
    EXPECT_EQ(repeat.value, *settings.target);
    EXPECT_EQ(repeat.sweeps, repeat.found_at);
    EXPECT_LT(repeat.sweeps, 1000);
  }
}

TEST(Problems, PairsOfSpinsLeadThroughARuleThatAllObey) {
  // The rule is that 8 of 30 bits are 1. A violation costs more than all other terms together.
  QuadraticProblem problem;
  problem.variables = Variables::bits;
  Draws draws(3);
  for (std::int32_t i = 0; i < 30; ++i) problem.linear.push_back(draws.whole(20) - 15 * 2000);
  for (std::int32_t i = 0; i < 30; ++i)
    for (std::int32_t j = i + 1; j < 30; ++j)
      problem.couplings.push_back({i, j, draws.whole(9) + 2 * 2000});
  problem.offset = 64 * 2000;
  const double ground = enumerate(problem, Device::cpu(2), never_ends)->value;
  SearchSettings settings;
  settings.sweeps = 400;
  const SearchResult result = search(problem, settings, [](const SearchProgress&) { return true; });
  for (const Repeat& repeat : result.repeats.each()) EXPECT_EQ(repeat.value, ground);
}

TEST(Problems, AnIsoenergeticMoveKeepsTheSumOfTheEnergies) {
  for (const bool fields : {false, true}) {
    // The problem is a square lattice with 12^2 spins.
    QuadraticProblem problem;
    Draws draws(9);
    for (std::int32_t i = 0; i < 144; ++i) {
      problem.linear.push_back(fields ? draws.whole(2) : 0);
      problem.couplings.push_back({i, i / 12 * 12 + (i + 1) % 12, draws.whole(3)});
      problem.couplings.push_back({i, (i + 12) % 144, draws.whole(3)});
    }
    const SpinForm form = spin_form(problem);
    const Arrangement<float> arrangement(form);
    ASSERT_TRUE(has_small_clusters(arrangement));
    Replicas<float> replicas(arrangement, 2);
    IsoenergeticMove<float> move(arrangement);
    int moved = 0;
    for (Index n = 0; n < 50; ++n) {
      replicas.randomise(0, 3, 2 * n);
      replicas.randomise(1, 3, 2 * n + 1);
      const double sum = replicas.energy(0) + replicas.energy(1), before = replicas.energy(0);
      move(replicas, 0, 1, {5, static_cast<std::uint64_t>(n), Stream::problem_update}, 0);
      EXPECT_EQ(replicas.energy(0) + replicas.energy(1), sum);
      moved += replicas.energy(0) != before ? 1 : 0;
      for (const Index replica : {0, 1}) {
        EXPECT_EQ(replicas.energy(replica), energy_of(form, replicas.state(replica)));
        const double kept = replicas.energy(replica);
        replicas.renew(replica);
        EXPECT_EQ(replicas.energy(replica), kept);
      }
    }
    EXPECT_GT(moved, fields ? 10 : 40);
  }
}

TEST(Problems, TimeToSolutionIsThatOfTheBestRestart) {
  // The probability of success is p = 4.5 / 5, so two searches are enough.
  EXPECT_NEAR(time_to_solution({5, 5, 5, 5}, 1).value, 10, 1e-12);
  EXPECT_EQ(time_to_solution(std::vector<double>(200, 5), 1).value, 5);
  // Half of the searches end after 1. Thus 6.64 searches of length 1 are faster than two of length
  // 100.
  EXPECT_NEAR(time_to_solution({1, 100, 1, 100}, 1).value, std::log(0.01) / std::log(0.5), 1e-12);
  EXPECT_NEAR(time_to_solution({10, infinite, infinite, infinite}, 1).value,
              10 * std::log(0.01) / std::log(0.7), 1e-12);
  const TimeToSolution never = time_to_solution({infinite, infinite}, 1);
  EXPECT_EQ(never.value, infinite);
  const TimeToSolution spread = time_to_solution({1, 2, 3, 4, 5, 6, 7, 8}, 1);
  EXPECT_LT(spread.lower, spread.value + 1e-12);
  EXPECT_GT(spread.upper, spread.lower);
}

}  // namespace larmor::ground_states_tests
