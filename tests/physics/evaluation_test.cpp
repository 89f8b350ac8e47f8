// Output of `larmor evaluate`: signs, units and orders of numbers.
// tests/reliability/test_evaluate.py compares forces with derivatives of energies and with results
// of LAMMPS.
// Rooms: evaluation

#include "larmor/evaluation/evaluation.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "larmor/atoms/potentials/zbl/zbl.hpp"
#include "tests/physics/test_system.hpp"

namespace larmor::evaluation::evaluation_tests {
namespace {

/// Writes files of potentials, with and without SNAP interactions, into a folder that the end of
/// the test removes.
class Evaluation : public testing::Test {
 protected:
  Evaluation() {
    std::filesystem::create_directories(folder_);
    std::ofstream(path("none.snapcoeff")) << "2 2\nW 0.5 1\n-1\n0\nBe 0.4 1\n-2\n0\n";
    std::ofstream(path("none.snapparam")) << "rcutfac 3\ntwojmax 0\n";
    std::ofstream(path("some.snapcoeff"))
        << "2 3\nW 0.5 1\n-0.3\n0.02\n-0.03\nBe 0.42 0.96\n0.2\n-0.01\n0.02\n";
    std::ofstream(path("some.snapparam")) << "rcutfac 4.7\ntwojmax 1\n";
    std::ofstream(path("none.snap"))
        << "pair_style hybrid/overlay zbl 1.5 2.5 snap\n"
           "pair_coeff 1 1 zbl 4 4\npair_coeff 1 2 zbl 4 74\npair_coeff 2 2 zbl 74 74\n"
           "pair_coeff * * snap none.snapcoeff none.snapparam Be W\n";
  }
  ~Evaluation() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static io::AtomFrame pair(const Vec3<double>& r) {
    io::AtomFrame frame;
    frame.atoms.cell = {{{8, 0, 0}, {0, 9, 0}, {0, 0, 10}}};
    frame.atoms.box = atoms::box_of(frame.atoms.cell, {true, true, true});
    frame.atoms.positions = {{0, 0, 0}, r};
    frame.atoms.species = {"W", "Be"};
    frame.atoms.types = {0, 1};
    frame.line = {3, 4};
    return frame;
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("larmor-evaluation-" + std::to_string(::getpid()));
};

constexpr double bond = 1.3;

TEST_F(Evaluation, PairsHaveTheChargesOfTheirNuclei) {
  const atoms::ZblPair zbl(74, 4, 1.5, 2.5);
  const double E = zbl.at(bond).energy - 3;
  for (const PotentialChoice& choice : {PotentialChoice{path("none"), "", std::array{1.5, 2.5}},
                                        PotentialChoice{"", path("none.snap"), std::nullopt}}) {
    const OverlaidPotential potential(choice, Device::cpu(1));
    const Evaluated found = evaluate(potential, pair({bond, 0, 0}), true);
    EXPECT_NEAR(found.energy, E, 1e-10 * std::abs(E));
    EXPECT_NEAR(found.energies[0] - found.energies[1], 1, 1e-10 * std::abs(E));
    // The repulsion pushes the right atom to the right.
    EXPECT_NEAR(found.forces[1].x, -zbl.at(bond).slope, 1e-10 * std::abs(E));
    EXPECT_GT(found.forces[1].x, 0);
    EXPECT_EQ(found.bispectrum.size(), 2U);
  }
}

TEST_F(Evaluation, TheStressOfRepulsionIsNegativeAndTheVirialPositive) {
  const OverlaidPotential potential({path("none"), "", std::array{1.5, 2.5}}, Device::cpu(1));
  const Vec3<double> r{0.5, 0.7, 0.9};
  const io::AtomFrame frame = pair(r);
  const Evaluated found = evaluate(potential, frame, false);
  const double slope = atoms::ZblPair(74, 4, 1.5, 2.5).at(length(r)).slope;
  const double W = -slope / length(r);
  const double rows[3][3] = {{r.x * r.x, r.x * r.y, r.x * r.z},
                             {r.y * r.x, r.y * r.y, r.y * r.z},
                             {r.z * r.x, r.z * r.y, r.z * r.z}};
  const std::string text = evaluated_text(frame, found);
  for (const auto& [key, factor] : {std::pair{"virial=\"", W}, {"stress=\"", -W / 720}}) {
    std::istringstream numbers(text.substr(text.find(key) + 8));
    for (const auto& row : rows)
      for (const double expected : row) {
        double number = 0;
        ASSERT_TRUE(numbers >> number || numbers.eof());
        EXPECT_NEAR(number, factor * expected, 1e-10 * std::abs(factor));
      }
  }
  EXPECT_NE(text.find(":energies:R:1:forces:R:3 "), std::string::npos);
}

/// Structures with different sizes, boxes and open directions.
std::vector<io::AtomFrame> unlike_frames() {
  std::vector<io::AtomFrame> frames;
  for (int n = 0; n < 5; ++n) {
    io::AtomFrame frame;
    if (n != 2) frame.atoms.cell = {{{3.1 + 0.1 * n, 0, 0}, {0.4, 4, 0}, {0, 0.3, 5}}};
    frame.atoms.box = atoms::box_of(frame.atoms.cell, {n != 2, n != 2, n < 2});
    frame.atoms.species = {"Be", "W"};
    for (int i = 0; i < 2 + n; ++i) {
      frame.atoms.positions.push_back({0.9 * i, 1.7 * (i % 3), 2.1 * (i % 2)});
      frame.atoms.types.push_back(i % 2);
      frame.line.push_back(10 * n + i);
    }
    frames.push_back(frame);
  }
  return frames;
}

TEST_F(Evaluation, StructuresOfABatchHaveTheNumbersThatTheyHaveAlone) {
  const Device device = testing_support::test_device(2);
  const OverlaidPotential potential({path("some"), "", std::array{2.0, 3.0}}, device);
  const std::unique_ptr<Evaluator> evaluator = evaluator_on(device, potential, true);
  const std::vector<io::AtomFrame> frames = unlike_frames();
  const std::vector<Evaluated> together = evaluator->evaluate(frames);
  ASSERT_EQ(together.size(), frames.size());
  for (std::size_t n = 0; n < frames.size(); ++n) {
    const Evaluated& found = together[n];
    const Evaluated alone = evaluator->evaluate({&frames[n], 1}).at(0);
    EXPECT_EQ(found.energy, alone.energy) << n;
    EXPECT_EQ(found.energies, alone.energies) << n;
    EXPECT_TRUE(found.forces == alone.forces) << n;
    EXPECT_EQ(found.virial, alone.virial) << n;
    EXPECT_EQ(found.bispectrum, alone.bispectrum) << n;
    const Evaluated on_cpu = evaluate(potential, frames[n], true);
    double strongest = 1;
    for (const Vec3<double>& f : on_cpu.forces) strongest = std::max(strongest, length(f));
    EXPECT_NEAR(found.energy, on_cpu.energy, 1e-12 * std::max(1.0, std::abs(on_cpu.energy))) << n;
    ASSERT_EQ(found.bispectrum.size(), on_cpu.bispectrum.size());
    for (std::size_t i = 0; i < found.forces.size(); ++i) {
      EXPECT_LT(length(found.forces[i] - on_cpu.forces[i]), 1e-12 * strongest) << n << ' ' << i;
      EXPECT_NEAR(found.bispectrum[2 * i], on_cpu.bispectrum[2 * i], 1e-10) << n << ' ' << i;
    }
  }
}

TEST_F(Evaluation, TheFirstStructureOfABatchThatIsWrongIsNamed) {
  const Device device = testing_support::test_device(2);
  const OverlaidPotential potential({path("some"), "", std::nullopt}, device);
  std::vector<io::AtomFrame> frames = unlike_frames();
  for (const std::size_t n : {1, 3}) frames[n].atoms.positions[2] = frames[n].atoms.positions[0];
  try {
    evaluator_on(device, potential, false)->evaluate(frames);
    FAIL() << "two atoms are at the same place";
  } catch (const InputError& error) {
    EXPECT_NE(error.problem().find("has the position of the atom on line 10"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace larmor::evaluation::evaluation_tests
