// Small matrix products by OpenBLAS, called from several threads at once.
// Rooms: correlations

#include "larmor/correlations/pairs/cpu/tile_product.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <random>
#include <vector>

#include "larmor/core/device/parallel.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations::real_space;

constexpr Index size = 8;

/// Matrices of small integers, so that their product is exact.
struct Factors {
  std::vector<double> a, b;

  explicit Factors(unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_int_distribution<int> number(-9, 9);
    for (auto* matrix : {&a, &b})
      for (Index i = 0; i < size * size; ++i) matrix->push_back(number(generator));
  }

  double element(Index row, Index column, bool transposed) const {
    double sum = 0;
    for (Index k = 0; k < size; ++k) {
      const Index of_b = transposed ? column * size + k : k * size + column;
      sum += a[static_cast<std::size_t>(row * size + k)] * b[static_cast<std::size_t>(of_b)];
    }
    return sum;
  }

  std::vector<double> expected(bool transposed) const {
    std::vector<double> c;
    for (Index row = 0; row < size; ++row)
      for (Index column = 0; column < size; ++column) c.push_back(element(row, column, transposed));
    return c;
  }

  std::vector<double> product(bool transposed) const {
    std::vector<double> c(static_cast<std::size_t>(size * size));
    (transposed ? multiply_transposed : multiply)(size, size, size, {a.data(), size},
                                                  {b.data(), size}, {c.data(), size});
    return c;
  }
};

TEST(TileProduct, IsThatOfEveryThreadThatAsksAtTheSameTime) {
  constexpr int threads = 4, products = 50'000;
  for (const bool transposed : {false, true}) {
    std::atomic<int> wrong = 0;
    parallel_for(threads, threads, [&](Index thread) {
      const Factors factors(static_cast<unsigned>(thread));
      const std::vector<double> expected = factors.expected(transposed);
      for (int n = 0; n < products; ++n)
        if (factors.product(transposed) != expected) ++wrong;
    });
    EXPECT_EQ(wrong, 0) << "of " << threads * products;
  }
}

TEST(TileProduct, LeavesTheNumberOfThreadsAsItWas) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(3);
  const Factors factors(0);
  EXPECT_EQ(factors.product(true), factors.expected(true));
  EXPECT_EQ(omp_get_max_threads(), 3);
  omp_set_num_threads(before);
}

}  // namespace
