// Transfer matrices of Ising strips. Products are compared with explicit matrices, spectra of
// periodic strips with free fermions, and ln Z with enumeration.
// Rooms: transfer

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/core/ranks/thread_ranks.hpp"
#include "larmor/transfer/strip.hpp"

namespace larmor::transfer_matrix_tests {

using namespace larmor::transfer;

/// Numbers in (-1, 1), which all differ.
double number_of(int n) { return std::sin(12.9898 * n + 1.7) * 0.97; }

/// A ring of spins with bonds of all strengths, a chord, and bonds of both signs to the next row.
RowModel uneven_row(int sites, bool has_field) {
  RowModel row;
  row.sites = sites;
  for (int i = 0; i < sites; ++i) {
    if (sites > 1) row.bonds.push_back({i, (i + 1) % sites, 0.6 * number_of(i)});
    row.h.push_back(has_field ? 0.3 * number_of(100 + i) : 0);
    row.K_next.push_back(0.7 * number_of(200 + i));
  }
  if (sites > 4) row.bonds.push_back({1, sites - 2, 0.25});
  return row;
}

RowModel ring(int sites, double K) {
  RowModel row;
  row.sites = sites;
  for (int i = 0; i < sites; ++i) row.bonds.push_back({i, (i + 1) % sites, K});
  row.h.assign(static_cast<std::size_t>(sites), 0);
  row.K_next.assign(static_cast<std::size_t>(sites), K);
  return row;
}

double spin(Index x, int site) { return (x >> site & 1) != 0 ? 1 : -1; }

double row_exponent(const RowModel& row, Index x) {
  double sum = 0;
  for (const RowBond& bond : row.bonds) sum += bond.K * spin(x, bond.i) * spin(x, bond.j);
  for (int i = 0; i < row.sites; ++i) sum += row.h[static_cast<std::size_t>(i)] * spin(x, i);
  return sum;
}

/// The product T v, site by site, with states of the sites instead of the states of SiteBits.
std::vector<double> explicit_product(const RowModel& row, std::vector<double> v) {
  const auto states = static_cast<Index>(v.size());
  for (Index x = 0; x < states; ++x)
    v[static_cast<std::size_t>(x)] *= std::exp(0.5 * row_exponent(row, x));
  for (int i = 0; i < row.sites; ++i) {
    const double K = row.K_next[static_cast<std::size_t>(i)];
    for (Index x = 0; x < states; ++x) {
      if ((x >> i & 1) != 0) continue;
      double& down = v[static_cast<std::size_t>(x)];
      double& up = v[static_cast<std::size_t>(x | Index{1} << i)];
      const double sum = std::exp(K) * down + std::exp(-K) * up;
      up = std::exp(-K) * down + std::exp(K) * up;
      down = sum;
    }
  }
  for (Index x = 0; x < states; ++x)
    v[static_cast<std::size_t>(x)] *= std::exp(0.5 * row_exponent(row, x));
  return v;
}

/// The index of a state of the sites in a vector. In a sector, the last spin of the state must be
/// down.
Index index_of(const SiteBits& bits, Index x) {
  Index index = 0;
  for (int i = 0; i < bits.sites(); ++i)
    if (bits.bit_of(i) >= 0) index |= (x >> i & 1) << bits.bit_of(i);
  return index;
}

void expect_explicit_product(const RowModel& row, Sector sector, int threads) {
  const Device device = Device::cpu(threads);
  const SiteBits bits(row, sector);
  const VectorSpace space(device, bits.states());
  TransferMatrix matrix = TransferMatrix::of_equal_rows(space, row, bits);
  Vector in(device, bits.states()), out(device, bits.states());
  randomise(in, {1, 0, Stream::lanczos});
  matrix.multiply(in, out);
  const std::vector<double> given = in.to_host(), found = out.to_host();
  std::vector<double> v(std::size_t{1} << row.sites);
  const Index half = Index{1} << (row.sites - 1), all = 2 * half - 1;
  const double sign = sector == Sector::odd ? -1 : 1;
  for (Index x = 0; x <= all; ++x) {
    const bool mirrored = sector != Sector::all && (x & half) != 0;
    v[static_cast<std::size_t>(x)] =
        (mirrored ? sign : 1) *
        given[static_cast<std::size_t>(index_of(bits, mirrored ? x ^ all : x))];
  }
  const std::vector<double> expected = explicit_product(row, v);
  double largest = 0, error = 0;
  for (Index x = 0; x < (sector == Sector::all ? all + 1 : half); ++x) {
    const double exact = expected[static_cast<std::size_t>(x)] * std::exp(-matrix.ln_scale());
    largest = std::max(largest, std::abs(exact));
    error = std::max(error, std::abs(exact - found[static_cast<std::size_t>(index_of(bits, x))]));
  }
  EXPECT_LT(error, 1e-14 * largest) << row.sites << " sites";
}

TEST(TransferMatrix, IsTheExplicitMatrix) {
  for (const int sites : {1, 2, 3, 5, 8, 12, 13, 14, 17}) {
    expect_explicit_product(uneven_row(sites, true), Sector::all, 1);
    expect_explicit_product(uneven_row(sites, false), Sector::even, 2);
    expect_explicit_product(uneven_row(sites, false), Sector::odd, 3);
  }
}

TEST(TransferMatrix, OfARowInAFieldHasNoSectors) {
  EXPECT_THROW(SiteBits(uneven_row(4, true), Sector::even), InputError);
}

TEST(TransferMatrix, HasEqualBitsForAnyNumberOfThreads) {
  const RowModel row = uneven_row(15, false);
  std::vector<std::vector<double>> found;
  for (const int threads : {1, 3}) {
    const Device device = Device::cpu(threads);
    StripSpectrum spectrum(device, row, Sector::even, {.wanted = 2});
    while (!spectrum.step()) {
    }
    found.push_back(
        {spectrum.levels()[0].ln_value, spectrum.levels()[1].ln_value, spectrum.averages().m4});
  }
  EXPECT_EQ(found[0], found[1]);
}

std::vector<double> levels_of(const RowModel& row, Sector sector, Index wanted) {
  StripSpectrum spectrum(Device{}, row, sector, {.wanted = wanted});
  while (!spectrum.step()) {
  }
  std::vector<double> values;
  for (const Level& level : spectrum.levels()) {
    EXPECT_FALSE(level.is_negative);
    values.push_back(level.ln_value);
  }
  return values;
}

TEST(Lanczos, OfFewVectorsFindsTheLevelsOfMany) {
  const RowModel row = ring(9, 0.42);
  for (const Sector sector : {Sector::all, Sector::even, Sector::odd}) {
    const std::vector<double> expected = levels_of(row, sector, 4);
    for (const Index basis : {6, 7, 9, 60}) {
      StripSpectrum spectrum(Device{}, row, sector, {.wanted = 4, .basis = basis});
      while (!spectrum.step()) {
      }
      for (std::size_t n = 0; n < expected.size(); ++n)
        EXPECT_NEAR(spectrum.levels()[n].ln_value, expected[n], 1e-12) << basis << ' ' << n;
    }
  }
}

/// A diagonal matrix.
class DiagonalOperator final : public Operator {
 public:
  DiagonalOperator(const VectorSpace& space, std::vector<double> diagonal)
      : space_(space), diagonal_(std::move(diagonal)) {}

