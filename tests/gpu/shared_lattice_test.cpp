// A lattice that ranks share. Data goes from one GPU to another through the host. The ranks share
// one GPU here. Kernels that read tables and JIT kernels are tested.
// Rooms: spins

#include <cstdlib>

#include "larmor/core/device/jit_compiler.hpp"
#include "tests/shared_lattice_support.hpp"

namespace larmor::spins::gpu_shared_lattice_tests {
namespace {

class SharedLatticeOnGpu : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (first_usable_gpu() < 0) GTEST_SKIP() << "no GPU here";
    if (std::string(GetParam()) == "always" && runtime_compiler_missing())
      GTEST_SKIP() << "no NVRTC here";
    setenv("LARMOR_JIT", GetParam(), 1);
  }
  void TearDown() override { unsetenv("LARMOR_JIT"); }

  static Device gpu(Precision precision) {
    Device device = Device::cuda(0);
    device.precision = precision;
    return device;
  }
};

constexpr Precision precisions[] = {Precision::double_numbers, Precision::single_numbers,
                                    Precision::mixed_numbers};

TEST_P(SharedLatticeOnGpu, ColoursOfASweepSendOneHalo) {
  for (const Precision precision : precisions) {
    for (const char* text : shared_lattices) expect_one_halo_a_sweep(text, gpu(precision), 1, 2);
    expect_one_halo_a_sweep(shared_lattices[2], gpu(precision), 9, 3);
  }
}

/// The lattice is so large that its interior is updated separately. The update follows the
/// exchange, because ranks on one GPU share a stream.
TEST_P(SharedLatticeOnGpu, OfTwoPartsIsThatOfOneRank) {
  const std::string lattice = "[lattice]\ntype = 'sc'\nsize = [48, 48, 96]\n";
  const std::string nearest = lattice + "[[exchange]]\nshell = 1\nJ = 1\n";
  for (const Precision precision : precisions) {
    expect_one_halo_a_sweep(nearest, gpu(precision), 1, 2);
    expect_torques_of_one_rank(nearest, gpu(precision), 1, {2});
  }
}

/// In mixed precision, the GPU reads only neighbours of this lattice as floats.
TEST_P(SharedLatticeOnGpu, AHaloIsThePlanesBesideAPartInTheNumbersOfBonds) {
  const std::string text =
      "[lattice]\ntype = 'sc'\nsize = [32, 32, 128]\n[[exchange]]\nshell = 1\nJ = 1\n";
  constexpr Index plane = 32 * 32;
  for (const Precision precision : precisions)
    testing_support::on_ranks(2, [&](const Communicator& world, auto&) {
      const SharedSystem shared(text, gpu(precision), 1, &world);
      EXPECT_EQ(shared.slabs->halo_bytes(),
                2 * plane * (precision == Precision::double_numbers ? 24 : 12));
    });
}

/// These torques read tables, even if the sampler before them uses JIT kernels.
TEST_P(SharedLatticeOnGpu, TorquesThatTakeDerivativesAreThoseOfOneRank) {
  for (const Precision precision : precisions) {
    for (const char* text : lattices_of_derivatives)
      expect_torques_of_one_rank(text, gpu(precision), 1, {2, 3});
    expect_torques_of_one_rank(lattices_of_derivatives[0], gpu(precision), 9, {3});
  }
}

TEST_P(SharedLatticeOnGpu, DerivativesNeedNoMoreThanTheyRead) {
  for (const Precision precision : precisions)
    expect_halos_of_derivatives(gpu(precision), 2,
                                precision == Precision::double_numbers ? 24 : 12);
}

TEST_P(SharedLatticeOnGpu, AmplitudesAreThoseOfOneRank) {
  using correlations::Method;
  for (const Precision precision : precisions) {
    for (const char* text : shared_lattices)
      expect_amplitudes_of_one_rank(text, gpu(precision), 1, {2, 3}, Method::factorised);
    expect_amplitudes_of_one_rank(shared_lattices[2], gpu(precision), 9, {3}, Method::factorised);
    for (const char* text : shared_lattices)
      expect_amplitudes_of_one_rank(text, gpu(precision), 1, {2, 3}, Method::fft);
    expect_amplitudes_of_one_rank(shared_lattices[1], gpu(precision), 17, {4}, Method::fft);
    for (const char* text : shared_lattices)
      expect_amplitudes_of_one_rank(text, gpu(precision), 1, {2, 3}, Method::fft, all_wave_vectors);
    // One wave vector of many replicas has its own kernel.
    for (const Index replicas : {9, 20})
      expect_amplitudes_of_one_rank(shared_lattices[2], gpu(precision), replicas, {2, 3},
                                    Method::factorised, 1);
  }
}

/// Planes across y are too many for one batch of transforms. Two ranks divide cells across z.
TEST_P(SharedLatticeOnGpu, AmplitudesByFftAreThoseOfOneRankHoweverItIsCut) {
  const std::string text =
      "[lattice]\ntype = 'sc'\nsize = [64, 96, 16]\n[[exchange]]\nshell = 1\nJ = 1\n";
  for (const Index replicas : {1, 9})
    for (const int wave_vectors : {several_wave_vectors, all_wave_vectors})
      expect_amplitudes_of_one_rank(text, gpu(Precision::double_numbers), replicas, {2, 4},
                                    correlations::Method::fft, wave_vectors);
}

INSTANTIATE_TEST_SUITE_P(Kernels, SharedLatticeOnGpu, testing::Values("never", "always"));

}  // namespace
}  // namespace larmor::spins::gpu_shared_lattice_tests
