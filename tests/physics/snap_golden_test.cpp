// Boxes whose energies, forces, virials and bispectrum components LAMMPS computed.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "larmor/atoms/potentials/zbl/zbl.hpp"
#include "larmor/io/lammps_script.hpp"
#include "larmor/io/snap_files.hpp"
#include "tests/named.hpp"
#include "tests/physics/snap_support.hpp"

namespace larmor {
namespace {

using testing_support::AtomsInBox;
using testing_support::Named;
using namespace atoms;
using snap::Method;
using snap::Snap;

const std::filesystem::path shared = "/work/shared/reference/snap";

/// A file of JSON, of which one key at a time is read.
class Golden {
 public:
  explicit Golden(const std::string& name) {
    std::ifstream file(shared / "golden" / (name + ".json"));
    std::stringstream text;
    text << file.rdbuf();
    text_ = text.str();
  }
  bool is_there() const { return !text_.empty(); }

  /// All numbers of the value of a key, which stands behind `section`.
  std::vector<double> numbers(const std::string& key, const std::string& section = "") const {
    std::size_t n = place(key, section);
    std::vector<double> found;
    int depth = 0;
    do {
      if (text_[n] == '[') ++depth;
      if (text_[n] == ']') --depth;
      if (std::string("[], \n").find(text_[n]) != std::string::npos) {
        ++n;
      } else {
        std::size_t length = 0;
        found.push_back(std::stod(text_.substr(n, 40), &length));
        n += length;
      }
    } while (depth > 0);
    return found;
  }
  std::vector<Vec3<double>> vectors(const std::string& key, const std::string& section = "") const {
    const std::vector<double> flat = numbers(key, section);
    std::vector<Vec3<double>> found;
    for (std::size_t n = 0; n + 2 < flat.size(); n += 3)
      found.push_back({flat[n], flat[n + 1], flat[n + 2]});
    return found;
  }
  std::string word(const std::string& key) const {
    const std::size_t first = place(key, "") + 1;
    return text_.substr(first, text_.find('"', first) - first);
  }

  AtomsInBox atoms() const {
    const std::vector<Vec3<double>> cell = vectors("cell_A");
    AtomsInBox atoms{{{cell[0], cell[1], cell[2]}}, vectors("positions_A"), {}};
    for (const double type : numbers("types"))
      atoms.elements.push_back(static_cast<std::int32_t>(type) - 1);
    return atoms;
  }

 private:
  std::size_t place(const std::string& key, const std::string& section) const {
    const std::size_t from = section.empty() ? 0 : text_.find("\"" + section + "\":");
    return text_.find_first_not_of(' ', text_.find("\"" + key + "\":", from) + key.size() + 3);
  }

  std::string text_;
};

struct GoldenCase {
  const char* file;
  std::vector<std::string> elements;
  const char* script;  ///< of SNAP and ZBL; null: of SNAP alone
  double tolerance = 1e-11;
};

class SnapGolden : public testing::TestWithParam<std::tuple<Named<GoldenCase>, Named<Method>>> {
 protected:
  void SetUp() override {
    if (!golden_.is_there()) GTEST_SKIP() << "no reference of SNAP here";
  }
  static const GoldenCase& tested() { return std::get<0>(GetParam()).value; }
  std::unique_ptr<Snap> snap() const {
    const auto file = [&](const char* key) {
      return (shared / "potentials" / golden_.word(key)).string();
    };
    return std::make_unique<Snap>(
        io::read_snap(file("coeff_file"), file("param_file"), tested().elements),
        std::get<1>(GetParam()).value);
  }
  void expect_matched(const PairGradients& found, const NeighbourRows& rows,
                      const std::string& section) const {
    const std::vector<double> energy = golden_.numbers("energy_per_atom_eV", section);
    double largest = 1;
    for (const double E : energy) largest = std::max(largest, std::abs(E));
    for (std::size_t i = 0; i < energy.size(); ++i)
      ASSERT_NEAR(found.energy[i], energy[i], 1e-11 * largest) << "atom " << i;
    const std::vector<Vec3<double>> force = golden_.vectors("forces_eV_per_A", section);
    const std::vector<Vec3<double>> ours = forces(rows, found.gradient);
    double strongest = 1;
    for (const Vec3<double>& f : force) strongest = std::max(strongest, length(f));
    for (std::size_t i = 0; i < force.size(); ++i)
      ASSERT_LT(length(ours[i] - force[i]), tested().tolerance * strongest) << "atom " << i;
    const std::vector<double> virial = golden_.numbers("virial_eV_xx_yy_zz_xy_xz_yz", section);
    const std::vector<SymmetricTensor> of_atoms = virials(rows, found.gradient);
    const SymmetricTensor sum = total(of_atoms);
    double most = 1;
    for (const double W : virial) most = std::max(most, std::abs(W));
    for (std::size_t c = 0; c < 6; ++c)
      EXPECT_NEAR(sum[c], virial[c], 10 * tested().tolerance * most) << c;
    const std::vector<double> stress = golden_.numbers("per_atom_stress_bar_A3", section);
    constexpr double bar = 1.6021765e6;  // eV/Angstrom^3, as LAMMPS's metal units have it
    for (std::size_t n = 0; n < stress.size(); ++n)
      EXPECT_NEAR(-bar * of_atoms[n / 6][n % 6], stress[n], 10 * tested().tolerance * bar * most)
          << n;
  }

