// References, operation counts and output of `larmor bench snap`.
// Rooms: atoms

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "bench/snap.hpp"
#include "bench/snap_system.hpp"
#include "larmor/atoms/potentials/snap/snap.hpp"
#include "larmor/core/error.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::atoms;

void expect_forces_of_the_reference(const snap::SnapPotential& potential) {
  const SnapSystem system = bcc_tungsten(2, potential.largest_cutoff());
  const snap::Snap methods(potential, snap::Method::adjoint, Device::cpu(1));
  const std::vector<Vec3<double>> found =
      forces(system.rows, methods.evaluate(system.rows, system.elements).gradient);
  const std::vector<Index> some{0, 3, 15};
  const std::vector<Vec3<double>> exact = reference_forces(potential, system.rows, some);
  for (std::size_t n = 0; n < some.size(); ++n)
    EXPECT_LT(length(found[static_cast<std::size_t>(some[n])] - exact[n]), 1e-12) << some[n];
}

TEST(SnapBench, TheDefinitionGivesTheForcesOfTheMethods) {
  for (const int twojmax : {0, 1, 4, 7}) expect_forces_of_the_reference(made_up_potential(twojmax));
}

TEST(SnapBench, TheDefinitionKnowsWhatFilesOfPotentialsSay) {
  snap::SnapPotential potential = made_up_potential(4);
  potential.parameters.rmin0 = 2.9;
  potential.parameters.rfac0 = 0.7;
  potential.parameters.bnormflag = true;
  potential.elements[0].weight = 0.6;
  potential.elements[0].radius = 0.52;
  expect_forces_of_the_reference(potential);
  potential.parameters.switchflag = false;
  expect_forces_of_the_reference(potential);
}

TEST(SnapBench, AtomsHaveTheNeighboursOfThreeShells) {
  const snap::SnapPotential potential = made_up_potential(8);
  const SnapSystem system = bcc_tungsten(3, potential.largest_cutoff());
  EXPECT_EQ(system.atoms(), 54);
  for (std::size_t atom = 0; atom < 54; ++atom)
    EXPECT_EQ(system.rows.first[atom + 1] - system.rows.first[atom], 26);
  EXPECT_EQ(system.first_rows(5).entries(), 5 * 26);
}

TEST(SnapBench, OperationsGrowWithTheNeighbours) {
  const auto flops = [](int twojmax, int neighbours) {
    return least_snap_flops(made_up_potential(twojmax), neighbours);
  };
  EXPECT_EQ(flops(8, 28) - flops(8, 26), flops(8, 26) - flops(8, 24));
  // The matrix Y costs 0.319 and 7.15 Mflop if all j share products and the symmetry of equal
  // factors is not used.
  EXPECT_GT(flops(8, 0), 0.5 * 0.319e6);
  EXPECT_LT(flops(8, 0), 0.319e6);
  EXPECT_GT(flops(14, 0), 0.5 * 7.15e6);
  EXPECT_LT(flops(14, 0), 7.15e6);
}

SnapSystemMeasured with_error(double error) {
  SnapSystemMeasured system{8, 54, 26, 4e5, 6e10, {}, {}};
  system.methods.push_back({"adjoint", 1e-5, error, {{"U", 2e-6}, {"Y", 8e-6}}});
  return system;
}

TEST(SnapBench, FailsWhereForcesAreOff) {
  EXPECT_NO_THROW(require_snap_forces(with_error(1e-11)));
  EXPECT_THROW(require_snap_forces(with_error(1e-9)), InternalError);
  EXPECT_THROW(require_snap_forces(with_error(std::numeric_limits<double>::quiet_NaN())),
               InternalError);
}

TEST(SnapBench, WritesWhatWasMeasured) {
  const std::string path = testing::TempDir() + "larmor-snap-bench-test.json";
  SnapSystemMeasured system = with_error(1e-12);
  system.left_out.emplace_back("baseline", "no room");
  write_snap({"a CPU", "made up", "products", {system}}, path);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  std::string line;
  for (std::string word; text >> word;) line += (line.empty() ? "" : " ") + word;
  EXPECT_EQ(line,
            R"({"format": "larmor-bench-snap", "device": "a CPU", "potential": "made up", )"
            R"("floor": "products", "systems": [{"twojmax": 8, "atoms": 54, "neighbours": 26, )"
            R"("flops": 400000, "floor_rate": 60000000000, )"
            R"("methods": [{"name": "adjoint", "seconds": 1e-05, "error": 1e-12, )"
            R"("parts": {"U": 2e-06, "Y": 8e-06}}], )"
            R"("left_out": [{"name": "baseline", "reason": "no room"}]}]})");
}

}  // namespace
}  // namespace larmor::bench
