// Every method of summing correlations over pairs of sites, compared with the plain sum in long
// double. Skips without a GPU.
// Rooms: correlations

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/correlation_variants/variants.hpp"
#include "larmor/core/device/array.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "tests/gpu/correlation_reference.hpp"

namespace larmor::gpu_correlation_variant_tests {

using namespace larmor::bench;
using namespace larmor::correlations::real_space;
using test::Exact;
using test::RandomSpins;

std::vector<Vec3<double>> wave_vectors(std::size_t count) {
  std::vector<Vec3<double>> q;
  for (std::size_t n = 0; n < count; ++n) {
    const auto x = static_cast<double>(n);
    q.push_back({0.37 + 0.11 * x, -0.2 + 0.05 * x, 0.9 - 0.13 * x});
  }
  return q;
}

/// Largest error, relative to the root mean square of the exact sums.
double relative_error(const std::vector<std::complex<double>>& sums,
                      const std::vector<Exact>& exact) {
  long double largest = 0, square = 0;
  for (std::size_t n = 0; n < exact.size(); ++n) {
    largest = std::max(largest, std::abs(Exact(sums[n].real(), sums[n].imag()) - exact[n]));
    square += std::norm(exact[n]);
  }
  return static_cast<double>(largest / std::sqrt(square / static_cast<long double>(exact.size())));
}

struct Case {
  Index sites, configurations;
  bool is_centred = true;

  std::string name() const {
    return std::to_string(sites) + "_sites_" + std::to_string(configurations) +
           (is_centred ? "_centred" : "_plain");
  }
  friend void PrintTo(const Case& tested, std::ostream* out) { *out << tested.name(); }
};

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name(); }

class CorrelationsOnGpu : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
  static RandomSpins spins() {
    const auto& [sites, configurations, is_centred] = GetParam();
    return {sites, configurations, is_centred};
  }
};

class CorrelationVariants : public CorrelationsOnGpu {};

TEST_P(CorrelationVariants, EveryMethodGivesThePlainSum) {
  if (!has_tensor_core_sums(Device::cuda(0))) GTEST_SKIP() << "no tensor cores of this kind here";
  const RandomSpins s = spins();
  const Device device = Device::cuda(0);
  const std::vector<Vec3<double>> q = wave_vectors(1);
  const std::vector<Exact> exact = exact_sums(s, q, false);
  const Array<double> rows(device, s.rows), columns(device, s.columns);
  const Array<double> row_means(device, s.means(s.rows)), column_means(device, s.means(s.columns));
  const Array<double> centred_rows(device, s.centred(s.rows)),
      centred_columns(device, s.centred(s.columns));
  const SpinMatrices matrices{rows.data(),         columns.data(),      row_means.data(),
                              column_means.data(), centred_rows.data(), centred_columns.data()};
  const VariantProblem problem{s.sites, s.configurations, q[0], s.position};
  for (const char* name : variant_names()) {
    const auto method = make_variant_method(device, name, problem, matrices);
    method->launch();
    EXPECT_LT(relative_error({method->total()}, exact), 1e-12) << name;
    method->launch();
    EXPECT_LT(relative_error({method->total()}, exact), 1e-12) << name << ", again";
  }
}

/// The samples are also small, so that a run under a sanitizer is short enough.
TEST_P(CorrelationVariants, BlocksThatTakeSeveralTilesGiveThePlainSum) {
  if (!has_tensor_core_sums(Device::cuda(0))) GTEST_SKIP() << "no tensor cores of this kind here";
  const RandomSpins s = spins();
  const Device device = Device::cuda(0);
  const std::vector<Vec3<double>> q = wave_vectors(1);
  const std::vector<Exact> exact = exact_sums(s, q, false);
  const Array<double> centred_rows(device, s.centred(s.rows)),
      centred_columns(device, s.centred(s.columns));
  SpinMatrices matrices{};
  matrices.centred_rows = centred_rows.data();
  matrices.centred_columns = centred_columns.data();
  VariantProblem problem{s.sites, s.configurations, q[0], s.position};
  problem.blocks = 2;
  for (const char* name : {"simt-tile", "simt-thread-tile", "fused"}) {
    const auto method = make_variant_method(device, name, problem, matrices);
    method->launch();
    EXPECT_LT(relative_error({method->total()}, exact), 1e-12) << name;
  }
}

class FusedSumsOnGpu : public CorrelationsOnGpu {
 protected:
  /// Sums of C (with 1/M) or of C^2 by the fused kernel.
  static std::vector<std::complex<double>> sums(const RandomSpins& s,
                                                const std::vector<Vec3<double>>& q,
                                                PairPrecision precision, bool squared, bool plain) {
    const Device device = Device::cuda(0);
    const Array<double> rows(device, s.centred(s.rows)), columns(device, s.centred(s.columns));
    PairSettings settings{s.sites, s.numbers(), precision, squared};
    settings.plain = plain;
    const auto fused = make_fused_sums(device, settings, FourierTerms{q, s.position});
    fused->set_columns(columns.data());
    fused->set_rows(rows.data());
    fused->add();
    const std::vector<double> numbers = fused->totals().take();
    const auto M = static_cast<double>(s.configurations);
    std::vector<std::complex<double>> result;
    for (std::size_t n = 0; n < q.size(); ++n)
      result.push_back(std::complex<double>(numbers[2 * n], numbers[2 * n + 1]) /
                       (squared ? M * M : M));
    return result;
  }
};

