// Boxes whose energies, forces, virials and bispectrum components LAMMPS computed. The boxes test
// every method of a CPU, and `larmor evaluate` on the device that LARMOR_TEST_BACKEND names.
// Rooms: atoms, evaluation

#include "tests/physics/snap_golden.hpp"

#include <gtest/gtest.h>

#include "larmor/atoms/potentials/zbl/zbl.hpp"
#include "larmor/io/potentials/lammps_script.hpp"
#include "larmor/io/potentials/snap_files.hpp"

namespace larmor::snap_golden_tests {
namespace {

using namespace testing_support;
using namespace atoms;
using snap::Method;
using snap::Snap;

class SnapGolden : public testing::TestWithParam<std::tuple<Named<GoldenCase>, Named<Method>>> {
 protected:
  void SetUp() override {
    if (!golden_.is_there())
      GTEST_SKIP() << "no reference of SNAP: LARMOR_TEST_REFERENCE names none";
  }
  static const GoldenCase& tested() { return std::get<0>(GetParam()).value; }
  std::unique_ptr<Snap> snap() const {
    return std::make_unique<Snap>(
        io::read_snap(golden_.potential_file("coeff_file"), golden_.potential_file("param_file"),
                      tested().elements),
        std::get<1>(GetParam()).value);
  }
  static void expect_matched(const GoldenNumbers& expected, const PairGradients& found,
                             const NeighbourRows& rows) {
    expected.expect_energies(found.energy);
    expected.expect_forces(forces(rows, found.gradient));
    const std::vector<SymmetricTensor> of_atoms = virials(rows, found.gradient);
    expected.expect_virial(total(of_atoms));
    expected.expect_virials_of_atoms(of_atoms);
  }
  GoldenNumbers numbers(const char* section) const {
    return {golden_, section, tested().tolerance};
  }

  Golden golden_{tested().file};
};

TEST_P(SnapGolden, EnergiesForcesAndVirialsAreMatched) {
  const std::unique_ptr<Snap> snap = this->snap();
  const AtomsInBox atoms = golden_.atoms();
  const NeighbourRows rows = atoms.rows(snap->cutoff());
  expect_matched(numbers("snap"), snap->evaluate(rows, atoms.elements), rows);
}

TEST_P(SnapGolden, BispectrumIsMatched) {
  const std::unique_ptr<Snap> snap = this->snap();
  const AtomsInBox atoms = golden_.atoms();
  numbers("snap").expect_bispectrum(snap->bispectrum(atoms.rows(snap->cutoff()), atoms.elements));
}

TEST_P(SnapGolden, WithZblTheyAreMatchedToo) {
  if (!tested().script) return;
  const std::string script = (snap_reference() / "potentials" / tested().script).string();
  const io::LammpsPotential potential = io::read_lammps_potential(script);
  ASSERT_TRUE(potential.zbl.has_value());
  const Zbl zbl(potential.zbl->inner, potential.zbl->outer,
                static_cast<std::int32_t>(potential.elements.size()), potential.zbl->pairs);
  const Snap snap(io::read_snap(potential.coefficients, potential.parameters, potential.elements),
                  std::get<1>(GetParam()).value);
  const AtomsInBox atoms = golden_.atoms();
  const NeighbourRows rows = atoms.rows(std::max(snap.cutoff(), zbl.cutoff()));
  PairGradients sum = snap.evaluate(rows, atoms.elements);
  sum.add(zbl.evaluate(rows, atoms.elements));
  expect_matched(numbers("snap_plus_zbl"), sum, rows);
}

const Named<Method> methods[] = {{"adjoint", Method::adjoint}, {"generators", Method::generators}};

constexpr auto by_case_and_method = [](const auto& tested) {
  const auto& [named, method] = tested.param;
  return std::string(named.name) + "_" + method.name;
};

INSTANTIATE_TEST_SUITE_P(Cases, SnapGolden,
                         testing::Combine(testing::ValuesIn(golden_cases),
                                          testing::ValuesIn(methods)),
                         by_case_and_method);

class EvaluatedGolden : public testing::TestWithParam<Named<GoldenCase>> {};

TEST_P(EvaluatedGolden, IsMatched) { expect_evaluated(GetParam().value, test_device(2)); }

INSTANTIATE_TEST_SUITE_P(Cases, EvaluatedGolden, testing::ValuesIn(golden_cases), by_name);

}  // namespace
}  // namespace larmor::snap_golden_tests
