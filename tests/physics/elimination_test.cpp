// Ground states of sparse problems by elimination, compared with enumeration of all states and
// closed forms.
// Rooms: ground_states

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/ground_states/certification.hpp"
#include "larmor/ground_states/enumeration.hpp"
#include "tests/named.hpp"
#include "tests/physics/ground_states_support.hpp"

namespace larmor::elimination_tests {

using namespace larmor::ground_states;
using ground_states_support::Draws;
using ground_states_support::plain_value;

using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

constexpr double infinite = std::numeric_limits<double>::infinity();

bool never_ends(double) { return true; }

struct Graph {
  Index variables;
  Pairs pairs;
};

Graph grid(int columns, int rows, bool is_periodic) {
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  const auto join = [&](int i, int j) {
    if (i != j) pairs.emplace(std::min(i, j), std::max(i, j));
  };
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      if (is_periodic || x + 1 < columns) join(y * columns + x, y * columns + (x + 1) % columns);
      if (is_periodic || y + 1 < rows) join(y * columns + x, (y + 1) % rows * columns + x);
    }
  return {columns * rows, Pairs(pairs.begin(), pairs.end())};
}

Graph tree(Index variables, Draws& draws) {
  Graph graph{variables, {}};
  for (std::int32_t i = 1; i < variables; ++i)
    graph.pairs.emplace_back(static_cast<std::int32_t>(draws.uniform() * i), i);
  return graph;
}

/// A random graph in which each pair has a coupling with this probability.
Graph random_graph(Index variables, double probability, Draws& draws) {
  Graph graph{variables, {}};
  for (std::int32_t i = 0; i < variables; ++i)
    for (std::int32_t j = i + 1; j < variables; ++j)
      if (draws.uniform() < probability) graph.pairs.emplace_back(i, j);
  return graph;
}

/// The graph with its variables in random order.
Graph mixed(Graph graph, Draws& draws) {
  std::vector<std::int32_t> name(static_cast<std::size_t>(graph.variables));
  std::iota(name.begin(), name.end(), 0);
  for (std::size_t i = name.size(); i-- > 1;)
    std::swap(name[i],
              name[static_cast<std::size_t>(draws.uniform() * static_cast<double>(i + 1))]);
  for (auto& [i, j] : graph.pairs)
    std::tie(i, j) =
        std::minmax({name[static_cast<std::size_t>(i)], name[static_cast<std::size_t>(j)]});
  return graph;
}

template <class Number>
QuadraticProblem with_couplings(const Graph& graph, const Number& number) {
  QuadraticProblem problem;
  problem.linear.assign(static_cast<std::size_t>(graph.variables), 0);
  for (const auto& [i, j] : graph.pairs) problem.couplings.push_back({i, j, number()});
  return problem;
}

Certificate eliminated(const QuadraticProblem& problem, int threads = 1) {
  const auto order = elimination_order(spin_form(problem));
  EXPECT_TRUE(order.has_value());
  return *eliminate(problem, *order, threads, never_ends);
}

int width(const Graph& graph) {
  return elimination_order(spin_form(with_couplings(graph, [] { return 1.0; })))->width;
}

struct Kind {
  Variables variables;
  bool whole;
  double fields;  ///< fraction of the variables with a field
};

class EliminationOfKind : public testing::TestWithParam<testing_support::Named<Kind>> {
 protected:
  QuadraticProblem drawn(const Graph& graph, Draws& draws) const {
    const Kind& kind = GetParam().value;
    const auto number = [&] { return kind.whole ? draws.whole(2) : draws.uniform() - 0.5; };
    QuadraticProblem problem = with_couplings(mixed(graph, draws), number);
    problem.variables = kind.variables;
    problem.offset = number();
    for (double& a : problem.linear)
      if (draws.uniform() < kind.fields) a = number();
    return problem;
  }