TEST_P(FusedSumsOnGpu, InEveryPrecisionAreThePlainSums) {
  const RandomSpins s = spins();
  struct Mode {
    PairPrecision precision;
    double tolerance;
    bool plain = false;
  };
  const bool has_tensor_cores = has_tensor_core_sums(Device::cuda(0));
  for (const bool squared : {false, true}) {
    const std::vector<Exact> exact_of_all = exact_sums(s, wave_vectors(70), squared);
    for (const std::size_t count : {1, 5, 9, 70}) {
      const std::vector<Vec3<double>> q = wave_vectors(count);
      const std::vector<Exact> exact(exact_of_all.begin(),
                                     exact_of_all.begin() + static_cast<std::ptrdiff_t>(count));
      for (const Mode& mode :
           {Mode{PairPrecision::full, 1e-12, true}, Mode{PairPrecision::full, 1e-12},
            Mode{PairPrecision::tf32x3, 1e-5}, Mode{PairPrecision::half_split, 1e-5}}) {
        if (mode.precision != PairPrecision::full && !has_tensor_cores) continue;
        EXPECT_LT(relative_error(sums(s, q, mode.precision, squared, mode.plain), exact),
                  mode.tolerance)
            << name_of(mode.precision) << (mode.plain ? ", plain, " : ", ") << count
            << " wave vectors" << (squared ? ", squared" : "");
      }
    }
  }
}

/// Sums of one share, (number, block of rows).
std::vector<double> row_block_sums_of(const RandomSpins& s, const std::vector<Vec3<double>>& q,
                                      const PairSettings& settings, const RowShare& share,
                                      const Array<double>& rows, const Array<double>& columns) {
  const Device& device = rows.device();
  const auto fused = make_fused_sums(device, settings, FourierTerms{q, s.position}, share);
  fused->set_columns(columns.data());
  fused->set_rows(rows.data());
  fused->add();
  const std::span<double> sums = fused->row_block_sums();
  std::vector<double> host(sums.size());
  copy_bytes(Device{}, host.data(), device, sums.data(), sums.size_bytes());
  return host;
}

/// All kernels that this GPU supports.
std::vector<PairSettings> kernels_for(const RandomSpins& s) {
  const PairSettings full{s.sites, s.numbers()};
  PairSettings plain = full, tf32x3 = full, half_split = full;
  plain.plain = true;
  tf32x3.precision = PairPrecision::tf32x3;
  half_split.precision = PairPrecision::half_split;
  if (!has_tensor_core_sums(Device::cuda(0))) return {plain, full};
  return {plain, full, tf32x3, half_split};
}

TEST_P(FusedSumsOnGpu, FewBlocksGiveTheSameBits) {
  const RandomSpins s = spins();
  const Device device = Device::cuda(0);
  const std::vector<Vec3<double>> q = wave_vectors(5);
  const Array<double> rows(device, s.centred(s.rows)), columns(device, s.centred(s.columns));
  for (PairSettings settings : kernels_for(s)) {
    const std::vector<double> wanted = row_block_sums_of(s, q, settings, {}, rows, columns);
    for (const Index blocks : {1, 3}) {
      settings.blocks = blocks;
      EXPECT_EQ(row_block_sums_of(s, q, settings, {}, rows, columns), wanted)
          << name_of(settings.precision) << (settings.plain ? ", plain, " : ", ") << blocks;
    }
  }
}

TEST_P(FusedSumsOnGpu, OfSharesAddUpToTheSameBits) {
  const RandomSpins s = spins();
  const Device device = Device::cuda(0);
  const std::vector<Vec3<double>> q = wave_vectors(5);
  const Array<double> rows(device, s.centred(s.rows)), columns(device, s.centred(s.columns));
  for (const PairSettings& settings : kernels_for(s)) {
    const std::vector<double> whole = row_block_sums_of(s, q, settings, {}, rows, columns);
    std::vector<double> added(whole.size());
    constexpr int ranks = 3;  // the smallest sample has fewer blocks of rows than ranks
    for (int rank = 0; rank < ranks; ++rank) {
      const std::vector<double> share =
          row_block_sums_of(s, q, settings, {rank, ranks}, rows, columns);
      std::transform(share.begin(), share.end(), added.begin(), added.begin(), std::plus<>());
    }
    EXPECT_EQ(added, whole) << name_of(settings.precision) << (settings.plain ? ", plain" : "");
  }
}

const std::vector<Case> cases = {{517, 1, false}, {700, 7},  {130, 50}, {700, 50},
                                 {517, 64},       {4100, 7}, {1, 7},    {5000, 1, false}};
INSTANTIATE_TEST_SUITE_P(Sizes, CorrelationVariants, testing::ValuesIn(cases), name_of);
INSTANTIATE_TEST_SUITE_P(Sizes, FusedSumsOnGpu,
                         testing::Values(Case{517, 1, false}, Case{700, 7}, Case{130, 50},
                                         Case{700, 64}, Case{1800, 50}),
                         name_of);

TEST(CorrelationVariantNames, UnknownNamesAreToldTheNamesThatThereAre) {
  try {
    variant_square_bytes("fusedd", 10);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.remedy().find("fused-otf-smem"), std::string::npos);
  }
}

TEST(CorrelationVariantNames, MatricesOfAllPairsThatDoNotFitAreRefused) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const VariantProblem problem{1'000'000, 50, {}, {}};
  for (const char* name : {"cublas-eq4", "cublas-eq5", "fused-load"})
    EXPECT_THROW(make_variant_method(Device::cuda(0), name, problem, {}), MachineError) << name;
}

}  // namespace larmor::gpu_correlation_variant_tests
