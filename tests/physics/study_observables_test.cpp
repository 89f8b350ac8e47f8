// Observables that studies request by name, for configurations with known values.
// Rooms: spins, study

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "study_test.hpp"

namespace larmor::study_observables_tests {
namespace {

class StudyObservables : public testing_support::StudyTest {
 protected:
  /// Averages of an observable for spins that keep their initial state.
  /// @param system tables of the lattice, the couplings and the initial state
  std::vector<double> average(const std::string& name, const std::string& observable,
                              const std::string& system) const {
    const io::ResultsReader results =
        results_of("replicas=2\n", system +
                                       "[[stage]]\nkind='dynamics'\ntimestep=1e-9\nsteps=1\n"
                                       "measure=[{what='" +
                                       observable + "',every=1}]\n");
    return results.read<double>("/stages/01-dynamics/averages/" + name + "/value");
  }
};

const std::string square = "[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=0.5\n";
/// Spins of (-1)^(x+y) along x.
const std::string staggered =
    "[initial]\nstate='spiral'\nq=[0.5,0.5,0]\ndirection=[1,0,0]\nnormal=[0,0,1]\n";

TEST_F(StudyObservables, EnergyTermsAreThoseOfEachTerm) {
  const std::string system = square + "[[anisotropy]]\nK=0.3\naxis=[1,0,0]\n" + staggered;
  EXPECT_NEAR(average("energy_exchange", "energy-terms", system)[0], 2 * 0.5, 1e-12);
  EXPECT_NEAR(average("energy_anisotropy", "energy-terms", system)[0], -0.3, 1e-12);
}

TEST_F(StudyObservables, SublatticesAreBasisAtomsOrSpecies) {
  const std::string lattice =
      "[lattice]\ncell=[[1,0,0],[0,1,0],[0,0,1]]\nbasis=[[0,0,0],[0.5,0.5,0]]\nsize=[3,3,1]\n";
  const std::string beginning =
      "[initial]\nstate='sublattices'\ndirections=[[0,0,1],[0,0,-1]]\n[field]\nB=[0,0,1]\n";
  EXPECT_NEAR(
      average("magnetisation_atom_1", "sublattices", lattice + "moment=[2,3]\n" + beginning)[0], 3,
      1e-12);
  EXPECT_NEAR(average("magnetisation_B", "sublattices",
                      lattice + "species=['A','B']\nmoment=[2,3]\n" + beginning)[0],
              3, 1e-12);
}

TEST_F(StudyObservables, TopologicalChargeOfASkyrmionIsOneInSize) {
  const double charge = average("topological_charge", "topological-charge",
                                "[lattice]\ntype='square'\nsize=[24,24]\n[[exchange]]\nshell=1\n"
                                "J=1\n[initial]\nstate='skyrmion'\nradius=6\n")[0];
  EXPECT_NEAR(std::abs(charge), 1, 1e-9);
}

/// A bond carries e_i x J e_j, which is J times the sine of the turn from one site to the next.
TEST_F(StudyObservables, SpinCurrentsOfASpiralFlowAlongIt) {
  const std::string spiral =
      square + "[initial]\nstate='spiral'\nq=[0.25,0,0]\ndirection=[1,0,0]\nnormal=[0,0,1]\n";
  EXPECT_NEAR(average("spin_current_x", "spin-currents", spiral)[0], 0.5, 1e-8);
  EXPECT_NEAR(average("spin_current_y", "spin-currents", spiral)[0], 0, 1e-8);
}

/// The spin temperature is |e x B|^2 / (2 e.B), for spins at an angle of 60 degrees to the field.
TEST_F(StudyObservables, SpinTemperatureIsThatOfTheAngleToTheField) {
  const std::string tilted =
      "[lattice]\ntype='square'\nsize=[3,3]\n[field]\nB=[0,0,2]\n[initial]\nstate='aligned'\n"
      "direction=[0.8660254037844386,0,0.5]\n";
  EXPECT_NEAR(average("spin_temperature", "spin-temperature", tilted)[0], 2 * 0.75, 1e-8);
}

}  // namespace
}  // namespace larmor::study_observables_tests