  double multiply(const Vector& in, double factor, const Vector* previous, double coefficient,
                  Vector& out) override {
    for (std::size_t n = 0; n < diagonal_.size(); ++n)
      out.data()[n] = factor * diagonal_[n] * in.data()[n] -
                      (previous != nullptr ? coefficient * previous->data()[n] : 0);
    const Vector* const others[] = {&in};
    return dots(space_, out, others).front();
  }

 private:
  const VectorSpace& space_;
  std::vector<double> diagonal_;
};

/// The search converges before rounding adds further vectors of the level 4 to its Krylov space.
TEST(Lanczos, FindsEveryCopyOfALevel) {
  constexpr Index states = 64;
  std::vector<double> diagonal{8, 4, 4, 4};
  while (std::ssize(diagonal) < states) diagonal.push_back(diagonal.back() / 2);
  const VectorSpace space(Device{}, states);
  DiagonalOperator matrix(space, diagonal);
  Lanczos search(space, matrix, {.wanted = 4});
  while (!search.step()) {
  }
  const std::vector<EigenPair> pairs = search.pairs();
  ASSERT_EQ(pairs.size(), 4U);
  for (std::size_t n = 0; n < pairs.size(); ++n) EXPECT_NEAR(pairs[n].value, diagonal[n], 1e-12);
}

TEST(StripSpectrum, HasEqualBitsForAnyNumberOfRanks) {
  for (const bool has_field : {false, true}) {
    const RowModel row = uneven_row(17, has_field);
    for (const Sector sector : {Sector::all, Sector::even, Sector::odd}) {
      if (has_field && sector != Sector::all) continue;
      const auto numbers = [&](const Communicator* world) {
        StripSpectrum spectrum(Device::cpu(1), row, sector, {.wanted = 2, .basis = 6}, world);
        while (!spectrum.step()) {
        }
        std::vector<double> found;
        for (const Level& level : spectrum.levels()) found.push_back(level.ln_value);
        if (sector != Sector::odd) {
          const RowAverages a = spectrum.averages();
          found.insert(found.end(), {a.bonds, a.next, a.m, a.abs_m, a.m2, a.m4});
        }
        return found;
      };
      const std::vector<double> alone = numbers(nullptr);
      for (const int ranks : {2, 4, 8})
        on_thread_ranks(ranks, [&](ThreadRank& thread) {
          const Communicator world(thread);
          EXPECT_EQ(numbers(&world), alone) << ranks << " ranks";
        });
    }
  }
}

TEST(VectorSpace, IsSharedByPowersOfTwo) {
  EXPECT_TRUE(VectorSpace::can_share(Index{1} << 15, 8));
  EXPECT_FALSE(VectorSpace::can_share(Index{1} << 15, 3));
  EXPECT_FALSE(VectorSpace::can_share(Index{1} << 15, 16));
  EXPECT_FALSE(VectorSpace::can_share(Index{1} << 14, 2));
  EXPECT_TRUE(VectorSpace::can_share(7, 1));
}

/// The energies of the free fermions of a periodic strip: L. Onsager, Phys. Rev. 65, 117 (1944).
double fermion(double K, double q) {
  const double dual = -0.5 * std::log(std::tanh(K));
  const double c = std::cosh(2 * K) * std::cosh(2 * dual) - std::cos(q);
  return std::acosh(std::max(1.0, c));
}

TEST(StripSpectrum, OfPeriodicRowsIsThatOfFreeFermions) {
  for (const double temperature : {1.0, 2 / std::log(1 + std::numbers::sqrt2), 3.0})
    for (const int L : {2, 3, 4, 6, 9, 14}) {
      const double K = 1 / temperature, prefactor = 0.5 * L * std::log(2 * std::sinh(2 * K));
      double even = prefactor, odd = prefactor, least = 1e300;
      for (int j = 0; j < L; ++j) {
        const double q = std::numbers::pi * (2 * j + 1) / L;
        even += 0.5 * fermion(K, q);
        least = std::min(least, fermion(K, q));
      }
      // The mode of q = 0 counts with the sign of its energy.
      odd += K + 0.5 * std::log(std::tanh(K));
      for (int j = 1; j < L; ++j) odd += 0.5 * fermion(K, 2 * std::numbers::pi * j / L);
      const std::vector<double> of_even = levels_of(ring(L, K), Sector::even, 2);
      EXPECT_NEAR(of_even[0], even, 1e-12 * std::abs(even)) << L;
      // The state has two fermions, of q = pi / L and - pi / L. For L = 3 and 2, other states may
      // be as low.
      if (L > 2) {
        EXPECT_NEAR(of_even[1], even - 2 * least, 1e-11 * std::abs(even)) << L;
      }
      EXPECT_NEAR(levels_of(ring(L, K), Sector::odd, 1)[0], odd, 1e-12 * std::abs(odd)) << L;
    }
}

TEST(StripSpectrum, FindsDegenerateLevels) {
  // The first excited states of the odd sector have momenta q and -q.
  const std::vector<double> odd = levels_of(ring(8, 0.4), Sector::odd, 4);
  EXPECT_NEAR(odd[1], odd[2], 1e-11);
  EXPECT_LT(odd[1], odd[0] - 0.1);
  EXPECT_LT(odd[3], odd[2] - 1e-3);
}

TEST(StripSpectrum, OfOneSpinIsThatOfTheChain) {
  RowModel row;
  row.sites = 1;
  row.h = {0};
  row.K_next = {0.7};
  EXPECT_NEAR(levels_of(row, Sector::even, 3).at(0), std::log(2 * std::cosh(0.7)), 1e-14);
  EXPECT_NEAR(levels_of(row, Sector::odd, 3).at(0), std::log(2 * std::sinh(0.7)), 1e-14);
  row.h = {0.4};
  StripSpectrum spectrum(Device{}, row, Sector::all, {.wanted = 2});
  while (!spectrum.step()) {
  }
  const double root = std::sqrt(std::exp(1.4) * std::pow(std::sinh(0.4), 2) + std::exp(-1.4));
  EXPECT_NEAR(spectrum.levels()[0].ln_value, std::log(std::exp(0.7) * std::cosh(0.4) + root),
              1e-14);
  EXPECT_NEAR(spectrum.averages().m, std::exp(0.7) * std::sinh(0.4) / root, 1e-13);
}

TEST(StripSpectrum, OfAntiferromagneticBondsAlongTheStripHasNegativeValues) {
  RowModel row = ring(4, 0.3);
  for (double& K : row.K_next) K = -0.5;
  row.h.assign(4, 0.2);
  StripSpectrum spectrum(Device{}, row, Sector::all, {.wanted = 6});
  while (!spectrum.step()) {
  }
  bool some = false;
  for (const Level& level : spectrum.levels()) some = some || level.is_negative;
  EXPECT_TRUE(some);
}

TEST(RowAverages, AreDerivativesOfTheEigenvalue) {
  for (const bool has_field : {false, true}) {
    const RowModel row = uneven_row(9, has_field);
    const Sector sector = has_field ? Sector::all : Sector::even;
    const auto scaled = [&](double factor) {
      RowModel model = row;
      for (RowBond& bond : model.bonds) bond.K *= factor;
      for (double& h : model.h) h *= factor;
      for (double& K : model.K_next) K *= factor;
      StripSpectrum spectrum(Device{}, model, sector, {.wanted = 1});
      while (!spectrum.step()) {
      }
      return spectrum.levels()[0].ln_value;
    };
    StripSpectrum spectrum(Device{}, row, sector, {.wanted = 1});
    while (!spectrum.step()) {
    }
    const RowAverages averages = spectrum.averages();
    const double step = 1e-4;
    EXPECT_NEAR(averages.bonds + averages.next,
                (8 * (scaled(1 + step) - scaled(1 - step)) -
                 (scaled(1 + 2 * step) - scaled(1 - 2 * step))) /
                    (12 * step),
                1e-9);
    EXPECT_GT(averages.m2, averages.m * averages.m);
    EXPECT_EQ(has_field, std::abs(averages.m) > 1e-6);
  }
}

TEST(RowAverages, AreExactWhereWeightsUnderflow) {
  // Rows of 14 spins whose bonds are so strong that only aligned rows have a weight. The strip is a
  // chain of blocks with the coupling 14 K'.
  RowModel row = ring(14, 120);
  for (double& K : row.K_next) K = 0.02;
  StripSpectrum spectrum(Device{}, row, Sector::even, {.wanted = 1});
  while (!spectrum.step()) {
  }
  EXPECT_NEAR(spectrum.levels()[0].ln_value, 14 * 120 + std::log(2 * std::cosh(14 * 0.02)), 1e-9);
  const RowAverages averages = spectrum.averages();
  EXPECT_NEAR(averages.bonds, 14 * 120, 1e-9);
  EXPECT_NEAR(averages.next, 14 * 0.02 * std::tanh(14 * 0.02), 1e-9);
  EXPECT_NEAR(averages.m2, 1, 1e-12);
}

TEST(StripSpectrum, OfColdStripsMarksLevelsThatRoundingHides) {
  StripSpectrum spectrum(Device{}, ring(8, 20), Sector::even, {.wanted = 3});
  while (!spectrum.step()) {
  }
  const std::vector<Level> levels = spectrum.levels();
  // Both aligned rows: a chain with the coupling 8 K.
  EXPECT_NEAR(levels[0].ln_value, 8 * 20 + 8 * 20, 1e-9);
  for (std::size_t n = 1; n < levels.size(); ++n) EXPECT_TRUE(std::isnan(levels[n].ln_value));
}

TEST(LyapunovExponents, OfEqualRowsAreEigenvalues) {
  RowModel row = uneven_row(6, false);
  for (double& K : row.K_next) K = std::abs(K) + 0.1;
  const std::vector<double> expected = levels_of(row, Sector::even, 3);
  LyapunovExponents exponents(Device{}, row, row, Sector::even, 3);
  std::vector<double> early;
  for (int r = 1; r <= 300; ++r) {
    exponents.add(row, row.K_next);
    if (r == 200) early = exponents.values();
  }
  // The first rows turn the vectors towards the eigenvectors.
  for (std::size_t n = 0; n < 3; ++n)
    EXPECT_NEAR((300 * exponents.values()[n] - 200 * early[n]) / 100, expected[n], 1e-10);
}

TEST(LyapunovExponents, SumUpToTheLogarithmOfTheDeterminant) {
  const int L = 3, N = 5;
  std::vector<RowModel> rows;
  for (int r = 0; r < N; ++r) {
    RowModel row = uneven_row(L, false);
    for (RowBond& bond : row.bonds) bond.K = 0.8 * number_of(37 * r + bond.i);
    for (double& K : row.K_next) K = 0.3 + 0.1 * r;
    rows.push_back(row);
  }
  const Index states = Index{1} << (L - 1);
  LyapunovExponents exponents(Device{}, rows.front(), rows.front(), Sector::odd, states);
  double ln_determinant = 0;
  for (int r = 1; r < N; ++r) {
    const RowModel &before = rows[static_cast<std::size_t>(r - 1)],
                   &after = rows[static_cast<std::size_t>(r)];
    exponents.add(after, before.K_next);
    for (Index x = 0; x < states; ++x)
      ln_determinant += (row_exponent(before, x) + row_exponent(after, x)) / 2;
    // X is a tensor product of matrices with the eigenvalues 2 cosh K and 2 sinh K. An odd vector
    // has an odd number of the latter.
    for (Index x = 0; x < 2 * states; ++x) {
      if (std::popcount(static_cast<unsigned>(x)) % 2 == 0) continue;
      for (int i = 0; i < L; ++i) {
        const double K = before.K_next[static_cast<std::size_t>(i)];
        ln_determinant += std::log(2 * ((x >> i & 1) != 0 ? std::sinh(K) : std::cosh(K)));
      }
    }
  }
  double sum = 0;
  for (const double value : exponents.values()) sum += value * (N - 1);
  EXPECT_NEAR(sum, ln_determinant, 1e-12 * std::abs(ln_determinant));
}

TEST(StripProduct, IsTheSumOverAllStates) {
  const int L = 3, N = 4;
  std::vector<RowModel> rows;
  for (int r = 0; r < N; ++r) {
    RowModel row = uneven_row(L, true);
    for (RowBond& bond : row.bonds) bond.K = 0.8 * number_of(37 * r + bond.i);
    for (double& K : row.K_next) K += 0.1 * r;
    rows.push_back(row);
  }
  double sum = 0;
  for (Index x = 0; x < Index{1} << (L * N); ++x) {
    double exponent = 0;
    for (int r = 0; r < N; ++r) {
      exponent += row_exponent(rows[static_cast<std::size_t>(r)], x >> (L * r));
      for (int i = 0; r + 1 < N && i < L; ++i)
        exponent += rows[static_cast<std::size_t>(r)].K_next[static_cast<std::size_t>(i)] *
                    spin(x, L * r + i) * spin(x, L * r + L + i);
    }
    sum += std::exp(exponent);
  }
  StripProduct product(Device{}, rows[0], rows[0]);
  for (int r = 1; r < N; ++r)
    product.add(rows[static_cast<std::size_t>(r)], rows[static_cast<std::size_t>(r - 1)].K_next);
  EXPECT_NEAR(product.ln_Z(), std::log(sum), 1e-13 * std::log(sum));
}

}  // namespace larmor::transfer_matrix_tests