  Golden golden_{tested().file};
};

TEST_P(SnapGolden, EnergiesForcesAndVirialsAreMatched) {
  const std::unique_ptr<Snap> snap = this->snap();
  const AtomsInBox atoms = golden_.atoms();
  const NeighbourRows rows = atoms.rows(snap->cutoff());
  expect_matched(snap->evaluate(rows, atoms.elements), rows, "snap");
}

TEST_P(SnapGolden, BispectrumIsMatched) {
  const std::unique_ptr<Snap> snap = this->snap();
  const AtomsInBox atoms = golden_.atoms();
  const std::vector<double> B = snap->bispectrum(atoms.rows(snap->cutoff()), atoms.elements);
  const std::vector<double> expected = golden_.numbers("bispectrum_first4atoms", "snap");
  double largest = 1;
  for (const double b : expected) largest = std::max(largest, std::abs(b));
  for (std::size_t n = 0; n < expected.size(); ++n)
    ASSERT_NEAR(B[n], expected[n], 1e-11 * largest) << n;
}

TEST_P(SnapGolden, WithZblTheyAreMatchedToo) {
  if (!tested().script) return;
  const std::string script = (shared / "potentials" / tested().script).string();
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
  expect_matched(sum, rows, "snap_plus_zbl");
}

const Named<GoldenCase> golden_cases[] = {
    {"Ta_2J6", {"Ta06A_2J6_bcc54", {"Ta"}, "Ta06A.snap"}},
    {"W_2J8", {"W2940_2J8_bcc54", {"W"}, "W_2940_2017_2.snap"}},
    {"W_triclinic", {"W2940_2J8_triclinic54", {"W"}, nullptr}},
    {"W_bnormflag", {"W2940_2J8_var_bnorm", {"W"}, nullptr}},
    {"W_bzeroflag", {"W2940_2J8_var_bzero1", {"W"}, nullptr}},
    {"W_switchinnerflag", {"W2940_2J8_var_inner", {"W"}, nullptr}},
    {"W_rmin0", {"W2940_2J8_var_rmin", {"W"}, nullptr}},
    {"W_switchflag", {"W2940_2J8_var_switch0", {"W"}, nullptr}},
    {"WBe", {"WBe_2J8_bcc128", {"W", "Be"}, "WBe_Wood_PRB2019.snap"}},
    {"Ni_quadratic", {"Ni_quad_2J6_fcc108", {"Ni"}, nullptr}},
    // LAMMPS takes components of permuted channels for equal, of which it is given coefficients
    // that differ in their twelfth decimal.
    {"InP_chemflag", {"InP_chem_2J6_var_wself0", {"In", "P"}, nullptr, 1e-9}},
    {"W_2J14", {"W_2J14_bcc128", {"W"}, nullptr}}};

const Named<Method> methods[] = {{"adjoint", Method::adjoint}, {"generators", Method::generators}};

constexpr auto by_case_and_method = [](const auto& tested) {
  const auto& [named, method] = tested.param;
  return std::string(named.name) + "_" + method.name;
};

INSTANTIATE_TEST_SUITE_P(Cases, SnapGolden,
                         testing::Combine(testing::ValuesIn(golden_cases),
                                          testing::ValuesIn(methods)),
                         by_case_and_method);

}  // namespace
}  // namespace larmor
