// Every method of SNAP on a GPU, compared with the CPU. Skips without a GPU.
// Rooms: atoms

#include <gtest/gtest.h>

#include "bench/snap_system.hpp"
#include "bench/snap_variants/variants.hpp"
#include "larmor/atoms/potentials/snap/snap.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/error.hpp"

namespace larmor::bench::gpu_snap_variant_tests {
namespace {

using namespace larmor::atoms;

class SnapVariants : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }

  /// The largest error of a force after two launches. A launch must not change the result of the
  /// next launch.
  /// @param cells number of cells along the edges of the box
  static double error(const snap::SnapPotential& potential, Index cells) {
    const SnapSystem system = bcc_tungsten(cells, potential.largest_cutoff());
    const snap::Snap on_cpu(potential);
    const std::vector<Vec3<double>> exact =
        forces(system.rows, on_cpu.evaluate(system.rows, system.elements).gradient);
    const auto method =
        make_snap_variant_method(Device::cuda(0), GetParam(), potential, system.rows);
    method->launch();
    method->launch();
    const std::vector<Vec3<double>> found = method->forces();
    double largest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      // The comparison is negated, because a maximum would ignore NaN.
      if (const double off = length(found[i] - exact[i]); !(off <= largest)) largest = off;
    return largest;
  }
};

TEST_P(SnapVariants, GivesTheForcesOfTheCpu) {
  for (const int twojmax : {0, 1, 2, 3, 8}) {
    SCOPED_TRACE(twojmax);
    EXPECT_LT(error(made_up_potential(twojmax), 4), 1e-12);
  }
  EXPECT_LT(error(made_up_potential(14), 2), 1e-12);
}

/// The box has two atoms, which are neighbours of their own images.
TEST_P(SnapVariants, GivesTheForcesOfTheCpuInTheSmallestBox) {
  EXPECT_LT(error(made_up_potential(4), 1), 1e-12);
}

/// The cutoff lies between two shells, and the displacements take atoms across it.
TEST_P(SnapVariants, TakesAtomsWithUnequalNumbersOfNeighbours) {
  snap::SnapPotential potential = made_up_potential(5);
  potential.parameters.rcutfac = 4.5;
  potential.parameters.rmin0 = 0.4;
  potential.parameters.bnormflag = true;
  EXPECT_LT(error(potential, 3), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Methods, SnapVariants,
                         testing::ValuesIn(snap_variant_names().begin(),
                                           snap_variant_names().end()),
                         [](const auto& method) { return std::string(method.param); });

TEST(SnapVariantNames, OfNoMethodAreRefused) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  EXPECT_THROW(make_snap_variant_method(Device::cuda(0), "nothing", made_up_potential(2), {}),
               InputError);
}

}  // namespace
}  // namespace larmor::bench::gpu_snap_variant_tests
