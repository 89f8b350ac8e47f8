// Reductions of least-squares problems, their solutions, and sizes of groups.
// Rooms: fitting

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "larmor/fitting/solution.hpp"

namespace larmor::fitting::fitting_tests {
namespace {

constexpr Index columns = 5;  // of [A | b]

/// Rows of numbers between -1 and 1.
std::vector<double> random_rows(Index rows) {
  std::vector<double> numbers;
  for (Index n = 0; n < rows * columns; ++n) {
    const double x = std::sin(12.9898 * static_cast<double>(n + 1)) * 43758.5453;
    numbers.push_back(2 * (x - std::floor(x)) - 1);
  }
  return numbers;
}

Triangle reduced(std::span<const double> rows, Index portion, int threads) {
  std::vector<Reduction> reduction(1, Reduction(columns));
  for (std::size_t first = 0; first < rows.size();) {
    const std::size_t count =
        std::min(static_cast<std::size_t>(portion * columns), rows.size() - first);
    reduction[0].append(rows.subspan(first, count));
    Reduction::reduce(reduction, threads);
    first += count;
  }
  return reduction[0].finish(threads);
}

double sum_of_squares(std::span<const double> rows, std::span<const double> x) {
  double sum = 0;
  for (std::size_t row = 0; row < rows.size(); row += columns) {
    double difference = -rows[row + columns - 1];
    for (std::size_t n = 0; n < x.size(); ++n) difference += rows[row + n] * x[n];
    sum += difference * difference;
  }
  return sum;
}

TEST(FitReduction, KeepsTheResidualOfEveryVector) {
  const std::vector<double> rows = random_rows(10000), x{0.3, -1.2, 2.5, 0.7};
  const Triangle triangle = reduced(rows, 777, 1);
  EXPECT_EQ(triangle.rows(), columns);
  EXPECT_EQ(triangle.rows_reduced, 10000);
  const double expected = sum_of_squares(rows, x);
  EXPECT_NEAR(residual_of(triangle, x), expected, 1e-12 * expected);
}

TEST(FitReduction, BitsDependNeitherOnPortionsNorOnThreads) {
  const std::vector<double> rows = random_rows(9001);
  const Triangle first = reduced(rows, 9001, 1);
  for (const Index portion : {1, 250, 4096})
    EXPECT_EQ(reduced(rows, portion, 3).numbers, first.numbers) << portion;
}

TEST(FitReduction, MultipliesRowsByTheirWeights) {
  const std::vector<double> rows = random_rows(1500);
  std::vector<double> weight, weighted = rows;
  for (std::size_t row = 0; row < 1500; ++row) {
    weight.push_back(0.1 + static_cast<double>(row % 7));
    for (std::size_t n = 0; n < columns; ++n) weighted[row * columns + n] *= weight.back();
  }
  // Portions that fill blocks only in part, and a portion of several blocks.
  for (const Index portion : {Index{100}, Index{1500}}) {
    std::vector<Reduction> reduction(1, Reduction(columns));
    for (Index first = 0; first < 1500; first += portion) {
      reduction[0].append(std::span(rows).subspan(static_cast<std::size_t>(first * columns),
                                                  static_cast<std::size_t>(portion * columns)),
                          std::span(weight).subspan(static_cast<std::size_t>(first),
                                                    static_cast<std::size_t>(portion)));
      Reduction::reduce(reduction, 2);
    }
    EXPECT_EQ(reduction[0].finish(1).numbers, reduced(weighted, 1500, 1).numbers) << portion;
  }
}

TEST(FitReduction, FewRowsStayAsTheyAre) {
  const std::vector<double> rows = random_rows(3);
  EXPECT_EQ(reduced(rows, 3, 1).numbers, rows);
}

TEST(FitReduction, WeightsOfJoinedTrianglesMultiplyTheirRows) {
  const std::vector<double> one = random_rows(400), other(one.rbegin(), one.rend());
  const Triangle a = reduced(one, 400, 1), b = reduced(other, 400, 1);
  const Triangle both = joined(std::array{WeightedTriangle{&a, 2}, WeightedTriangle{&b, 0.5}});
  const std::vector<double> x{1, 2, -3, 0.5};
  const double expected = 4 * sum_of_squares(one, x) + 0.25 * sum_of_squares(other, x);
  EXPECT_NEAR(residual_of(both, x), expected, 1e-12 * expected);
  EXPECT_EQ(both.rows_reduced, 800);
}

TEST(FitSolution, EveryMethodFindsTheLeastResidual) {
  const std::vector<double> rows = random_rows(500);
  const Triangle triangle = reduced(rows, 500, 1);
  Solver solver;
  const Solution by_qr = solve(triangle, solver);
  solver.method = Method::svd;
  const Solution by_svd = solve(triangle, solver);
  NormalEquations normal(columns - 1);
  normal.append(rows);
  const Solution by_normal = normal.solve(solver, 2);
  for (const Solution* found : {&by_qr, &by_svd, &by_normal}) {
    EXPECT_NEAR(found->residual, sum_of_squares(rows, found->x), 1e-11);
    EXPECT_EQ(found->rank, columns - 1);
    EXPECT_NEAR(found->condition, by_qr.condition, 1e-9);
    for (std::size_t n = 0; n < found->x.size(); ++n) {
      EXPECT_NEAR(found->x[n], by_qr.x[n], 1e-13);
      for (const double step : {1e-3, -1e-3}) {
        std::vector<double> moved = found->x;
        moved[n] += step;
        EXPECT_GT(sum_of_squares(rows, moved), found->residual);
      }
    }
  }
}

TEST(FitSolution, DependentColumnsAreRefusedOrHaveTheShortestSolution) {
  std::vector<double> rows = random_rows(300);
  for (std::size_t row = 0; row < rows.size(); row += columns) rows[row + 1] = 2 * rows[row];
  const Triangle triangle = reduced(rows, 300, 1);
  Solver solver;
  EXPECT_THROW(solve(triangle, solver), InputError);
  NormalEquations normal(columns - 1);
  normal.append(rows);
  EXPECT_THROW(normal.solve(solver, 1), InputError);
  solver.method = Method::svd;
  const Solution found = solve(triangle, solver);
  EXPECT_EQ(found.rank, columns - 2);
  // The shortest solution is orthogonal to (2, -1, 0, 0), which changes no row.
  EXPECT_NEAR(2 * found.x[0] - found.x[1], 0, 1e-13);
}

TEST(FitGroup, SizesAreSharesOrNumbers) {
  EXPECT_EQ((Size{1, false}.of(9)), 9);
  EXPECT_EQ((Size{1, true}.of(9)), 1);
  EXPECT_EQ((Size{0.5, false}.of(9)), 5);
  EXPECT_EQ((Size{0.01, false}.of(9)), 1);
  EXPECT_EQ((Size{0, false}.of(9)), 0);
  EXPECT_EQ((Size{4, true}.of(9)), 4);
}

}  // namespace
}  // namespace larmor::fitting::fitting_tests
