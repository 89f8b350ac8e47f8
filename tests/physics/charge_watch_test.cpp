// Relaxation of textures, and the report if a texture does not survive.
// Rooms: spins, study

#include "larmor/study/models/spins/stages/charge_watch.hpp"

#include <gtest/gtest.h>

#include "study_test.hpp"

namespace larmor::study::charge_watch_tests {
namespace {

TEST(ChargeWatch, SaysHowChargesHaveChanged) {
  EXPECT_EQ(charge_change_text({-1, -1}, {-1, -1.2}), "");
  EXPECT_EQ(charge_change_text({-1}, {1e-12}),
            "the topological charge changed from -1 to 0: the texture has collapsed");
  EXPECT_EQ(charge_change_text({-1, -1, -1}, {0, -1, -1e-12}),
            "the topological charge of 2 of 3 replicas changed from -1 to 0: the texture has "
            "collapsed");
  EXPECT_EQ(charge_change_text({-4, -4, -4}, {-3, -4, 0}),
            "the topological charge of 2 of 3 replicas changed from -4 to between -3 and 0");
  EXPECT_EQ(charge_change_text({0.5}, {-0.48}),
            "the topological charge changed from 0.50 to -0.48");
}

class RelaxedTexture : public testing_support::StudyTest {
 protected:
  /// The topological charge of a texture after relaxation.
  /// @param dmi, initial keys of these tables @param size edge of a triangular lattice
  double charge(const std::string& dmi, double B, int size, const std::string& initial,
                const std::string& method) {
    return results_of("seed=1\n", "[lattice]\ntype='triangular'\nsize=[" + std::to_string(size) +
                                      "," + std::to_string(size) +
                                      "]\n[[exchange]]\nshell=1\nJ=1\n[[dmi]]\nshell=1\n" + dmi +
                                      "\n[field]\nB=[0,0," + std::to_string(B) + "]\n[initial]\n" +
                                      initial + "\n[[stage]]\nkind='minimise'\nmethod='" + method +
                                      "'\nmeasure=['topological-charge']\n")
        .read<double>("/stages/01-minimise/averages/topological_charge/value")[0];
  }
};

TEST_F(RelaxedTexture, ASkyrmionSurvivesEveryMinimiserWhicheverWayItsCorePoints) {
  const std::string skyrmion = "state='skyrmion'\nradius=6";
  for (const std::string method : {"lbfgs", "cg", "damped"})
    for (const std::string dmi : {"strength=0.5\ndirection='interface'", "strength=-0.5"}) {
      EXPECT_NEAR(charge(dmi, 0.3, 40, skyrmion, method), -1, 1e-9) << method << " " << dmi;
      EXPECT_NEAR(charge(dmi, -0.3, 40, skyrmion, method), 1, 1e-9) << method << " " << dmi;
    }
}

TEST_F(RelaxedTexture, ASkyrmionLatticeSurvives) {
  EXPECT_NEAR(charge("strength=0.7", 0.3, 36, "state='skyrmion-lattice'\nperiod=12", "lbfgs"), -9,
              1e-9);
}

}  // namespace
}  // namespace larmor::study::charge_watch_tests
