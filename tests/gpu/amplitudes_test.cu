// Amplitudes computed on a GPU, compared with those of the CPU. Skips without a GPU.
// Rooms: correlations

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "larmor/correlations/fourier/gpu_transforms.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations;
using spins::SpinState;
using Complex = std::complex<double>;

struct Case {
  const char* type;
  std::vector<Index> size;
  Index replicas;
  Index vacancies = 0;

  friend void PrintTo(const Case& tested, std::ostream* out) {
    *out << tested.type << testing::PrintToString(tested.size) << " x " << tested.replicas;
  }
};

/// Random spins. The storage order of their sites is random, too.
SpinState shuffled_state(const Device& device, const SpinLayout& layout) {
  std::vector<std::int32_t> canonical(static_cast<std::size_t>(layout.sites));
  std::iota(canonical.begin(), canonical.end(), 0);
  std::shuffle(canonical.begin(), canonical.end(), std::mt19937_64(5));
  canonical.resize(static_cast<std::size_t>(layout.padded_sites()), canonical.back());
  SpinState state(device, layout, canonical);
  state.randomise(7);
  return state;
}

std::vector<Complex> amplitudes(GpuTransform& transform, const SpinState& state) {
  const std::vector<double> numbers = transform.transform(state).take();
  std::vector<Complex> A;
  for (std::size_t n = 0; n < numbers.size(); n += 2) A.emplace_back(numbers[n], numbers[n + 1]);
  return A;
}

/// Wave vectors that do not belong to the lattice.
QList scattered(const lattice::Geometry& geometry, int waves) {
  std::vector<Vec3<double>> q;
  for (int n = 0; n < waves; ++n) q.push_back({0.013 * n, 0.5 - 0.07 * n, 0.21});
  return q_explicit(geometry, q);
}