  void expect_as_enumerated(const Graph& graph, std::uint64_t seed) const {
    Draws draws(seed);
    const QuadraticProblem problem = drawn(graph, draws);
    const Certificate found = eliminated(problem, 2);
    const Certificate exact = *enumerate(problem, Device::cpu(2), never_ends);
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_TRUE(found.degeneracy.has_value());
    EXPECT_EQ(found.degeneracy->digits(), exact.degeneracy->digits());
    if (GetParam().value.whole) {
      EXPECT_EQ(found.value, exact.value);
      EXPECT_EQ(found.gap, exact.gap);
      EXPECT_EQ(plain_value(problem, found.state), exact.value);
      return;
    }
    EXPECT_NEAR(found.value, exact.value, 1e-13);
    EXPECT_NEAR(plain_value(problem, found.state), exact.value, 1e-13);
    if (std::isfinite(exact.gap))
      EXPECT_NEAR(found.gap, exact.gap, 1e-13);
    else
      EXPECT_EQ(found.gap, infinite);
  }
};

TEST_P(EliminationOfKind, FindsWhatAllStatesSay) {
  std::uint64_t seed = 1;
  for (int again = 0; again < 12; ++again) {
    Draws draws(seed + 1000);
    for (const Index variables : {1, 2, 3, 9, 14}) {
      expect_as_enumerated(tree(variables, draws), seed++);
      expect_as_enumerated(random_graph(variables, 1.5 / static_cast<double>(variables), draws),
                           seed++);
      expect_as_enumerated(random_graph(variables, 3.0 / static_cast<double>(variables), draws),
                           seed++);
    }
    expect_as_enumerated(grid(2, 7, false), seed++);
    expect_as_enumerated(grid(3, 5, true), seed++);
    expect_as_enumerated(grid(4, 4, true), seed++);
    expect_as_enumerated(random_graph(12, 1, draws), seed++);
    expect_as_enumerated(random_graph(11, 0.6, draws), seed++);
  }
}

TEST_P(EliminationOfKind, ThreadsChangeNoBit) {
  Draws draws(3);
  QuadraticProblem problem = drawn(grid(15, 16, false), draws);
  for (Coupling& coupling : problem.couplings)
    if (coupling.value == 0) coupling.value = 1;
  const Certificate alone = eliminated(problem, 1);
  EXPECT_GE(*alone.width, 15);
  for (const int threads : {2, 5}) {
    const Certificate shared = eliminated(problem, threads);
    EXPECT_EQ(shared.value, alone.value);
    EXPECT_EQ(shared.degeneracy->digits(), alone.degeneracy->digits());
    EXPECT_EQ(shared.gap, alone.gap);
    EXPECT_EQ(shared.state, alone.state);
  }
}

INSTANTIATE_TEST_SUITE_P(
    problems, EliminationOfKind,
    testing::Values(
        testing_support::Named<Kind>{"whole_spins", {Variables::spins, true, 1}},
        testing_support::Named<Kind>{"whole_spins_in_few_fields", {Variables::spins, true, 0.1}},
        testing_support::Named<Kind>{"whole_spins_without_fields", {Variables::spins, true, 0}},
        testing_support::Named<Kind>{"real_spins", {Variables::spins, false, 1}},
        testing_support::Named<Kind>{"real_spins_without_fields", {Variables::spins, false, 0}},
        testing_support::Named<Kind>{"whole_bits", {Variables::bits, true, 1}},
        testing_support::Named<Kind>{"real_bits", {Variables::bits, false, 1}}),
    testing_support::by_name);

/// The product of `factor` and b^n, in decimal.
std::string power(std::uint64_t b, int n, std::uint64_t factor) {
  NaturalNumber product(factor);
  for (int i = 0; i < n; ++i) product = product * NaturalNumber(b);
  return product.digits();
}

