// One definition of the energy: fields are its derivatives, every slot computes the same number,
// and hand-counted configurations have the energy that the conventions say.

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/for_each.hpp"
#include "larmor/spins/kernels.hpp"
#include "test_system.hpp"

namespace {

using namespace larmor;
using namespace larmor::spins;
using testing_support::TestSystem;

struct NamedModel {
  const char* name;
  std::string terms;
};

const std::string exchange = "[[exchange]]\nshell=1\nJ=1.3\n[[exchange]]\nshell=2\nJ=-0.4\n";
const std::string dmi = "[[dmi]]\noffset=[[1,0,0],[0,1,0]]\natoms=[0,0]\nD=[0.3,-0.7,0.4]\n";
const std::string anisotropy =
    "[[anisotropy]]\nK=0.9\naxis=[1,2,2]\n[[anisotropy]]\nK=-0.5\naxis=[0,0,1]\n";
const std::string field = "[field]\nB=[0.2,0.5,-0.8]\n";

class EveryTerm : public testing::TestWithParam<NamedModel> {
 protected:
  std::string text() const {
    return "[lattice]\ntype='honeycomb'\nsize=[4,5]\nperiodic=[true,false]\nmoment=[1.2,2.1]\n" +
           GetParam().terms;
  }
};

TEST_P(EveryTerm, FieldIsMinusTheDerivativeOfTheEnergy) {
  for (const Index replicas : {Index{1}, Index{3}}) {
    TestSystem system(text(), replicas);
    system.state.randomise(5);
    const SpinLayout layout = system.state.layout();
    std::vector<double> spins = system.state.save(), force(spins.size());
    const ModelView model = system.model.view(replicas);
    spin_kernels().effective_field(system.device, model, spins.data(), force.data());
    const VectorView e(spins.data(), layout), h(force.data(), layout);
    constexpr double step = 1e-5;
    double largest = 0;
    for (Index site = 0; site < layout.sites; site += 3) {
      for (int c = 0; c < 3; ++c) {
        const Single at{site, replicas - 1};
        const Vec3<double> old = e.load(at);
        const auto energy_at = [&](double shift) {
          Vec3<double> moved = old;
          (c == 0 ? moved.x : c == 1 ? moved.y : moved.z) += shift;
          e.store(at, moved);
          const double energy = spin_kernels().energy(
              system.device, model, spins.data())[static_cast<std::size_t>(replicas - 1)];
          e.store(at, old);
          return energy;
        };
        const double derivative = (energy_at(step) - energy_at(-step)) / (2 * step);
        const Vec3<double> f = h.load(at);
        const double component = c == 0 ? f.x : c == 1 ? f.y : f.z;
        EXPECT_NEAR(component, -derivative, 1e-8) << "site " << site << " component " << c;
        largest = std::max(largest, std::abs(component));
      }
    }
    EXPECT_GT(largest, 0.1) << "no field, nothing tested";
  }
}

TEST_P(EveryTerm, LanesAndTheScalarReferenceComputeTheSameEnergy) {
  for (const Index replicas : {Index{1}, Index{11}}) {
    TestSystem system(text(), replicas);
    system.state.randomise(6);
    const ModelView model = system.model.view(replicas);
    const VectorView spins(system.state.data(), system.state.layout());
    const std::vector<double> lanes =
        spin_kernels().energy(system.device, model, system.state.data());
    for (Index r = 0; r < replicas; ++r) {
      double reference = 0;
      for (Index site = 0; site < model.layout.sites; ++site) {
        const Single at{site, r};
        reference += model.bond_class == BondClass::scalar
                         ? energy_share<BondClass::scalar>(model, spins, at)
                         : energy_share<BondClass::vector>(model, spins, at);
      }
      EXPECT_NEAR(lanes[static_cast<std::size_t>(r)], reference, 1e-12 * (1 + std::abs(reference)));
    }
  }
}

TEST_P(EveryTerm, TermsSumToTheTotal) {
  TestSystem system(text(), 5);
  system.state.randomise(7);
  std::vector<double> total = energy_per_site(system.model, system.state);
  for (std::size_t t = 0; t < system.model.term_names().size(); ++t) {
    const auto part = term_energy_per_site(system.model, t, system.state);
    for (std::size_t r = 0; r < total.size(); ++r) total[r] -= part[r];
  }
  for (const double rest : total) EXPECT_NEAR(rest, 0, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Terms, EveryTerm,
                         testing::Values(NamedModel{"exchange", exchange}, NamedModel{"dmi", dmi},
                                         NamedModel{"anisotropy", anisotropy},
                                         NamedModel{"field", field},
                                         NamedModel{"all", exchange + dmi + anisotropy + field}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Conventions, FerromagnetCountsEachPairOnce) {
  TestSystem system("[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=2\n");
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -6.0, 1e-13);
  EXPECT_NEAR(system.model.ferromagnetic_bond_energy(), -6.0, 1e-13);
  EXPECT_NEAR(system.model.mean_field_temperature(), 6 * 2.0 / 3, 1e-12);
}

TEST(Conventions, ZeemanEnergyIsMinusMomentTimesField) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[3]\nmoment=[2.5]\n[field]\nB=[0,0,0.4]\n");
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -1.0, 1e-14);
}

TEST(Conventions, PositiveAnisotropyIsAnEasyAxis) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[3]\n[[anisotropy]]\nK=0.7\n");
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -0.7, 1e-14);
}

TEST(Conventions, DmiPrefersToTurnFromTheFirstToTheSecondAboutD) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,1]\n");
  system.state.set_all(std::vector<Vec3<double>>{{1, 0, 0}, {0, 1, 0}});
  EXPECT_NEAR(2 * energy_per_site(system.model, system.state)[0], -1.0, 1e-14);
  system.state.set_all(std::vector<Vec3<double>>{{0, 1, 0}, {1, 0, 0}});
  EXPECT_NEAR(2 * energy_per_site(system.model, system.state)[0], 1.0, 1e-14);
}

TEST(Conventions, DmiSpiralTurnsByAtanDOverJ) {
  // The energy of spirals about z on a ring is lowest at the turn atan(D/J) a bond, J = D: 45
  // degrees.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[dmi]]\nshell=1\nstrength=1\ndirection='bond'\n");
  const auto spiral = [&](int turns) {
    std::vector<Vec3<double>> e;
    for (int i = 0; i < 8; ++i) {
      const double angle = 2 * M_PI * turns * i / 8;
      e.push_back({0, std::cos(angle), std::sin(angle)});  // D is along the chain, x
    }
    system.state.set_all(e);
    return energy_per_site(system.model, system.state)[0];
  };
  EXPECT_NEAR(spiral(1), -std::sqrt(2.0), 1e-13);
  EXPECT_LT(spiral(1), spiral(0));
  EXPECT_LT(spiral(1), spiral(2));
  EXPECT_GT(spiral(-1), spiral(0) - 1e-12);
}

}  // namespace
