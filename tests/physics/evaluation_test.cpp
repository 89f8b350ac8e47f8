// What is written about structures: signs, units and orders. (tests/reliability/test_evaluate.py
// has forces as derivatives of energies, and what LAMMPS computed.)

#include "larmor/evaluation/evaluation.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "larmor/atoms/potentials/zbl/zbl.hpp"

namespace larmor::evaluation {
namespace {

/// Files of a potential without any interaction of SNAP, in a folder that goes when the test ends.
class Evaluation : public testing::Test {
 protected:
  Evaluation() {
    std::filesystem::create_directories(folder_);
    std::ofstream(path("none.snapcoeff")) << "2 2\nW 0.5 1\n-1\n0\nBe 0.4 1\n-2\n0\n";
    std::ofstream(path("none.snapparam")) << "rcutfac 3\ntwojmax 0\n";
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
    // Repulsion: the atom at the right is pushed to the right.
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

}  // namespace
}  // namespace larmor::evaluation