class AmplitudesOnGpu : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(AmplitudesOnGpu, OfTheGpuAreThoseOfTheCpu) {
  const auto& [type, size, replicas, vacancies] = GetParam();
  const lattice::Geometry geometry =
      lattice::make_lattice(lattice::named_crystal(type, 1.0), size, {true});
  std::vector<Vec3<double>> wanted;
  const QList grid = q_grid(geometry);
  constexpr std::size_t waves = 35;
  for (std::size_t n = 0; n < waves; ++n)
    wanted.push_back(grid.q[n * 8 % waves * (grid.q.size() - 1) / (waves - 1)] +
                     Vec3<double>{double(n % 3) - 1, 0, 0});
  const QList q = q_explicit(geometry, wanted);
  const SpinLayout layout{geometry.sites(), replicas, vacancies};
  for (const Precision precision :
       {Precision::double_numbers, Precision::single_numbers, Precision::mixed_numbers}) {
    Device device = Device::cuda(0);
    device.precision = precision;
    const SpinState state = shuffled_state(device, layout);
    const auto numbers = static_cast<std::size_t>(q.size() * replicas * 3);
    std::vector<Complex> expected(numbers);
    make_transform(geometry, q, Method::factorised)->transform(state.vectors(), 1, expected.data());
    const auto by_sum = make_gpu_sum(geometry, q, state);
    const std::vector<Complex> sum = amplitudes(*by_sum, state), again = amplitudes(*by_sum, state);
    const std::vector<Complex> fft = amplitudes(*make_gpu_fft(geometry, q, state), state);
    const double tolerance = 1e-12 * static_cast<double>(geometry.sites());
    int wrong = 0;
    for (std::size_t n = 0; n < numbers; ++n)
      wrong += !(std::abs(sum[n] - expected[n]) < tolerance &&
                 std::abs(fft[n] - expected[n]) < tolerance);
    EXPECT_EQ(wrong, 0) << type << ", precision " << static_cast<int>(precision);
    EXPECT_EQ(sum, again);
    for (const std::size_t few : {1, 3, 8, 9, 32, 33}) {
      const QList some = q_explicit(geometry, {wanted.begin(), wanted.begin() + few});
      const std::vector<Complex> of_some = amplitudes(*make_gpu_sum(geometry, some, state), state);
      ASSERT_EQ(of_some.size(), few * static_cast<std::size_t>(3 * replicas));
      for (std::size_t n = 0; n < of_some.size(); ++n)
        EXPECT_LT(std::abs(of_some[n] - expected[n]), tolerance) << few;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lattices, AmplitudesOnGpu,
                         testing::Values(Case{"chain", {64}, 1}, Case{"chain", {27}, 11},
                                         Case{"square", {37, 41}, 1, 100},
                                         Case{"square", {13, 11}, 19, 7}, Case{"kagome", {7, 6}, 3},
                                         Case{"honeycomb", {31, 9}, 70, 3},
                                         Case{"bcc", {24, 24, 25}, 1},
                                         Case{"bcc", {12, 14, 13}, 20}, Case{"sc", {1, 1, 40}, 9},
                                         Case{"pyrochlore", {1, 5, 4}, 9},
                                         Case{"square", {9, 7}, 2}, Case{"square", {9, 8}, 8},
                                         Case{"square", {9, 9}, 16}, Case{"square", {9, 10}, 17},
                                         Case{"square", {9, 11}, 64}, Case{"square", {9, 12}, 65}),
                         [](const auto& info) {
                           std::string name = info.param.type;
                           for (const Index n : info.param.size) name += "_" + std::to_string(n);
                           return name + "_x" + std::to_string(info.param.replicas);
                         });

TEST(LargeAmplitudesOnGpu, OfALargeLatticeInManyParts) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const lattice::Geometry geometry =
      lattice::make_lattice(lattice::named_crystal("sc", 1.0), {100, 100, 61}, {true});
  const QList q = q_explicit(geometry, {{0.13, 0.5, 0.21}, {0, 0, 0}, {0.25, 0.1, 0}});
  const SpinState state = shuffled_state(Device::cuda(0), {geometry.sites(), 1});
  std::vector<Complex> expected(9);
  make_transform(geometry, q, Method::factorised)->transform(state.vectors(), 1, expected.data());
  const std::vector<Complex> sum = amplitudes(*make_gpu_sum(geometry, q, state), state);
  for (std::size_t n = 0; n < 9; ++n) EXPECT_LT(std::abs(sum[n] - expected[n]), 1e-8);
}

/// Each column across the planes has one wave vector. The replicas are too many for one batch of
/// transforms.
TEST(LargeAmplitudesOnGpu, ByFftInManyParts) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  constexpr int L = 64;
  constexpr Index replicas = 90;
  const lattice::Geometry geometry =
      lattice::make_lattice(lattice::named_crystal("sc", 1.0), {L, L, L}, {true});
  std::vector<Vec3<double>> wanted;
  for (int x = 0; x <= L / 2; ++x)
    for (int y = 0; y < L; ++y)
      wanted.push_back(
          {(x % 3 == 1 ? -x : x) / double(L), y / double(L), (7 * x + y) % L / double(L)});
  const QList q = q_explicit(geometry, wanted);
  const SpinState state = shuffled_state(Device::cuda(0), {geometry.sites(), replicas});
  std::vector<Complex> expected(static_cast<std::size_t>(3 * q.size() * replicas));
  make_transform(geometry, q, Method::fft)->transform(state.vectors(), 2, expected.data());
  const std::vector<Complex> fft = amplitudes(*make_gpu_fft(geometry, q, state), state);
  int wrong = 0;
  for (std::size_t n = 0; n < expected.size(); ++n)
    wrong += !(std::abs(fft[n] - expected[n]) < 1e-9);
  EXPECT_EQ(wrong, 0);
}

TEST(LargeAmplitudesOnGpu, OfOneWaveVectorAndSeveralReplicas) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const lattice::Geometry geometry =
      lattice::make_lattice(lattice::named_crystal("sc", 1.0), {70, 70, 61}, {true});
  const QList q = q_explicit(geometry, {{0.13, 0.5, 0.21}});
  constexpr std::size_t replicas = 3;
  const SpinState state = shuffled_state(Device::cuda(0), {geometry.sites(), replicas});
  std::vector<Complex> expected(3 * replicas);
  make_transform(geometry, q, Method::factorised)->transform(state.vectors(), 1, expected.data());
  const std::vector<Complex> sum = amplitudes(*make_gpu_sum(geometry, q, state), state);
  for (std::size_t n = 0; n < expected.size(); ++n) EXPECT_LT(std::abs(sum[n] - expected[n]), 1e-8);
}

