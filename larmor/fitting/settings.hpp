#pragma once
// The settings of a fit: the form of the potential, the training set with its weights, the solver.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "larmor/atoms/potentials/snap/snap_potential.hpp"
#include "larmor/atoms/potentials/zbl/zbl.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/types.hpp"

namespace larmor::fitting {

/// The kinds of rows: energies per atom (eV), forces (eV/Angstrom), stresses (unit of the set).
enum class Kind { energy, force, stress };
inline constexpr std::size_t kinds = 3;
inline constexpr std::array<const char*, kinds> kind_names{"energy", "force", "stress"};

/// Unit and sign of the stresses of a set, of their rows and of their errors.
struct StressUnit {
  std::string name;
  double size = 1;  ///< 1 eV/Angstrom^3 in this unit
  int sign = 1;     ///< 1: positive under compression, as a pressure; -1: positive under tension
};

/// The unit that has this name: bar, GPa or eV/A^3; nothing for other names. LAMMPS rounds the
/// size of bar, and FitSNAP has the size of LAMMPS.
std::optional<StressUnit> stress_unit(const std::string& name);

/// A share of the configurations of a group, or their number.
struct Size {
  double value = 1;
  bool is_number = false;

  Index of(Index all) const;
};

/// A group of configurations.
struct Group {
  std::string name;
  SourcePosition where;
  std::vector<std::string> files;  ///< in the order of the rows
  std::array<double, kinds> weight{1, 1, 1};
  Size training, testing{0, false};
  bool tests_rest = false;  ///< all configurations that do not train are tested
};

enum class Method { svd, qr, normal_equations, ridge };

struct Solver {
  Method method = Method::qr;
  double alpha = 0;                ///< ridge: weight of |x|^2
  double cut = 1e-13;              ///< svd: singular values below cut times the largest count as 0
  Index folds = 0;                 ///< cross-validation; 0: none
  bool leaves_out_groups = false;  ///< a cross-validation that leaves out each group
  SourcePosition where;
};

/// The repulsion that is subtracted from the targets.
struct Reference {
  double inner = 0, outer = 0;
  std::vector<atoms::Zbl::Nuclei> pairs;
};

/// Names of the keys and columns of extended XYZ, of which a file has one each.
struct TargetNames {
  std::vector<std::string> energy{"energy", "Energy"}, forces{"forces", "force", "Forces"},
      stress{"stress", "Stress"};
};

struct Settings {
  std::string file;                  ///< the input
  std::string text;                  ///< its contents
  atoms::snap::SnapPotential form;   ///< all coefficients are 0
  bool has_constant = true;          ///< beta_0 is fitted; otherwise it is 0
  std::vector<double> energy_shift;  ///< added to the energy for each atom, eV [elements]
  std::optional<Reference> reference;
  std::vector<std::string> reference_lines;  ///< commands of LAMMPS, for comments
  std::array<bool, kinds> uses{true, true, true};
  StressUnit stress;
  TargetNames names;
  bool turns_to_lammps = false;  ///< rows in LAMMPS's orientation of the box, as FitSNAP's
  bool divides_weights = false;  ///< weights are divided by the numbers of configurations and rows
  std::vector<Group> groups;
  Solver solver;
  std::string potential, results;    ///< output: prefix of the potential, name of the results
  std::vector<std::string> ignored;  ///< keys of the input without effect, "[SECTION] key"
};

/// Reads the input of a fit: TOML if the name ends with .toml, and otherwise FitSNAP's input.
/// @param data folder of the training set; empty: as the input says
/// @throws InputError with file and line for unknown keys, missing or malformed values, groups
/// without files; MachineError if the file cannot be read
Settings read_settings(const std::string& path, const std::string& data);

/// Gives each element coefficients of 0, after a check of the numbers of the form.
/// @param where position for errors of the form
/// @throws InputError for values that no SNAP potential has
void complete_form(Settings& settings, const SourcePosition& where);

/// The files of a group, in alphabetical order: those that match `pattern`. @throws InputError if
/// there is none
std::vector<std::string> matching_files(const std::string& folder, const std::string& pattern,
                                        const SourcePosition& where);

}  // namespace larmor::fitting
