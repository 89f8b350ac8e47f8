// Rooms: atoms
#include "larmor/atoms/potentials/snap/snap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "larmor/atoms/potentials/snap/clebsch_gordan.hpp"
#include "larmor/atoms/potentials/zbl/zbl.hpp"
#include "larmor/io/potentials/lammps_script.hpp"
#include "larmor/io/potentials/snap_files.hpp"
#include "tests/physics/snap_support.hpp"

namespace larmor::snap_tests {
namespace {

using testing_support::AtomsInBox;
using testing_support::by_name;
using testing_support::disordered_crystal;
using testing_support::every_flag;
using testing_support::Named;
using testing_support::parameters_of;
using testing_support::random_potential;
using testing_support::TestedSnap;
using namespace atoms;
using snap::Method;
using snap::Snap;
using snap::SnapParameters;

// ---- Clebsch-Gordan coefficients ----

TEST(ClebschGordan, KnownValues) {
  EXPECT_NEAR(snap::clebsch_gordan(1, 1, 1, 0, 0), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(snap::clebsch_gordan(1, 0, 1, 1, 0), -std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(snap::clebsch_gordan(1, 1, 1, 1, 2), 1, 1e-15);
  EXPECT_NEAR(snap::clebsch_gordan(2, 2, 2, 0, 2), std::sqrt(0.5), 1e-15);   // <1 1, 1 -1|1 0>
  EXPECT_NEAR(snap::clebsch_gordan(4, 2, 2, 1, 2), -std::sqrt(0.4), 1e-15);  // <2 0, 1 0|1 0>
  EXPECT_EQ(snap::clebsch_gordan(2, 0, 2, 0, 2), 0);
}

TEST(ClebschGordan, AreOrthonormal) {
  for (int j1 = 0; j1 <= 14; ++j1)
    for (int j2 = 0; j2 <= j1; ++j2)
      for (int m = 0; m <= j1 + j2; ++m)
        for (int j = j1 - j2; j <= std::min(14, j1 + j2); j += 2)
          for (int other = j; other <= std::min(14, j1 + j2); other += 2) {
            if (std::abs(2 * m - j1 - j2) > std::min(j, other)) continue;
            double sum = 0;
            for (int m1 = std::max(0, m - j2); m1 <= std::min(j1, m); ++m1)
              sum += snap::clebsch_gordan(j1, m1, j2, m - m1, j) *
                     snap::clebsch_gordan(j1, m1, j2, m - m1, other);
            ASSERT_NEAR(sum, j == other ? 1 : 0, 1e-13) << j1 << " " << j2 << " " << j;
          }
}

// ---- Potentials of every flag ----

class SnapOfEveryFlag : public testing::TestWithParam<Named<TestedSnap>> {
 protected:
  std::unique_ptr<Snap> snap(Method method = Method::generators) const {
    return std::make_unique<Snap>(random_potential(tested_.parameters, tested_.elements), method);
  }
  AtomsInBox crystal() const { return disordered_crystal(1, tested_.elements); }
  static double energy(const Snap& snap, const AtomsInBox& atoms) {
    return total(snap.evaluate(atoms.rows(snap.cutoff()), atoms.elements).energy);
  }

  const TestedSnap& tested_ = GetParam().value;
};

constexpr Method all_methods[] = {Method::baseline, Method::adjoint, Method::generators};

TEST_P(SnapOfEveryFlag, MethodsAgree) {
  const AtomsInBox atoms = disordered_crystal(2, tested_.elements);
  const NeighbourRows rows = atoms.rows(snap()->cutoff());
  const PairGradients expected = snap(Method::baseline)->evaluate(rows, atoms.elements);
  double steepest = 1;
  for (const Vec3<double>& g : expected.gradient) steepest = std::max(steepest, length(g));
  for (const Method method : {Method::adjoint, Method::generators}) {
    const PairGradients found = snap(method)->evaluate(rows, atoms.elements);
    for (std::size_t i = 0; i < expected.energy.size(); ++i)
      ASSERT_NEAR(found.energy[i], expected.energy[i],
                  1e-12 * std::max(1.0, std::abs(expected.energy[i])));
    for (std::size_t n = 0; n < expected.gradient.size(); ++n)
      ASSERT_LT(length(found.gradient[n] - expected.gradient[n]), 1e-12 * steepest) << n;
  }
}

TEST_P(SnapOfEveryFlag, ForcesAreMinusTheDerivativeOfTheEnergy) {
  AtomsInBox atoms = crystal();
  for (const Method method : all_methods) {
    const std::unique_ptr<Snap> snap = this->snap(method);
    const NeighbourRows rows = atoms.rows(snap->cutoff());
    const Vec3<double> F = forces(rows, snap->evaluate(rows, atoms.elements).gradient)[0];
    constexpr double step = 1e-4;
    const auto slope = [&](double Vec3<double>::*axis) {
      double E[4];
      const double shifts[4] = {-2, -1, 1, 2};
      for (int n = 0; n < 4; ++n) {
        AtomsInBox moved = atoms;
        moved.positions[0].*axis += shifts[n] * step;
        E[n] = energy(*snap, moved);
      }
      return (E[0] - 8 * E[1] + 8 * E[2] - E[3]) / (12 * step);
    };
    const double scale = 1e-8 * std::max(1.0, length(F));
    EXPECT_NEAR(F.x, -slope(&Vec3<double>::x), scale);
    EXPECT_NEAR(F.y, -slope(&Vec3<double>::y), scale);
    EXPECT_NEAR(F.z, -slope(&Vec3<double>::z), scale);
  }
}

TEST_P(SnapOfEveryFlag, VirialIsMinusTheDerivativeByStrain) {
  const AtomsInBox atoms = crystal();
  const std::unique_ptr<Snap> snap = this->snap();
  const NeighbourRows rows = atoms.rows(snap->cutoff());
  const std::vector<SymmetricTensor> of_atoms =
      virials(rows, snap->evaluate(rows, atoms.elements).gradient);
  const SymmetricTensor W = total(of_atoms);
  constexpr int row_of[6] = {0, 1, 2, 0, 0, 1}, column_of[6] = {0, 1, 2, 1, 2, 2};
  constexpr double step = 1e-5;
  const auto strained = [&](int a, int b, double strain) {
    AtomsInBox moved = atoms;
    const auto stretch = [&](Vec3<double>& r) {
      const double from[3] = {r.x, r.y, r.z};
      (a == 0 ? r.x : a == 1 ? r.y : r.z) += strain * from[b];
    };
    for (Vec3<double>& v : moved.box.vectors) stretch(v);
    for (Vec3<double>& r : moved.positions) stretch(r);
    return energy(*snap, moved);
  };
  for (std::size_t c = 0; c < 6; ++c) {
    const double slope =
        (strained(row_of[c], column_of[c], step) - strained(row_of[c], column_of[c], -step)) /
        (2 * step);
    EXPECT_NEAR(W[c], -slope, 1e-6 * std::max(1.0, std::abs(slope))) << c;
  }
}

TEST_P(SnapOfEveryFlag, BispectrumAndItsGradientsMakeEnergyAndForces) {
  const AtomsInBox atoms = crystal();
  const std::unique_ptr<Snap> snap = this->snap();
  const NeighbourRows rows = atoms.rows(snap->cutoff());
  const PairGradients found = snap->evaluate(rows, atoms.elements);
  const std::vector<double> B = snap->bispectrum(rows, atoms.elements);
  const std::vector<Vec3<double>> slopes = snap->bispectrum_gradients(rows, atoms.elements);
  const auto K = static_cast<std::size_t>(snap->components());
  for (std::size_t i = 0; i < atoms.positions.size(); ++i) {
    const std::vector<double>& c =
        snap->potential().elements[static_cast<std::size_t>(atoms.elements[i])].coefficients;
    double E = c[0];
    std::vector<double> slope(c.begin() + 1, c.begin() + 1 + static_cast<std::ptrdiff_t>(K));
    for (std::size_t k = 0; k < K; ++k) E += c[1 + k] * B[i * K + k];
    std::size_t next = 1 + K;
    if (tested_.parameters.quadraticflag)
      for (std::size_t k = 0; k < K; ++k)
        for (std::size_t l = k; l < K; ++l, ++next) {
          E += (k == l ? 0.5 : 1) * c[next] * B[i * K + k] * B[i * K + l];
          slope[k] += c[next] * B[i * K + l];
          if (k != l) slope[l] += c[next] * B[i * K + k];
        }
    EXPECT_NEAR(E, found.energy[i], 1e-11 * std::max(1.0, std::abs(E)));
    for (Index n = rows.first[i]; n < rows.first[i + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      Vec3<double> g{};
      for (std::size_t k = 0; k < K; ++k) g += slope[k] * slopes[entry * K + k];
      EXPECT_LT(length(g - found.gradient[entry]), 1e-11 * std::max(1.0, length(g)));
    }
  }
}

TEST_P(SnapOfEveryFlag, GradientsOfComponentsAreThoseOfTheBaseline) {
  const AtomsInBox atoms = crystal();
  const std::unique_ptr<Snap> fast = snap(), slow = snap(Method::baseline);
  const NeighbourRows rows = atoms.rows(fast->cutoff());
  const std::vector<Vec3<double>> found = fast->bispectrum_gradients(rows, atoms.elements);
  const std::vector<Vec3<double>> expected = slow->bispectrum_gradients(rows, atoms.elements);
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0;
  for (const Vec3<double>& g : expected) largest = std::max(largest, length(g));
  EXPECT_GT(largest, 0.1);
  for (std::size_t n = 0; n < found.size(); ++n)
    ASSERT_LT(length(found[n] - expected[n]), 1e-12 * largest) << n;
}

TEST_P(SnapOfEveryFlag, RotationsTurnForcesAndChangeNoEnergy) {
  const AtomsInBox atoms = crystal();
  const std::unique_ptr<Snap> snap = this->snap();
  const auto turned = [](const Vec3<double>& r) {
    const Vec3<double> axis{2.0 / 3, -1.0 / 3, 2.0 / 3};
    const double angle = 1.1;
    return std::cos(angle) * r + std::sin(angle) * cross(axis, r) +
           (1 - std::cos(angle)) * dot(axis, r) * axis;
  };
  AtomsInBox other = atoms;
  for (Vec3<double>& v : other.box.vectors) v = turned(v);
  for (Vec3<double>& r : other.positions) r = turned(r) + Vec3<double>{0.3, -5, 1};
  other.positions[1] += other.box.vectors[2];  // another image of the atom
  const NeighbourRows rows = atoms.rows(snap->cutoff()), rows_of_other = other.rows(snap->cutoff());
  const PairGradients a = snap->evaluate(rows, atoms.elements);
  const PairGradients b = snap->evaluate(rows_of_other, other.elements);
  const std::vector<Vec3<double>> F = forces(rows, a.gradient);
  const std::vector<Vec3<double>> G = forces(rows_of_other, b.gradient);
  for (std::size_t i = 0; i < F.size(); ++i) {
    EXPECT_NEAR(a.energy[i], b.energy[i], 1e-11 * std::max(1.0, std::abs(a.energy[i])));
    EXPECT_LT(length(turned(F[i]) - G[i]), 1e-10 * std::max(1.0, length(F[i])));
  }
}

TEST_P(SnapOfEveryFlag, OrderOfAtomsChangesNothing) {
  const AtomsInBox atoms = disordered_crystal(2, tested_.elements);
  const std::unique_ptr<Snap> snap = this->snap();
  AtomsInBox reversed = atoms;
  std::reverse(reversed.positions.begin(), reversed.positions.end());
  std::reverse(reversed.elements.begin(), reversed.elements.end());
  const PairGradients a = snap->evaluate(atoms.rows(snap->cutoff()), atoms.elements);
  const PairGradients b = snap->evaluate(reversed.rows(snap->cutoff()), reversed.elements);
  const std::size_t last = a.energy.size() - 1;
  for (std::size_t i = 0; i <= last; ++i)
    EXPECT_NEAR(a.energy[i], b.energy[last - i], 1e-11 * std::max(1.0, std::abs(a.energy[i])));
}

TEST_P(SnapOfEveryFlag, NeighboursLeaveSmoothlyAtTheCutoff) {
  if (!tested_.parameters.switchflag) return;
  const std::unique_ptr<Snap> snap = this->snap();
  const double cutoff = snap->potential().cutoff(0, 0);
  AtomsInBox atoms{{{{{30, 0, 0}, {0, 30, 0}, {0, 0, 30}}}}, {{1, 1, 1}, {}, {3, 3, 2}}, {0, 0, 0}};
  const auto found = [&](double distance) {
    atoms.positions[1] = atoms.positions[0] + (distance / 3) * Vec3<double>{1, -2, 2};
    const NeighbourRows rows = atoms.rows(cutoff + 1);
    const PairGradients result = snap->evaluate(rows, atoms.elements);
    return std::pair(total(result.energy), length(forces(rows, result.gradient)[1]));
  };
  const auto [outside, none] = found(cutoff + 1e-9);
  EXPECT_NEAR(found(cutoff - 1e-5).first, outside, 1e-7 * std::max(1.0, std::abs(outside)));
  // Only the third atom has this force.
  EXPECT_NEAR(found(cutoff - 1e-6).second, none, 1e-4);
  EXPECT_GT(std::abs(found(cutoff - 0.5).first - outside), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Flags, SnapOfEveryFlag, testing::ValuesIn(every_flag), by_name);

// ---- One box ----

TEST(Snap, LargestOrderAgreesWithTheBaseline) {
  const AtomsInBox atoms = disordered_crystal(1, 1);
  const Snap fast(random_potential(parameters_of(14), 1)),
      slow(random_potential(parameters_of(14), 1), Method::baseline);
  const NeighbourRows rows = atoms.rows(fast.cutoff());
  const PairGradients a = fast.evaluate(rows, atoms.elements),
                      b = slow.evaluate(rows, atoms.elements);
  double steepest = 1;
  for (const Vec3<double>& g : b.gradient) steepest = std::max(steepest, length(g));
  EXPECT_NEAR(a.energy[0], b.energy[0], 1e-12 * std::max(1.0, std::abs(b.energy[0])));
  for (std::size_t n = 0; n < a.gradient.size(); ++n)
    EXPECT_LT(length(a.gradient[n] - b.gradient[n]), 1e-12 * steepest);
}

TEST(Snap, ABoxSmallerThanTheCutoffIsAsSeveralSideBySide) {
  const Snap snap(random_potential(parameters_of(4), 2));
  const AtomsInBox few = disordered_crystal(1, 2);
  AtomsInBox many{few.box, {}, {}};
  for (Vec3<double>& v : many.box.vectors) v = 3.0 * v;
  for (int copy = 0; copy < 27; ++copy)
    for (std::size_t i = 0; i < few.positions.size(); ++i) {
      const auto& [a, b, c] = few.box.vectors;
      many.positions.push_back(few.positions[i] + 1.0 * (copy % 3) * a + 1.0 * (copy / 3 % 3) * b +
                               1.0 * (copy / 9) * c);
      many.elements.push_back(few.elements[i]);
    }
  const NeighbourRows rows = few.rows(snap.cutoff()), rows_of_many = many.rows(snap.cutoff());
  const PairGradients a = snap.evaluate(rows, few.elements);
  const PairGradients b = snap.evaluate(rows_of_many, many.elements);
  const std::vector<Vec3<double>> F = forces(rows, a.gradient);
  const std::vector<Vec3<double>> G = forces(rows_of_many, b.gradient);
  for (std::size_t i = 0; i < many.positions.size(); ++i) {
    EXPECT_NEAR(a.energy[i % F.size()], b.energy[i], 1e-12);
    EXPECT_LT(length(F[i % F.size()] - G[i]), 1e-12);
  }
}

TEST(Snap, AnAtomAloneHasTheConstantEnergy) {
  const Snap snap(random_potential(parameters_of(6), 1));
  const AtomsInBox atoms{{{{{20, 0, 0}, {0, 20, 0}, {0, 0, 20}}}}, {{1, 2, 3}}, {0}};
  EXPECT_NEAR(snap.evaluate(atoms.rows(snap.cutoff()), atoms.elements).energy[0],
              snap.potential().elements[0].coefficients[0], 1e-12);
}

TEST(Snap, ThreadsAndCompanyChangeNoBit) {
  SnapParameters parameters = parameters_of(4);
  parameters.chemflag = true;
  const AtomsInBox atoms = disordered_crystal(2, 2);
  const auto gradients = [&](int threads, const AtomsInBox& of) {
    const Snap snap(random_potential(parameters, 2), Method::generators, Device::cpu(threads));
    return snap.evaluate(of.rows(snap.cutoff()), of.elements);
  };
  const PairGradients one = gradients(1, atoms);
  for (const int threads : {2, 7}) {
    const PairGradients several = gradients(threads, atoms);
    EXPECT_EQ(one.energy, several.energy);
    EXPECT_EQ(one.gradient, several.gradient);
  }
  // Another atom far away changes which pairs share a vector.
  AtomsInBox open = atoms;
  open.box.periodic = {false, false, false};
  AtomsInBox more = open;
  more.positions.insert(more.positions.begin(), {100, 100, 100});
  more.elements.insert(more.elements.begin(), 0);
  const PairGradients alone = gradients(1, open), in_company = gradients(1, more);
  EXPECT_EQ(alone.gradient, in_company.gradient);
  EXPECT_TRUE(std::equal(alone.energy.begin(), alone.energy.end(), in_company.energy.begin() + 1));
}

// ---- Potentials that LAMMPS provides ----

struct Published {
  const char* file;
  bool fcc;
  double lattice_constant;  ///< Angstrom
};

class PublishedSnap : public testing::TestWithParam<Named<Published>> {};

TEST_P(PublishedSnap, CrystalsHaveTheirLatticeConstant) {
  const Published& tested = GetParam().value;
  const char* folder = std::getenv("LAMMPS_POTENTIALS");
  const auto file =
      std::filesystem::path(folder ? folder : "/usr/share/lammps/potentials") / tested.file;
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no potentials of LAMMPS here";
  const io::LammpsPotential potential = io::read_lammps_potential(file.string());
  const Snap snap(io::read_snap(potential.coefficients, potential.parameters, potential.elements));
  const auto energy = [&](double strain) {
    const double a = tested.lattice_constant * (1 + strain);
    AtomsInBox atoms{{{{{a, 0, 0}, {0, a, 0}, {0, 0, a}}}}, {{0, 0, 0}}, {0}};
    if (tested.fcc)
      atoms.positions = {{0, 0, 0}, {0, a / 2, a / 2}, {a / 2, 0, a / 2}, {a / 2, a / 2, 0}};
    else
      atoms.positions = {{0, 0, 0}, {a / 2, a / 2, a / 2}};
    atoms.elements.resize(atoms.positions.size());
    PairGradients sum = snap.evaluate(atoms.rows(snap.cutoff()), atoms.elements);
    double E = total(sum.energy);
    if (potential.zbl) {
      const Zbl zbl(potential.zbl->inner, potential.zbl->outer,
                    static_cast<std::int32_t>(potential.elements.size()), potential.zbl->pairs);
      E += total(zbl.evaluate(atoms.rows(zbl.cutoff()), atoms.elements).energy);
    }
    return E / static_cast<double>(atoms.positions.size());
  };
  // The parabola through three energies has its minimum within half a percent of the lattice
  // constant.
  constexpr double step = 0.01;
  const double E = energy(0), larger = energy(step), smaller = energy(-step);
  const double curvature = larger - 2 * E + smaller;
  EXPECT_GT(curvature, 0);
  EXPECT_LT(std::abs(0.5 * step * (smaller - larger) / curvature), 5e-3);
}

const Named<Published> published[] = {{"Ta06A", {"Ta06A.snap", false, 3.316}},
                                      {"W_2940", {"W_2940_2017_2.snap", false, 3.1803}},
                                      {"WBe", {"WBe_Wood_PRB2019.snap", false, 3.18}},
                                      {"Mo", {"Mo_Chen_PRM2017.snap", false, 3.16}},
                                      {"Ni", {"Ni_Zuo_JPCA2020.quadratic.snap", true, 3.52}}};

INSTANTIATE_TEST_SUITE_P(Files, PublishedSnap, testing::ValuesIn(published), by_name);

}  // namespace
}  // namespace larmor::snap_tests