/// Each block of threads does several runs of sites and of sums.
TEST(LargeAmplitudesOnGpu, OfSeveralWaveVectorsAndReplicasInManyRuns) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const lattice::Geometry geometry =
      lattice::make_lattice(lattice::named_crystal("sc", 1.0), {70, 70, 61}, {true});
  for (const Index replicas : {3, 20})
    for (const std::size_t waves : {3, 70}) {
      const QList q = scattered(geometry, static_cast<int>(waves));
      const SpinState state = shuffled_state(Device::cuda(0), {geometry.sites(), replicas, 77});
      std::vector<Complex> expected(3 * waves * static_cast<std::size_t>(replicas));
      make_transform(geometry, q, Method::factorised)
          ->transform(state.vectors(), 2, expected.data());
      const std::vector<Complex> sum = amplitudes(*make_gpu_sum(geometry, q, state), state);
      int wrong = 0;
      for (std::size_t n = 0; n < expected.size(); ++n)
        wrong += !(std::abs(sum[n] - expected[n]) < 1e-8);
      EXPECT_EQ(wrong, 0) << replicas << " replicas, " << waves << " wave vectors";
    }
}

/// The limits of shared memory are those of GPUs with compute capability 7.5 and 8.6.
TEST(LargeAmplitudesOnGpu, OfSeveralWaveVectorsNeedNoMoreSharedMemoryThanThereIs) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const lattice::Geometry geometry =
      lattice::make_lattice(lattice::named_crystal("square", 1.0), {61, 53}, {true});
  const QList q = scattered(geometry, 37);
  const SpinState state = shuffled_state(Device::cuda(0), {geometry.sites(), 30});
  const std::vector<Complex> all = amplitudes(*make_gpu_phase_product(geometry, q, state), state);
  for (const Index kilobytes : {64, 99}) {
    const auto with_less = make_gpu_phase_product(geometry, q, state, kilobytes * 1024);
    const std::vector<Complex> sum = amplitudes(*with_less, state);
    ASSERT_EQ(sum.size(), all.size());
    for (std::size_t n = 0; n < all.size(); ++n) EXPECT_LT(std::abs(sum[n] - all[n]), 1e-10);
  }
}

/// Amplitudes of replicas on several GPUs equal those of one GPU, bit for bit.
TEST(LargeAmplitudesOnGpu, OfSomeReplicasAreThoseOfAll) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const lattice::Geometry geometry =
      lattice::make_lattice(lattice::named_crystal("square", 1.0), {61, 53}, {true});
  constexpr Index all = 40, some = 16;
  for (const int waves : {1, 7, 12}) {
    const QList q = scattered(geometry, waves);
    const SpinState of_all = shuffled_state(Device::cuda(0), {geometry.sites(), all});
    const SpinState of_some =
        shuffled_state(Device::cuda(0), {geometry.sites(), some, 0, all - some, all});
    const std::vector<Complex> expected = amplitudes(*make_gpu_sum(geometry, q, of_all), of_all);
    const std::vector<Complex> found = amplitudes(*make_gpu_sum(geometry, q, of_some), of_some);
    for (Index n = 0; n < waves; ++n)
      for (Index k = 0; k < 3 * some; ++k)
        EXPECT_EQ(found[static_cast<std::size_t>(n * 3 * some + k)],
                  expected[static_cast<std::size_t>(n * 3 * all + 3 * (all - some) + k)]);
  }
}

/// The host receives few numbers and many numbers in different ways.
TEST(LargeAmplitudesOnGpu, HaveTheSameBitsWithManyOnTheirWay) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const lattice::Geometry geometry =
      lattice::make_lattice(lattice::named_crystal("square", 1.0), {300, 301}, {true});
  const std::pair<Index, int> runs[] = {{50, 1}, {50, 3}, {50, 40}, {1, 2}, {1, 1500}};
  for (const auto& [replicas, waves] : runs) {
    const SpinState state = shuffled_state(Device::cuda(0), {geometry.sites(), replicas});
    const auto transform = make_gpu_sum(geometry, scattered(geometry, waves), state);
    const std::vector<double> first = transform->transform(state).take();
    std::vector<Pending> pending;
    for (int n = 0; n < 100; ++n) pending.push_back(transform->transform(state));
    for (Pending& other : pending)
      EXPECT_EQ(other.take(), first) << replicas << " replicas, " << waves << " wave vectors";
  }
}

}  // namespace