TEST(Elimination, AFerromagnetHasTwoGroundStates) {
  for (const int length : {3, 8, 11}) {
    const Certificate found =
        eliminated(with_couplings(grid(length, length, true), [] { return -1.0; }));
    EXPECT_EQ(found.value, -2 * length * length);
    EXPECT_EQ(found.degeneracy, NaturalNumber(2));
    EXPECT_EQ(found.gap, 8);
    EXPECT_EQ(std::abs(std::accumulate(found.state.begin(), found.state.end(), 0)),
              length * length);
  }
}

TEST(Elimination, AnOddRingOfAntiferromagnetsHasTwoStatesForEachBond) {
  for (const int length : {3, 101, 20001}) {
    Graph ring{length, {}};
    for (std::int32_t i = 0; i < length; ++i) ring.pairs.emplace_back(i, (i + 1) % length);
    const Certificate found = eliminated(with_couplings(ring, [] { return 0.25; }));
    EXPECT_EQ(found.value, -0.25 * (length - 2));
    EXPECT_EQ(found.degeneracy, NaturalNumber(static_cast<std::uint64_t>(2 * length)));
    EXPECT_EQ(found.gap, 1);
    EXPECT_EQ(found.width, 2);
  }
}

// Each antiferromagnetic triangle that is added at a corner has three of four settings of its other
// spins.
TEST(Elimination, TrianglesThatShareCornersHaveThreeSettingsEach) {
  for (const bool share_one : {false, true}) {
    Graph graph{601, {}};
    for (std::int32_t n = 0; n < 300; ++n) {
      const std::int32_t corner = share_one ? 0 : 2 * n;
      graph.pairs.insert(graph.pairs.end(), {{corner, 2 * n + 1}, {corner, 2 * n + 2}});
      graph.pairs.emplace_back(2 * n + 1, 2 * n + 2);
    }
    Draws draws(5);
    const Certificate found = eliminated(with_couplings(mixed(graph, draws), [] { return 1.0; }));
    EXPECT_EQ(found.value, -300);
    EXPECT_EQ(found.degeneracy->digits(), power(3, 300, 2));
    EXPECT_EQ(found.gap, 4);
  }
}

/// A strip of rows of five spins, whose ground states are counted row by row.
struct Strip {
  __extension__ using Count = unsigned __int128;
  static constexpr int columns = 5, settings = 32;
  QuadraticProblem problem;
  int least = 0;
  NaturalNumber states;

