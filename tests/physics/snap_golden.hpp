#pragma once
// Boxes whose energies, forces, virials and bispectrum components LAMMPS computed, and comparisons
// with these numbers. LARMOR_TEST_REFERENCE in the environment names the folder of references.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "larmor/evaluation/evaluator.hpp"
#include "tests/named.hpp"
#include "tests/physics/snap_support.hpp"
#include "tests/physics/test_system.hpp"

namespace larmor::testing_support {

inline std::filesystem::path snap_reference() {
  return std::filesystem::path(environment("LARMOR_TEST_REFERENCE")) / "snap";
}

/// A JSON file from which one key at a time is read.
class Golden {
 public:
  explicit Golden(const std::string& name) {
    std::ifstream file(snap_reference() / "golden" / (name + ".json"));
    std::stringstream text;
    text << file.rdbuf();
    text_ = text.str();
  }
  bool is_there() const { return !text_.empty(); }

  /// Path of a file of the potential, "coeff_file" or "param_file".
  std::string potential_file(const std::string& key) const {
    return (snap_reference() / "potentials" / word(key)).string();
  }

  /// All numbers in the value of a key, which follows `section`.
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
  const char* script;  ///< script with SNAP and ZBL; null: only SNAP
  double tolerance = 1e-11;
};

/// The numbers of one section of a case, "snap" or "snap_plus_zbl".
class GoldenNumbers {
 public:
  GoldenNumbers(const Golden& golden, const std::string& section, double tolerance)
      : golden_(golden), section_(section), tolerance_(tolerance) {}

  void expect_energies(const std::vector<double>& found) const {
    expect_near(found, golden_.numbers("energy_per_atom_eV", section_), 1e-11);
  }
  void expect_forces(const std::vector<Vec3<double>>& found) const {
    const std::vector<Vec3<double>> force = golden_.vectors("forces_eV_per_A", section_);
    ASSERT_EQ(found.size(), force.size());
    double strongest = 1;
    for (const Vec3<double>& f : force) strongest = std::max(strongest, length(f));
    for (std::size_t i = 0; i < force.size(); ++i)
      ASSERT_LT(length(found[i] - force[i]), tolerance_ * strongest) << "atom " << i;
  }
  void expect_virial(const SymmetricTensor& found) const {
    expect_near({found.begin(), found.end()},
                golden_.numbers("virial_eV_xx_yy_zz_xy_xz_yz", section_), 10 * tolerance_);
  }
  /// @param found virials of all atoms; the reference may have only those of the first atoms
  void expect_virials_of_atoms(const std::vector<SymmetricTensor>& found) const {
    constexpr double bar = 1.6021765e6;  // eV/Angstrom^3, in LAMMPS's metal units
    std::vector<double> stress;
    for (const SymmetricTensor& W : found)
      for (const double component : W) stress.push_back(-bar * component);
    double most = bar;
    for (const double W : golden_.numbers("virial_eV_xx_yy_zz_xy_xz_yz", section_))
      most = std::max(most, bar * std::abs(W));
    const std::vector<double> expected = golden_.numbers("per_atom_stress_bar_A3", section_);
    ASSERT_GE(stress.size(), expected.size());
    for (std::size_t n = 0; n < expected.size(); ++n)
      ASSERT_NEAR(stress[n], expected[n], 10 * tolerance_ * most) << n;
  }
  /// @param found components of all atoms; the reference has only those of the first atoms
  void expect_bispectrum(const std::vector<double>& found) const {
    const std::vector<double> expected = golden_.numbers("bispectrum_first4atoms", section_);
    ASSERT_GE(found.size(), expected.size());
    expect_near({found.begin(), found.begin() + std::ssize(expected)}, expected, 1e-11);
  }

 private:
  static void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                          double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    double largest = 1;
    for (const double x : expected) largest = std::max(largest, std::abs(x));
    for (std::size_t n = 0; n < expected.size(); ++n)
      ASSERT_NEAR(found[n], expected[n], tolerance * largest) << n;
  }

  const Golden& golden_;
  std::string section_;
  double tolerance_;
};

inline const Named<GoldenCase> golden_cases[] = {
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
    // LAMMPS assumes that permuted channels have equal components, although their coefficients
    // differ in the twelfth decimal.
    {"InP_chemflag", {"InP_chem_2J6_var_wself0", {"In", "P"}, nullptr, 1e-9}},
    {"W_2J14", {"W_2J14_bcc128", {"W"}, nullptr}}};

inline io::AtomFrame frame_of(const AtomsInBox& atoms, const std::vector<std::string>& elements) {
  io::AtomFrame frame;
  frame.atoms.box = atoms.box;
  frame.atoms.positions = atoms.positions;
  frame.atoms.species = elements;
  frame.atoms.types = atoms.elements;
  frame.line.resize(atoms.positions.size());
  return frame;
}

/// Compares the results of `larmor evaluate` on a device.
inline void expect_evaluated(const GoldenCase& tested, const Device& device) {
  const Golden golden(tested.file);
  if (!golden.is_there()) GTEST_SKIP() << "no reference of SNAP: LARMOR_TEST_REFERENCE names none";
  const io::AtomFrame frame = frame_of(golden.atoms(), tested.elements);
  const auto expect = [&](const evaluation::PotentialChoice& choice, const std::string& section,
                          bool with_bispectrum) {
    const evaluation::OverlaidPotential potential(choice, device);
    const auto evaluator = evaluation::evaluator_on(device, potential, with_bispectrum);
    const evaluation::Evaluated found = evaluator->evaluate({&frame, 1}).at(0);
    const GoldenNumbers expected(golden, section, tested.tolerance);
    expected.expect_energies(found.energies);
    expected.expect_forces(found.forces);
    expected.expect_virial(found.virial);
    if (with_bispectrum) expected.expect_bispectrum(found.bispectrum);
  };
  evaluation::PotentialChoice choice;
  choice.coefficients = golden.potential_file("coeff_file");
  choice.parameters = golden.potential_file("param_file");
  expect(choice, "snap", true);
  if (!tested.script) return;
  choice = {};
  choice.script = (snap_reference() / "potentials" / tested.script).string();
  expect(choice, "snap_plus_zbl", false);
}

}  // namespace larmor::testing_support