  Strip(int rows, Draws& draws)
      : problem{with_couplings(grid(columns, rows, false),
                               [&] { return draws.uniform() < 0.5 ? -1.0 : 1.0; })} {
    std::vector<int> energy(settings);
    std::vector<Count> count(settings, 1);
    for (int y = 0; y < rows; ++y) {
      const std::vector<Coupling> couplings = of_row(y);
      std::vector<int> next(settings, 1 << 20);
      std::vector<Count> of_next(settings);
      for (int above = 0; above < settings; ++above)
        for (int here = 0; here < settings; ++here) {
          const int sum = (y == 0 ? 0 : energy[at(above)]) + energy_of_row(couplings, above, here);
          if (y == 0 && above != 0) continue;
          if (sum < next[at(here)]) of_next[at(here)] = 0;
          next[at(here)] = std::min(next[at(here)], sum);
          if (sum == next[at(here)]) of_next[at(here)] += count[at(above)];
        }
      energy = next;
      count = of_next;
    }
    least = *std::ranges::min_element(energy);
    Count sum = 0;
    for (int here = 0; here < settings; ++here)
      if (energy[at(here)] == least) sum += count[at(here)];
    states = NaturalNumber(std::array{static_cast<Limb>(sum), static_cast<Limb>(sum >> 64U)});
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static int spin(int setting, int column) { return ((setting >> column) & 1) != 0 ? 1 : -1; }
  /// Couplings within a row and to the row above.
  std::vector<Coupling> of_row(int y) const {
    std::vector<Coupling> found;
    std::ranges::copy_if(problem.couplings, std::back_inserter(found),
                         [y](const Coupling& coupling) { return coupling.j / columns == y; });
    return found;
  }
  static int energy_of_row(const std::vector<Coupling>& couplings, int above, int here) {
    int sum = 0;
    for (const auto& [i, j, value] : couplings)
      sum += static_cast<int>(value) * spin(here, j % columns) *
             spin(i / columns == j / columns ? here : above, i % columns);
    return sum;
  }
};

// The number of words that a number of states takes grows and shrinks from table to table.
TEST(Elimination, StripsHaveTheStatesOfTheirRows) {
  Draws draws(12);
  for (int rows = 60; rows < 150; rows += 6) {
    const Strip strip(rows, draws);
    const Certificate found = eliminated(strip.problem);
    EXPECT_EQ(found.value, strip.least);
    EXPECT_EQ(found.degeneracy->digits(), strip.states.digits()) << rows;
  }
}

// Large numbers of states in tables of many blocks. Triangles are attached to every spin of a grid.
TEST(Elimination, NumbersOfStatesAreExactInLargeTables) {
  const Graph square = grid(12, 12, false);
  Draws draws(8);
  QuadraticProblem problem =
      with_couplings(square, [&] { return draws.uniform() < 0.5 ? -1.0 : 1.0; });
  const Certificate alone = eliminated(problem);
  for (std::int32_t n = 0; n < 144; ++n) {
    const auto first = static_cast<std::int32_t>(problem.linear.size());
    problem.linear.insert(problem.linear.end(), 4, 0);
    problem.couplings.insert(problem.couplings.end(), {{n, first, 1},
                                                       {n, first + 1, 1},
                                                       {first, first + 1, 1},
                                                       {n, first + 2, 1},
                                                       {n, first + 3, 1},
                                                       {first + 2, first + 3, 1}});
  }
  const Certificate found = eliminated(problem, 2);
  EXPECT_GE(*found.width, 11);
  EXPECT_EQ(found.value, alone.value - 288);
  EXPECT_EQ(found.gap, alone.gap);
  NaturalNumber triangles(1);
  for (int n = 0; n < 288; ++n) triangles = triangles * NaturalNumber(3);
  EXPECT_EQ(found.degeneracy->digits(), (*alone.degeneracy * triangles).digits());
}

TEST(Elimination, WhatNothingJoinsMultiplies) {
  QuadraticProblem problem;
  problem.linear.assign(3000, 0);
  problem.linear[7] = 2;
  EXPECT_EQ(eliminated(problem).degeneracy->digits(), power(2, 2999, 1));
  EXPECT_EQ(eliminated(problem).value, -2);
  EXPECT_EQ(eliminated(problem).gap, 4);
  problem.linear[7] = 0;
  problem.couplings = {{0, 2999, 0}};
  EXPECT_EQ(eliminated(problem).degeneracy->digits(), power(2, 3000, 1));
  EXPECT_EQ(eliminated(problem).gap, infinite);
  EXPECT_EQ(eliminated(problem).width, 0);
}

TEST(Elimination, EnergiesWithinRoundingAreOneOrNotKnown) {
  const auto with_field = [](double h) {
    QuadraticProblem problem;
    problem.linear = {std::sqrt(2.0), h};
    return eliminated(problem);
  };
  // Energies count as equal within 1.4e-11.
  EXPECT_EQ(with_field(1e-13).degeneracy, NaturalNumber(2));
  EXPECT_EQ(with_field(1e-13).gap, 2 * std::sqrt(2.0));
  EXPECT_FALSE(with_field(6e-12).degeneracy.has_value());
  EXPECT_TRUE(std::isnan(with_field(6e-12).gap));
  EXPECT_EQ(with_field(6e-12).state, (State{-1, -1}));
  EXPECT_EQ(with_field(1e-11).degeneracy, NaturalNumber(1));
  EXPECT_NEAR(with_field(1e-11).gap, 2e-11, 1e-15);
}

TEST(Elimination, LargeWholeNumbersStayExact) {
  QuadraticProblem problem;
  problem.linear = {0, 1};
  for (const double J : {268435454.0, 268435455.0, 1e14 + 1}) {
    problem.couplings = {{0, 1, J}};
    const Certificate found = eliminated(problem);
    EXPECT_EQ(found.value, -J - 1);
    EXPECT_EQ(found.gap, 2);
    EXPECT_EQ(found.degeneracy, NaturalNumber(1));
  }
}

TEST(Elimination, EndsWhenTold) {
  Draws draws(2);
  const QuadraticProblem problem =
      with_couplings(grid(16, 16, false), [&] { return draws.uniform() - 0.5; });
  const auto order = elimination_order(spin_form(problem));
  double last = 0;
  const auto watch = [&](double part) {
    EXPECT_GT(part, last);
    return (last = part) < 0.5;
  };
  EXPECT_FALSE(eliminate(problem, *order, 2, watch).has_value());
  EXPECT_LT(last, 0.8);
  last = 0;
  const auto on = [&](double part) {
    EXPECT_GT(part, last);
    last = part;
    return true;
  };
  EXPECT_TRUE(eliminate(problem, *order, 2, on).has_value());
  EXPECT_EQ(last, 1);
}

TEST(EliminationOrder, IsAsNarrowAsTheGraph) {
  Draws draws(4);
  EXPECT_EQ(width({5, {}}), 0);
  EXPECT_EQ(width(mixed(tree(5000, draws), draws)), 1);
  EXPECT_EQ(width(mixed(grid(2, 1000, false), draws)), 2);
  EXPECT_LE(width(mixed(grid(5, 5000, false), draws)), 6);
  EXPECT_EQ(width(grid(5, 5000, false)), 5);
  EXPECT_LE(width(mixed(grid(20, 20, false), draws)), 21);
  EXPECT_LE(width(mixed(grid(10, 10, true), draws)), 22);
  EXPECT_EQ(width(random_graph(30, 1, draws)), 29);
  EXPECT_FALSE(elimination_order(spin_form(with_couplings(random_graph(200, 1, draws), [] {
                 return 1.0;
               }))).has_value());
}

TEST(Certification, TakesTheCheaperWay) {
  Draws draws(6);
  const auto of = [](const Graph& graph) { return with_couplings(graph, [] { return 1.0; }); };
  EXPECT_FALSE(Certification(of(tree(20, draws)), false).eliminates());
  EXPECT_TRUE(Certification(of(tree(40, draws)), false).eliminates());
  EXPECT_TRUE(Certification(of(grid(6, 6, true)), false).eliminates());
  EXPECT_FALSE(Certification(of(random_graph(30, 1, draws)), false).eliminates());
  EXPECT_FALSE(Certification(of(tree(40, draws)), true).eliminates());
  EXPECT_TRUE(Certification(of(tree(41, draws)), false).eliminates());
  EXPECT_THROW(Certification(of(tree(41, draws)), true), InputError);
  const QuadraticProblem problem = of(tree(100, draws));
  const auto found = Certification(problem, false).run(problem, Device::cpu(1), never_ends);
  EXPECT_EQ(found->value, -99);
  EXPECT_EQ(found->degeneracy, NaturalNumber(2));
}

TEST(Certification, RefusesWhatIsTooWide) {
  Draws draws(6);
  const auto refusal = [](const Graph& graph) -> std::string {
    try {
      Certification(with_couplings(graph, [] { return 1.0; }), false);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(random_graph(50, 1, draws)).find("tables of up to 49 variables, with 1.1e+15"),
            std::string::npos);
  EXPECT_NE(refusal(random_graph(200, 1, draws)).find("no order is known"), std::string::npos);
}

}  // namespace larmor::elimination_tests
